import { setTimeout as delay } from 'node:timers/promises'
import type { PixpressError } from '@pixpress/core'
import type { Job, Worker, WorkerOptions } from 'bullmq'
import { PREFIX, QUEUE } from './connect.ts'
import type { QueueConnection } from './connect.ts'
import { openChunkQueue } from './offer.ts'
import { parseJob } from './job.ts'
import type { ChunkJob } from './job.ts'

/** Milliseconds after which a worker that gives no sign of life has lost its chunk. */
const LEASE = 30_000

/** Times that a chunk goes to another worker after one was lost with it: an image may be what ended them. */
const MOST_STALLED = 5

/** Milliseconds without taking a chunk after one has failed, for the first in a row and for any further ones. */
const SHORTEST_REST = 500
const LONGEST_REST = 60_000

/** Milliseconds between looks whether there is anything left to do. */
const LOOK_EVERY = 1000

/** Options of working on what a queue has. */
export interface TakeOptions {
  /** Works on a chunk. It rejects when the signal is aborted, and the chunk goes back. */
  readonly perform: (job: ChunkJob) => Promise<void>
  readonly signal: AbortSignal
  /** Ends when nothing waits or is worked on anywhere, instead of never. */
  readonly untilEmpty: boolean
  /** Told why a chunk failed; it is tried again after a while, some times. */
  readonly onFailed: (error: Error) => void
}

/** The state of a worker. */
interface State {
  readonly options: TakeOptions
  readonly bullmq: QueueConnection['bullmq']
  /** Aborted by a fault of this machine, which every other chunk would meet here as well. */
  readonly unfit: AbortController
  /** Aborted when no further chunk is to be taken. */
  readonly ending: AbortSignal
  /** Chunks in a row that failed here. */
  failures: number
}

/**
 * Takes chunks from the queue, one at a time, until it is aborted or, if asked for, nothing is left.
 * @throws PixpressError `MACHINE_UNFIT`; the chunk is in the queue again then
 */
export async function takeChunks(
  { redis, bullmq }: Pick<QueueConnection, 'redis' | 'bullmq'>,
  options: TakeOptions,
): Promise<void> {
  const { signal, untilEmpty, onFailed } = options
  const unfit = new AbortController()
  const ending = AbortSignal.any([signal, unfit.signal])
  const state: State = { options, bullmq, unfit, ending, failures: 0 }
  const settings: WorkerOptions = {
    connection: redis,
    prefix: PREFIX,
    lockDuration: LEASE,
    stalledInterval: LEASE / 2,
    maxStalledCount: MOST_STALLED,
    // While Redis is away, the answer for a chunk that is done is kept and sent again.
    runRetryDelay: LOOK_EVERY,
  }
  const worker: Worker<ChunkJob> = new bullmq.Worker(QUEUE, (job, token) => performJob(state, job, token), settings)
  worker.on('error', () => undefined)
  worker.on('failed', (_, error) => onFailed(error))
  try {
    await (untilEmpty ? Promise.race([isEmpty({ redis, bullmq }, ending), aborted(ending)]) : aborted(ending))
  } finally {
    await worker.close()
  }
  if (!signal.aborted) unfit.signal.throwIfAborted()
}

async function performJob(state: State, job: Job, token: string | undefined): Promise<void> {
  const { options, bullmq, unfit, ending } = state
  try {
    await options.perform(parseJob(job.data))
    state.failures = 0
  } catch (error) {
    if ((error as PixpressError).code === 'MACHINE_UNFIT') unfit.abort(error)
    if (ending.aborted) {
      // Whoever is free next goes on with it, at once, and it does not count as a try.
      await job.moveToWait(token)
      throw new bullmq.WaitingError()
    }
    // A machine that cannot reach the bucket would fail chunk after chunk, faster than the others work.
    const rest = Math.min(SHORTEST_REST * 2 ** state.failures++, LONGEST_REST)
    await delay(rest, undefined, { signal: ending }).catch(() => undefined)
    throw error
  }
}

async function isEmpty(connection: Pick<QueueConnection, 'redis' | 'bullmq'>, signal: AbortSignal): Promise<void> {
  const queue = openChunkQueue(connection)
  try {
    while (!signal.aborted) {
      await delay(LOOK_EVERY, undefined, { signal }).catch(() => undefined)
      if ((await queue.pending()) === 0) return
    }
  } finally {
    await queue.close()
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
