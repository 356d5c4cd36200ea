import { setTimeout as delay } from 'node:timers/promises'
import {
  connectQueue,
  createStatusReader,
  openBatchSource,
  openChunkQueue,
  listImages,
  writeBatchDescription,
} from '@pixpress/batch'
import type { ChunkFacts, ChunkQueue, StatusReader } from '@pixpress/batch'
import { EXIT } from '../base/exit.ts'
import { endingOf } from '../base/output.ts'
import { exitCodeOfSignal } from '../compress/workers.ts'
import { progressLine } from './lines.ts'
import { printOutcome } from './run.ts'
import type { BatchRun, LeftChunk } from './run.ts'
import { createTaken } from './settings.ts'

/** Milliseconds between looks at the records, for each thousand chunks: a bucket charges for each thousand keys. */
const LOOK_EVERY = 2000

/** Jobs that are added together. */
const TOGETHER = 200

/** Looks in a row that find no chunk in the queue after which those without a record are added again. */
const LOST_AFTER = 3

/** How to let others work. */
export interface QueueUse {
  readonly url: string
  /** Ends when everything is listed. */
  readonly detach: boolean
}

/**
 * Lists a batch into the queue, and waits until others have done it.
 * @returns the exit code
 */
export async function runByQueue(run: BatchRun, { url, detach }: QueueUse): Promise<number> {
  const { batch, destination, around, progress, tell } = run
  const connection = await connectQueue(url, tell)
  const queue = openChunkQueue(connection)
  try {
    const listed = await listInto(queue, run)
    if (detach) {
      progress.clear()
      around.stdout.write(endingOf(`batch ${batch}: ${listed} chunks in the queue`))
      return EXIT.ok
    }
    const reader = createStatusReader(destination, batch)
    const left = await watch(run, queue, reader)
    return await printOutcome(run, reader, left)
  } catch (error) {
    if (!around.signal.aborted) throw error
    progress.clear()
    around.stderr.write(`pixpress: stopped; the workers go on, and 'pixpress batch --status' says how far they are.\n`)
    return exitCodeOfSignal(around.signal)
  } finally {
    if (connection.redis.status === 'ready') await queue.close()
    connection.close()
  }
}

/** @returns how many chunks were due */
async function listInto(queue: ChunkQueue, run: BatchRun): Promise<number> {
  const { batch, description, destination, places, settings, size, around, progress } = run
  progress.show('listing the images')
  await writeBatchDescription(destination, description)
  await queue.retryFailed(batch)
  const waiting: ChunkFacts[] = []
  let count = 0
  const offer = async (): Promise<void> => queue.offer(waiting.splice(0).map((facts) => jobOf(run, facts)))
  await listImages({
    source: openBatchSource(description.from, places, createTaken(description, settings)),
    destination,
    batch,
    size,
    signal: around.signal,
    async onDue(facts) {
      count++
      waiting.push(facts)
      if (waiting.length >= TOGETHER) await offer()
    },
  })
  await offer()
  return count
}

const jobOf = (
  { batch, description }: BatchRun,
  { chunk }: ChunkFacts,
): { to: string; batch: string; chunk: string } => ({
  to: description.to,
  batch,
  chunk,
})

/** Waits until every chunk has a record or has failed for good. @returns those that have failed */
async function watch(run: BatchRun, queue: ChunkQueue, reader: StatusReader): Promise<readonly LeftChunk[]> {
  const { batch, around, progress } = run
  for (let idle = 0; ;) {
    around.signal.throwIfAborted()
    const status = await reader.read()
    progress.show(progressLine(status))
    const missing = reader.missing()
    if (missing.length === 0) return []
    const failed = await queue.failed(batch)
    const isFailed = new Set(failed.map(({ chunk }) => chunk))
    const open = missing.filter(({ chunk }) => !isFailed.has(chunk))
    if (open.length === 0) return failed.filter(({ chunk }) => missing.some((each) => each.chunk === chunk))
    idle = (await queue.pending()) === 0 ? idle + 1 : 0
    // A Redis that keeps nothing on its disk forgets the queue when it starts again.
    if (idle >= LOST_AFTER) await queue.offer(open.map((facts) => jobOf(run, facts)))
    await delay(LOOK_EVERY * Math.max(1, status.chunks.all / 1000), undefined, { signal: around.signal })
  }
}
