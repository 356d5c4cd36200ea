import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { requireTool } from '@pixpress/testkit'
import type { Project, RunOptions, RunResult } from '@pixpress/testkit'
import type { Bundler } from './capabilities.ts'

/** The answer of a driver of `bundlers/`. */
interface DriverAnswer {
  readonly ok: boolean
  /** Everything that a failed build said. */
  readonly error?: string
  /** One text for each warning of the bundler. */
  readonly warnings: readonly string[]
  /** Largest resident memory of the process, in bytes. */
  readonly peakBytes: number
  /** Emitted entry script, relative to the output folder, where there is no page. */
  readonly entry?: string
  /** Emitted page, relative to the output folder. */
  readonly page?: string
}

/** The part of the plugin's JSON report that tests rely on. */
export interface BuildReport {
  readonly images: readonly {
    source: string
    type: string
    before: number
    after: number
    cached: boolean
    draft?: true
    wouldBe?: { type: string; bytes: number }
  }[]
  readonly failures: readonly { source: string; code: string; message: string }[]
  readonly untouched?: readonly { file: string; bytes: number; query?: string }[]
  readonly worth?: { step: string; saves: number; images: number; of: number }
  readonly totals: { images: number; encoded: number; cached: number; failed: number; before: number; after: number }
}

export interface BuildResult extends DriverAnswer {
  readonly process: RunResult
  /** Relative to the project. */
  readonly outDir: string
  /** Absent when nothing was collected. */
  readonly report: BuildReport | undefined
}

const MARK = '@@pixpress-result '
const REPORT = 'report.json'

/** Tells whether a bundler's driver can run here; where `CI` is set it has to. */
export function canBuild(bundler: Bundler): boolean {
  return bundler !== 'bun' || requireTool('bun') !== undefined
}

/**
 * One production build of a project, in a process of its own, with the plugin of the bundler's entry or of the default
 * export.
 */
export async function build(
  project: Project,
  bundler: Bundler,
  options: object,
  {
    outDir = 'dist',
    from = 'entry',
    inlineLimit,
    copied,
    ...running
  }: {
    outDir?: string
    from?: 'entry' | 'default export' | 'nothing'
    inlineLimit?: number
    /** Folder that another plugin copies into the output. */
    copied?: string
  } & Pick<RunOptions, 'timeout' | 'signal' | 'env'> = {},
): Promise<BuildResult> {
  await project.remove(REPORT)
  const job = {
    root: project.root,
    outDir: project.path(outDir),
    from,
    inlineLimit,
    copied,
    options: { report: { json: REPORT }, ...options },
  }
  const command = bundler === 'bun' ? requireTool('bun')! : process.execPath
  const driver = path.join(import.meta.dirname, 'bundlers', `${bundler}.mjs`)
  const result = await project.exec(command, { ...running, args: [driver, JSON.stringify(job)] })
  const line = result.stdout.split('\n').find((candidate) => candidate.startsWith(MARK))
  const answer: DriverAnswer =
    line === undefined
      ? { ok: false, error: `${result.stdout}\n${result.stderr}`, warnings: [], peakBytes: 0 }
      : (JSON.parse(line.slice(MARK.length)) as DriverAnswer)
  return { ...answer, process: result, outDir, report: await readReport(project) }
}

/**
 * The same for a build that has to succeed.
 * @throws Error with what the bundler said
 */
export async function buildOrThrow(...args: Parameters<typeof build>): Promise<BuildResult> {
  const result = await build(...args)
  if (!result.ok || result.process.code !== 0) {
    const { code, stdout, stderr, ms } = result.process
    throw new Error(
      `The ${args[1]} build failed (exit ${code} after ${Math.round(ms)} ms): ${result.error}\n${stdout}\n${stderr}`,
    )
  }
  return result
}

/** File name → bytes of everything in an output folder. */
export async function readOutput(project: Project, outDir = 'dist'): Promise<Map<string, Buffer>> {
  const files = await project.list(outDir)
  return new Map(
    await Promise.all(files.map(async (file) => [file, await project.read(path.join(outDir, file))] as const)),
  )
}

/** The values that the built entry leaves in `globalThis.site`: kind of reference → name → value. */
export async function evaluate(
  project: Project,
  { outDir, page, entry }: BuildResult,
): Promise<Record<string, Record<string, unknown>>> {
  const script = path.join(import.meta.dirname, 'evaluate.mjs')
  const { code, stdout, stderr } = await project.run(script, { args: [project.path(outDir), page ?? entry ?? ''] })
  if (code !== 0) throw new Error(`The built script failed: ${stderr}`)
  return JSON.parse(stdout) as Record<string, Record<string, unknown>>
}

async function readReport(project: Project): Promise<BuildReport | undefined> {
  const text = await readFile(project.path(REPORT), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : (JSON.parse(text) as BuildReport)
}
