import { toPlainError } from './messages.ts'
import type { Reply, Request } from './messages.ts'
import { createPool } from './pool.ts'

/** The other side of `createProcess`: a pool of threads, and nothing else. It ends when nobody listens any more. */
const pool = createPool(Number(process.argv[2]))

process.on('message', (request: Request) => {
  void answer(request).then((reply) => {
    if (process.connected) process.send?.(reply)
  })
})
process.on('disconnect', () => process.exit())
// A terminal sends the signal to all its processes: the process that gave the work decides about it.
process.on('SIGINT', () => undefined)
process.send?.('ready')

async function answer({ id, job }: Request): Promise<Reply> {
  try {
    return { id, result: await pool.run(job) }
  } catch (error) {
    return { id, error: toPlainError(error) }
  }
}
