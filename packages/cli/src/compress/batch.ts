import { closeSync, openSync, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { availableCpus } from '@pixpress/core/internal'
import { HEAD_BYTES, compare, createReport, reportImage, weightOf } from '@pixpress/core/report'
import type { Progress, RemoteUsage, Report, ReportFailure, ReportImage } from '@pixpress/core/report'
import { compressFile, copyAsItIs } from './compress-file.ts'
import type { FileOutcome, FileTask } from './compress-file.ts'
import { inputId } from './inputs.ts'
import type { InputFile } from './inputs.ts'

/** Options of working on many files. */
export interface BatchOptions {
  /** Folder that reported paths are relative to. */
  readonly cwd: string
  readonly concurrency: number | undefined
  readonly progress: Progress
  readonly signal: AbortSignal
  /** Returns the usage of a service, once all is done. */
  readonly usage: () => Promise<RemoteUsage | undefined>
  /** Shown every file that was worked on, as it ends. Default: nobody. */
  readonly seen?: (input: InputFile, outcome: FileOutcome) => void
  /** One plain sentence about one file. */
  readonly tell: (message: string) => void
}

/**
 * Works on all inputs, some at once; a broken one does not stop the others. Ends early when it is aborted. One closure,
 * as all files add to the same report.
 * @throws PixpressError `MACHINE_UNFIT`; files that were written by then are whole
 */
export async function compressAll(
  inputs: readonly InputFile[],
  task: FileTask,
  options: BatchOptions,
): Promise<Report> {
  const began = performance.now()
  const images = new Map<string, ReportImage>()
  const failures: ReportFailure[] = []
  /** Files by the identity of what was done: of those that are named together, all hold the same bytes. */
  const sameBytes = new Map<string, InputFile[]>()
  // One list for several workers, as reading all files at once would take their whole size in memory.
  const queue = inputs.values()
  const sizes = await bytesByPath(inputs)
  const weights = expectAll(options.progress, inputs, sizes)
  /** A fault of the machine stops the run: every other image would fail for the same reason. */
  let fault: PixpressError | undefined
  const work = async (): Promise<void> => {
    for (const input of queue) {
      if (options.signal.aborted || fault !== undefined) return
      await one(input)
    }
  }

  async function one(input: InputFile): Promise<void> {
    const shown = shownPath(options.cwd, input.file)
    const started = performance.now()
    const id = inputId(input)
    options.progress.begin(id, input.file, sizes.get(input.file) ?? 0, weights.get(id))
    try {
      const outcome = await compressFile(input, shown, task)
      const { result, promise, output, written, warnings, url } = outcome
      options.seen?.(input, outcome)
      for (const note of [...result.notes, ...warnings]) options.tell(`${shown}: ${note}`)
      sameBytes.set(result.key, [...(sameBytes.get(result.key) ?? []), input])
      images.set(id, {
        ...reportImage(shown, result, promise),
        output: shownPath(options.cwd, output),
        written,
        milliseconds: Math.round(performance.now() - started),
        ...(url !== undefined && { address: url }),
      })
    } catch (error) {
      if (error instanceof PixpressError && error.code === 'MACHINE_UNFIT') return void (fault ??= error)
      failures.push(failureOf(error, shown))
      // Results in `--out` are whole nevertheless, unless the whole run is to be done again with more in the cache.
      if (failures.at(-1)?.code === 'NOT_CACHED') return
      await copyAsItIs(input, shown, task).catch((another: unknown) => failures.push(failureOf(another, shown)))
    } finally {
      options.progress.end(id)
    }
  }

  // One more than are worked on, which reads while the others encode.
  await Promise.all(Array.from({ length: (options.concurrency ?? availableCpus()) + 1 }, work))
  if (fault !== undefined) {
    options.progress.finish()
    throw fault
  }
  noteDuplicates(images, sameBytes.values(), options.cwd)
  const milliseconds = performance.now() - began
  const usage = { remote: await options.usage(), store: await task.store?.finish() }
  return createReport(images, failures, milliseconds, usage)
}

/** Tells the progress all that there is to do. @returns how much work each input is, by identity, where it is shown */
function expectAll(
  progress: Progress,
  inputs: readonly InputFile[],
  sizes: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const weights = progress.isShown ? weightsOf(inputs, sizes) : new Map<string, number>()
  const bytes = inputs.reduce((sum, { file }) => sum + (sizes.get(file) ?? 0), 0)
  progress.expect({ images: inputs.length, bytes, weights })
  return weights
}

/** Adds to images the names of those with the same bytes. */
function noteDuplicates(images: Map<string, ReportImage>, groups: Iterable<readonly InputFile[]>, cwd: string): void {
  for (const inputsAlike of groups) {
    for (const input of inputsAlike.length > 1 ? inputsAlike : []) {
      const others = inputsAlike.filter((each) => each !== input)
      const duplicates = others.map(({ file }) => shownPath(cwd, file))
      images.set(inputId(input), { ...images.get(inputId(input))!, duplicates: duplicates.sort(compare) })
    }
  }
}

/** Bytes of files, by their absolute paths; 0 for one that cannot be looked at, which fails in its turn. */
export async function bytesByPath(inputs: readonly InputFile[]): Promise<Map<string, number>> {
  const entries = inputs.map(async ({ file }) => {
    const size = await stat(file)
      .then((stats) => stats.size)
      .catch(() => 0)
    return [file, size] as const
  })
  return new Map(await Promise.all(entries))
}

/** Images whose headers are looked at, which takes 0.03 ms each; of more, the bytes say enough together. */
const MOST_HEADERS = 20_000

/** How much work inputs are next to others, by their identities. */
function weightsOf(inputs: readonly InputFile[], sizes: ReadonlyMap<string, number>): Map<string, number> {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  const look = (file: string): Uint8Array => {
    const descriptor = openSync(file, 'r')
    try {
      return head.subarray(0, readSync(descriptor, head, 0, head.length, 0))
    } finally {
      closeSync(descriptor)
    }
  }
  const entries = inputs.map((input, at) => {
    const { file } = input
    const id = inputId(input)
    const bytes = sizes.get(file) ?? 0
    try {
      return [id, weightOf(at < MOST_HEADERS ? look(file) : new Uint8Array(), bytes)] as const
    } catch {
      // It fails in its turn.
      return [id, bytes] as const
    }
  })
  return new Map(entries)
}

function failureOf(error: unknown, source: string): ReportFailure {
  const known = error instanceof PixpressError
  const message = error instanceof Error ? error.message : String(error)
  return { source, code: known ? error.code : 'INTERNAL', message }
}

/** Relative to the folder the command was started in, with forward slashes. */
export function shownPath(cwd: string, file: string): string {
  // The usual case without the cost of 'path.relative', which resolves both against the working folder.
  if (path.sep === '/' && cwd !== '' && file.startsWith(`${cwd}/`) && !UNRESOLVED.test(file))
    return file.slice(cwd.length + 1)
  return path.relative(cwd, file).split(path.sep).join('/') || '.'
}

/** Parts that `path.relative` would resolve, and the slash at an end that it would drop. */
const UNRESOLVED = /\/(?:\.{0,2}\/|\.{0,2}$)/
