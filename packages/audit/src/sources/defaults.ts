import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { glob } from 'tinyglobby'

/** Names of scripts that set up a build, also in folders that hold no sources: `.vitepress/config.ts`, `build/`. */
const CONFIGS = '**/*{config,vite,vitest,webpack,rollup,rspack,rsbuild,esbuild,build}*.{js,mjs,cjs,ts,mts,cts}'

const SCRIPT = /\.[cm]?[jt]s$/

const CONFIG = /\bconfig\b.*\.[cm]?[jt]s$/

const namesOption = (text: string): boolean => /\bdefaultDirectives\b/.test(text)

/**
 * Returns whether a project's build may have `defaultDirectives`, which decide the shape, types and widths of imports
 * that say none. A configuration is a program that only its bundler runs, so that the name alone counts, wherever a
 * script of the project, or a configuration of a folder above it, has it.
 * @param project absolute folder
 * @param texts of the project, by their names
 */
export async function hasDefaultDirectives(project: string, texts: ReadonlyMap<string, string>): Promise<boolean> {
  if ([...texts].some(([file, text]) => SCRIPT.test(file) && namesOption(text))) return true
  const ignore = ['**/node_modules/**', '**/.git/**']
  const below = await glob(CONFIGS, { cwd: project, ignore, dot: true, followSymbolicLinks: false })
  const files = below.filter((file) => !texts.has(file)).map((file) => path.join(project, file))
  for (const folder of foldersAbove(project)) {
    const names = await readdir(folder).catch((): string[] => [])
    files.push(...names.filter((name) => CONFIG.test(name)).map((name) => path.join(folder, name)))
  }
  for (const file of files) if (namesOption(await readFile(file, 'utf8').catch(() => ''))) return true
  return false
}

/** The folders above a project, up to its repository's; none where it is in no repository. */
function foldersAbove(project: string): string[] {
  const folders = [project]
  while (!existsSync(path.join(folders.at(-1)!, '.git'))) {
    const above = path.dirname(folders.at(-1)!)
    if (above === folders.at(-1)) return []
    folders.push(above)
  }
  return folders.slice(1)
}
