import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import type { Project } from '@pixpress/testkit'
import pixpressForRolldown from 'unplugin-pixpress/rolldown'
import pixpressForRollup from 'unplugin-pixpress/rollup'
import type { Options } from 'unplugin-pixpress/rollup'

/** The two bundlers that one adapter serves, and what they write in two different ways. */
export const BUNDLERS = ['rollup', 'rolldown'] as const
export type Bundler = (typeof BUNDLERS)[number]

export type Format = 'es' | 'cjs' | 'iife' | 'umd'

export interface Output {
  /** Text or bytes by file name. */
  readonly files: ReadonlyMap<string, string | Uint8Array>
  /** The code of the entry. */
  readonly code: string
  readonly map: { sources: string[]; mappings: string } | undefined
  /** Sources by the names of the assets that came of them. */
  readonly originals: ReadonlyMap<string, readonly string[]>
  readonly warnings: readonly string[]
}

export interface BundleOptions {
  readonly input?: string
  readonly format?: Format
  readonly options?: Options
  readonly assetFileNames?: string
  readonly sourcemap?: boolean
  /** Other plugins, of the kind that both bundlers take. */
  readonly before?: readonly object[]
  readonly after?: readonly object[]
}

/** Bundles a project in this process and writes it to `dist`. */
export async function bundle(
  bundler: Bundler,
  project: Project,
  {
    input = 'src/main.js',
    format = 'es',
    options = {},
    assetFileNames = 'assets/[name]-[hash][extname]',
    sourcemap = false,
    before = [],
    after = [],
  }: BundleOptions = {},
): Promise<Output> {
  const warnings: string[] = []
  const settings = { root: project.root, report: false, ...options }
  const plugin = bundler === 'rollup' ? pixpressForRollup(settings) : pixpressForRolldown(settings)
  const open = (bundler === 'rollup' ? rollup : rolldown) as typeof rollup
  const build = await open({
    input: project.path(input),
    // Rolldown's comments name modules relative to this; Rollup has neither.
    ...(bundler === 'rolldown' && { cwd: project.root }),
    plugins: [...before, plugin, ...after] as never[],
    onLog: (_, { message }) => void warnings.push(message),
  })
  try {
    const { output } = await build.write({
      dir: project.path('dist'),
      format,
      name: 'site',
      exports: 'named',
      assetFileNames,
      sourcemap,
      entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
    })
    const [entry] = output
    return {
      files: new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source])),
      code: entry.code,
      map: entry.map ?? undefined,
      originals: new Map(output.flatMap((f) => (f.type === 'asset' ? [[f.fileName, f.originalFileNames]] : []))),
      warnings,
    }
  } finally {
    await build.close()
  }
}
