import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import type { Optimizer, Plan } from '@pixpress/core'
import { availableCpus, planLine } from '@pixpress/core/internal'
import type { Lock, LockLine } from '@pixpress/core/internal'
import { createProgress } from '@pixpress/core/report'
import type { ReportFailure } from '@pixpress/core/report'
import { aborted } from '../compress/workers.ts'
import type { Surroundings } from '../base/output.ts'

/** The lines to renew, and how. */
export interface RenewTask {
  readonly lock: Lock
  readonly optimizer: Optimizer
  /** Images worked on at once. Default: the processors this process may use. */
  readonly concurrency: number | undefined
  /** Returns whether a line is to be made anew. @param plan how this engine would do it now */
  readonly isDue: (line: LockLine, plan: Plan) => boolean
  /** Counts what is due, and makes nothing. */
  readonly dryRun: boolean
  /** Milliseconds after which nothing but a first one is begun. Default: no bound. */
  readonly budget?: number | undefined
}

/** Counts of renewed lines. */
export interface Renewed {
  /** Results made anew, or due with `dryRun`. */
  readonly made: number
  /** Bytes of those, as they were and as they are. */
  readonly before: number
  readonly after: number
  /** Lines that hold as they are. */
  readonly held: number
  /** Lines that there was no time for. */
  readonly left: number
  /** Lines whose source is gone or has other contents: the next build does those. */
  readonly outdated: number
  readonly failures: readonly ReportFailure[]
}

/**
 * Makes results of a lock anew, and notes them; the lock is not written.
 * @returns `undefined` when the person asked it to stop
 */
export async function renewLines(
  lines: readonly LockLine[],
  { lock, optimizer, concurrency = availableCpus(), isDue, dryRun, budget = Infinity }: RenewTask,
  around: Surroundings,
): Promise<Renewed | undefined> {
  const count = { made: 0, before: 0, after: 0, held: 0, left: 0, outdated: 0 }
  const failures: ReportFailure[] = []
  const progress = createProgress({ enabled: true, lines: true, stream: around.stderr, environment: around.env })
  const folder = path.dirname(lock.file)
  const began = performance.now()
  // One list for several workers, as reading all files at once would take their whole size in memory.
  const queue = lines.values()

  // Whatever is not made anew stays as it is, also when the work is stopped.
  for (const line of lock.lines) lock.hold(line)

  async function one(line: LockLine): Promise<void> {
    const file = path.resolve(folder, line.source)
    const source = await readFile(file).catch(() => undefined)
    if (source === undefined || digestOf(source) !== line.sha256) {
      count.outdated++
      return
    }
    const plan = await planLine(line, source)
    if (plan === undefined || !isDue(line, plan)) {
      count.held++
      return
    }
    if (!dryRun) {
      progress.begin(line.key, file, source.length)
      const result = await optimizer.materialize(plan).finally(() => progress.end(line.key))
      lock.note(file, plan, result)
      count.after += result.info.size
    }
    count.before += line.bytes
    count.made++
  }

  const work = async (): Promise<void> => {
    for (const line of queue) {
      if (around.signal.aborted) return
      // However short the time is, every run gets one step further.
      if (line !== lines[0] && performance.now() - began > budget) {
        count.left++
        continue
      }
      await one(line).catch((error: unknown) => {
        if (!(error instanceof PixpressError)) throw error
        failures.push({ source: line.source, code: error.code, message: error.message })
      })
    }
  }

  const all = Promise.all(Array.from({ length: concurrency + 1 }, work))
  const isDone = await Promise.race([all, aborted(around.signal)])
  progress.finish()
  return isDone && { ...count, failures }
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
