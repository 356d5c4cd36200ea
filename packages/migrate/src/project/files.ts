import path from 'node:path'
import { glob } from 'tinyglobby'

/** Glob of the texts that may configure a plugin or refer to images. */
export const SOURCES: string =
  '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte,astro,html,css,scss,sass,less,styl,md,mdx}'

/** Matches the names of scripts. */
export const SCRIPT: RegExp = /\.[cm]?[jt]sx?$/

/** Globs of folders that hold no sources. */
export const FOREIGN: readonly string[] = [
  '**/node_modules/**',
  '**/.git/**',
  '**/dist/**',
  '**/build/**',
  '**/coverage/**',
  '**/.*/**',
]

/** Characters beyond which a text is not written by a person. */
export const LONGEST = 2_000_000

/** The sources and manifests of a folder, sorted. */
export const projectFiles = async (folder: string): Promise<readonly string[]> =>
  (
    await glob([SOURCES, '**/package.json'], { cwd: folder, ignore: [...FOREIGN], followSymbolicLinks: false })
  ).toSorted()

/** True for a manifest. */
export const isManifest = (file: string): boolean => path.basename(file) === 'package.json'

/** The files of a folder without those of packages below it, which have a manifest of their own. */
export async function packageFiles(folder: string): Promise<readonly string[]> {
  const files = await projectFiles(folder)
  const below = files.filter((file) => isManifest(file) && file.includes('/')).map((file) => `${path.dirname(file)}/`)
  return files.filter((file) => !below.some((each) => file.startsWith(each)))
}
