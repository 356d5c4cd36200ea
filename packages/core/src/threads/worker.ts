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
    return { id, result: { ...result, data: new Uint8Array(result.data) } }
  } catch (error) {
    return { id, error: toPlainError(error) }
  }
}
