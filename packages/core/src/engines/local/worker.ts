import { parentPort } from 'node:worker_threads'
import { expectOneJobAtATime } from '../../base/counters.ts'
import { freeDropped } from '../../quality/metric/idle-memory.ts'
import { runJob } from '../../work/run.ts'
import { toPlainError } from './messages.ts'
import type { Reply, Request } from './messages.ts'

expectOneJobAtATime()

/** The thread's side of the pool: one job at a time, whose bytes are handed back without a copy. */
parentPort?.on('message', (request: Request) => {
  void answer(request).then((reply) => {
    parentPort?.postMessage(reply, 'result' in reply ? [reply.result.data.buffer as ArrayBuffer] : [])
    freeDropped()
  })
})

async function answer({ id, job }: Request): Promise<Reply> {
  try {
    const result = await runJob(job)
    // A view into a shared slab cannot be moved: the bytes get a buffer of their own.
    const data = new Uint8Array(result.data)
    free(job.source)
    return { id, result: { ...result, data } }
  } catch (error) {
    return { id, error: toPlainError(error) }
  }
}

/**
 * Frees the source's memory at once; left to the garbage collector, every few sources make it search the whole heap.
 * Only after a job that succeeded, which has waited for all that it started: a failed one may have left a decoder
 * running. The method is of ES2024, and Node 20 lacks it.
 */
function free({ buffer }: Uint8Array): void {
  ;(buffer as { transfer?: (length: number) => void }).transfer?.(0)
}
