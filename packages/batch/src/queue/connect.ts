import { PixpressError } from '@pixpress/core'
import { UsageError } from '@pixpress/core/internal'
import type { Redis } from 'ioredis'

/** The name of the queue in Redis. */
export const QUEUE = 'chunks'

/** The beginning of its keys. */
export const PREFIX = 'pixpress-batch'

/** Milliseconds of the first attempt to connect, and the longest pause between later ones. */
const CONNECT_TIMEOUT = 5000
const LONGEST_PAUSE = 2000

/** A connection to Redis or Valkey, with the library of the queue. */
export interface QueueConnection {
  readonly redis: Redis
  readonly bullmq: typeof import('bullmq')
  close(): void
}

/**
 * Connects to the queue. Its library is loaded here, as nothing else needs it. A connection that is lost later is made
 * again, for as long as that takes: commands wait meanwhile.
 * @param onTrouble told one plain sentence each time that the connection is lost
 * @throws UsageError for another URL, or without the library; PixpressError `REMOTE_UNAVAILABLE` where nothing answers
 */
export async function connectQueue(url: string, onTrouble: (message: string) => void): Promise<QueueConnection> {
  if (!/^rediss?:\/\//.test(url))
    throw new UsageError("Expected redis://host:port or rediss://host:port for '--queue'.")
  const { Redis: Client, bullmq } = await loadLibraries()
  const redis = new Client(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    maxRetriesPerRequest: null,
    retryStrategy: (failures) => Math.min(50 * 2 ** Math.min(failures, 10), LONGEST_PAUSE),
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    connectionName: 'pixpress-batch',
  })
  let reason: string | undefined
  let isConnected = false
  redis.on('error', (error: Error & { code?: string }) => {
    reason = error.code ?? error.message
  })
  redis.on('close', () => {
    if (isConnected) onTrouble(`The queue is away${reason === undefined ? '' : ` (${reason})`}; it is waited for.`)
    isConnected = false
  })
  redis.on('ready', () => {
    isConnected = true
    reason = undefined
  })
  await redis.connect().catch((error: Error) => {
    redis.disconnect()
    throw new PixpressError('REMOTE_UNAVAILABLE', `The queue cannot be reached: ${reason ?? error.message}.`)
  })
  return {
    redis,
    bullmq,
    close() {
      isConnected = false
      redis.disconnect()
    },
  }
}

/** Optional dependencies: package managers may leave them out. */
async function loadLibraries(): Promise<{ Redis: typeof Redis; bullmq: typeof import('bullmq') }> {
  try {
    const [{ Redis: Client }, bullmq] = await Promise.all([import('ioredis'), import('bullmq')])
    return { Redis: Client, bullmq }
  } catch (error) {
    throw new UsageError(`The queue's library is not installed (npm install bullmq ioredis): ${String(error)}`)
  }
}
