import type { Project } from '@pixpress/testkit'
import { build } from 'esbuild'
import type { BuildOptions, BuildResult, Plugin } from 'esbuild'
import pixpress from 'unplugin-pixpress/esbuild'
import type { Options } from 'unplugin-pixpress/esbuild'

export interface Output {
  /** The files by their path relative to `dist`. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly result: BuildResult
  text(file: string): string
}

export interface BundleOptions extends Omit<BuildOptions, 'plugins' | 'write'> {
  readonly options?: Options
  readonly before?: readonly Plugin[]
}

/** Settings for a build of a project in this process, written to its `dist`. */
export function settings(project: Project, { options = {}, before = [], ...given }: BundleOptions = {}): BuildOptions {
  return {
    absWorkingDir: project.root,
    entryPoints: ['src/main.js'],
    bundle: true,
    outdir: 'dist',
    format: 'esm',
    logLevel: 'silent',
    plugins: [...before, pixpress({ report: false, ...options })],
    ...given,
  }
}

export async function bundle(project: Project, given: BundleOptions = {}): Promise<Output> {
  await project.remove('dist')
  const result = await build(settings(project, given))
  const names = await project.list('dist')
  const files = new Map(
    await Promise.all(names.map(async (name) => [name, await project.read(`dist/${name}`)] as const)),
  )
  return { files, result, text: (file) => files.get(file)!.toString() }
}
