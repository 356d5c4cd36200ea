import { randomBytes } from 'node:crypto'
import { connectQueue, openChunkQueue, takeChunks } from '../../packages/batch/dist/index.js'

/**
 * Adds chunks to the queue and takes them without doing anything.
 * @returns milliseconds of processor time for each chunk, of this process and of Redis, to add it and to take it; and
 * the `bytes` that it takes in Redis while it waits
 */
export async function measureQueue(url, count) {
  const connection = await connectQueue(url, () => undefined)
  const queue = openChunkQueue(connection)
  const cpuOfRedis = async () => readCpu(await connection.redis.info('cpu'))
  const batch = randomBytes(8).toString('hex')
  const jobs = Array.from({ length: count }, () => ({
    to: 's3://results/',
    batch,
    chunk: randomBytes(16).toString('hex'),
  }))
  const memory = async () => Number(/used_memory:(\d+)/.exec(await connection.redis.info('memory'))?.[1])
  const before = await memory()
  const added = await measure(() => queue.offer(jobs), cpuOfRedis)
  const bytes = ((await memory()) - before) / count
  let taken = 0
  const settings = { signal: new AbortController().signal, untilEmpty: true, onFailed: () => undefined }
  const perform = async () => void taken++
  const took = await measure(() => takeChunks(connection, { ...settings, perform }), cpuOfRedis)
  await queue.close()
  connection.close()
  if (taken !== count) throw new Error(`${taken} of ${count} chunks were taken.`)
  return { bytes, add: shareOf(added, count), take: shareOf(took, count) }
}

async function measure(work, cpuOfRedis) {
  const [own, redis] = [process.cpuUsage(), await cpuOfRedis()]
  await work()
  const { user, system } = process.cpuUsage(own)
  return { own: (user + system) / 1000, redis: (await cpuOfRedis()) - redis }
}

const shareOf = ({ own, redis }, count) => ({ own: own / count, redis: redis / count })

/** Milliseconds, of the text that Redis gives. */
function readCpu(text) {
  const used = ['sys', 'user'].map((kind) => Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(text)?.[1]))
  return 1000 * used.reduce((sum, each) => sum + each)
}
