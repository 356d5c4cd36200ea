import { parentPort } from 'node:worker_threads'
import { runJob } from '../engine/run.ts'
import { toPlainError } from './messages.ts'
import type { Reply, Request } from './messages.ts'

/** The thread's side of the pool: one job at a time, bytes moved back without a copy. */
parentPort?.on('message', (request: Request) => {
  void answer(request).then((reply) => {
    parentPort?.postMessage(reply, 'result' in reply ? [reply.result.data.buffer as ArrayBuffer] : [])
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
 * Gives the source's memory back at once. Left to the garbage collector, every few sources make it search the whole heap.
 * Only after a job that succeeded, which has waited for all that it began: what failed may have left a decoder at work.
 * By a method of ES2024, which Node 20 lacks.
 */
function free({ buffer }: Uint8Array): void {
  ;(buffer as { transfer?: (length: number) => void }).transfer?.(0)
}
