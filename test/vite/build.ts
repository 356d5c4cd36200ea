import type { Project } from '@pixpress/testkit'

/** The versions of Vite that are supported, by the names they are installed under. */
export const VITES = ['vite', 'vite7', 'vite6', 'vite5'] as const
/** Those that let plugins know of client and server being built as one app. */
export const APP_VITES = ['vite', 'vite7'] as const
/**
 * The newest has Rolldown and environments, the oldest has neither: tests of what does not depend on the version
 * between them run in these two. `references.test.ts` and the dev server's tests run in all.
 */
export const NEWEST_AND_OLDEST = ['vite', 'vite5'] as const satisfies readonly (typeof VITES)[number][]
export type ViteName = (typeof VITES)[number]

/** Source text of `rollupOptions` for a build of one script, whose exports `evaluate` reads from `entry.mjs`. */
export const entryOf = (file: string): string =>
  `{ input: '${file}', preserveEntrySignatures: 'strict', output: { entryFileNames: 'entry.mjs' } }`

/** Source text that builds all environments of `config`. */
export const BUILD_APP = 'await (await createBuilder(config)).buildApp()'

export interface BuildOutcome {
  /** Without colours. */
  readonly warnings: readonly string[]
  /** The message of the failure; absent when the build succeeded. */
  readonly error?: string
  /** Images that were encoded, not counting those from the cache, in all reports of the process. */
  readonly encoded: number
  readonly images: number
  readonly reports: number
}

interface BuildOptions {
  readonly vite?: ViteName
  /** Source text of Vite's configuration without `plugins`. */
  readonly config?: string
  /** Source text of the plugin's options. */
  readonly options?: string
  /** Source text of what runs the build, with `config`, `build` and `createBuilder` in scope. */
  readonly run?: string
}

/** Builds a project in a process of its own, as its users do. */
export async function buildProject(
  project: Project,
  { vite = 'vite', config = '{}', options = '{}', run = 'await build(config)' }: BuildOptions = {},
): Promise<BuildOutcome> {
  const script = `
    import { existsSync, readFileSync, rmSync } from 'node:fs'
    import pixpress from 'unplugin-pixpress/vite'
    import * as vite from '${vite}'
    const { build, createBuilder, createLogger } = vite
    const outcome = { warnings: [], encoded: 0, images: 0, reports: 0 }
    const customLogger = createLogger('error')
    customLogger.error = () => {}
    customLogger.warn = customLogger.warnOnce = (message) => outcome.warnings.push(message)
    const reporter = {
      name: 'test:report',
      enforce: 'post',
      closeBundle: { order: 'post', sequential: true, handler: readReport },
    }
    function readReport() {
      if (!existsSync('report.json')) return
      const { totals } = JSON.parse(readFileSync('report.json', 'utf8'))
      rmSync('report.json')
      outcome.encoded += totals.encoded
      outcome.images += totals.images
      outcome.reports++
    }
    const plugins = [pixpress({ report: { json: 'report.json' }, ...${options} }), reporter]
    const given = ${config}
    const config = { configFile: false, customLogger, logLevel: 'warn', ...given, plugins: [...(given.plugins ?? []), plugins] }
    try {
      ${run}
    } catch (error) {
      outcome.error = error.message
    }
    readReport()
    console.log('\\n' + JSON.stringify(outcome))
  `
  const { code, stdout, stderr } = await project.run(script, { timeout: 180_000 })
  if (code !== 0) throw new Error(`The build ended with code ${code}:\n${stdout}\n${stderr}`)
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as BuildOutcome
}

/** Bytes of the emitted image whose name is this and a hash. */
export async function emitted(project: Project, start: string, outDir = 'dist'): Promise<Buffer> {
  const isMatch = (file: string): boolean =>
    file.startsWith(start) && /^[\w-]{8}\.(?:png|jpe?g|webp|avif|svg|gif)$/.test(file.slice(start.length))
  const matches = (await project.list(outDir)).filter(isMatch)
  if (matches.length !== 1) throw new Error(`${matches.length} files begin with ${start}: ${matches.join(', ')}`)
  return project.read(`${outDir}/${matches[0]!}`)
}

/** The default export of an emitted module, evaluated in a process without a browser. */
export async function evaluate(project: Project, file: string): Promise<unknown> {
  const script = `const { default: value } = await import('./${file}')\nconsole.log(JSON.stringify(value))`
  const { code, stdout, stderr } = await project.run(script)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** The text of the one emitted file that ends like this. */
export async function emittedText(project: Project, end: string, outDir = 'dist'): Promise<string> {
  const matches = (await project.list(outDir)).filter((file) => file.endsWith(end))
  if (matches.length !== 1) throw new Error(`${matches.length} files end with ${end}: ${matches.join(', ')}`)
  return project.readText(`${outDir}/${matches[0]!}`)
}
