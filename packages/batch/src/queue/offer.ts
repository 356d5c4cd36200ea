import type { JobsOptions, Queue } from 'bullmq'
import { PREFIX, QUEUE } from './connect.ts'
import type { QueueConnection } from './connect.ts'
import { jobId } from './job.ts'
import type { ChunkJob } from './job.ts'

/** Jobs that are added by one command. */
const AT_ONCE = 500

/** Jobs that have failed for good are kept, so that a person can be told why. */
const MOST_FAILED = 1000

/** Records say what is done, so that the queue forgets it. */
const JOB: JobsOptions = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 5000 },
  removeOnComplete: true,
  removeOnFail: { count: MOST_FAILED },
}

/** A job that was tried as often as it may be. */
export interface FailedJob {
  readonly chunk: string
  readonly reason: string
}

/** The queue as seen by who lets others work. */
export interface ChunkQueue {
  /** Adds chunks; one that is waiting or worked on already stays as it is. */
  offer(jobs: readonly ChunkJob[]): Promise<void>
  /** Has the failed chunks of a batch tried again. */
  retryFailed(batch: string): Promise<void>
  /** Returns the chunks of a batch that failed for good. */
  failed(batch: string): Promise<FailedJob[]>
  /** Chunks of all batches that wait or are worked on. */
  pending(): Promise<number>
  close(): Promise<void>
}

/** Opens the queue to add chunks. */
export function openChunkQueue({ redis, bullmq }: Pick<QueueConnection, 'redis' | 'bullmq'>): ChunkQueue {
  const queue: Queue<ChunkJob> = new bullmq.Queue(QUEUE, { connection: redis, prefix: PREFIX })
  // Without a listener Node ends the process; the connection tells of its own troubles.
  queue.on('error', () => undefined)
  const failedOf = async (batch: string): Promise<Awaited<ReturnType<typeof queue.getFailed>>> =>
    (await queue.getFailed(0, MOST_FAILED)).filter((job) => job?.id?.startsWith(`${batch}-`))
  return {
    async offer(jobs) {
      for (let at = 0; at < jobs.length; at += AT_ONCE) {
        const some = jobs.slice(at, at + AT_ONCE)
        await queue.addBulk(some.map((data) => ({ name: 'chunk', data, opts: { ...JOB, jobId: jobId(data) } })))
      }
    },
    async retryFailed(batch) {
      for (const job of await failedOf(batch)) await job.retry('failed', { resetAttemptsMade: true })
    },
    failed: async (batch) =>
      (await failedOf(batch)).map(({ data, failedReason }) => ({ chunk: data.chunk, reason: failedReason })),
    pending: () => queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized'),
    close: () => queue.close(),
  }
}
