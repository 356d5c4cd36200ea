import { Redis } from 'ioredis'
import { BackendUnavailableError } from '../contract.ts'

/** Milliseconds. A request that waits for longer than this is better answered with 503. */
const CONNECT_TIMEOUT = 5000
const COMMAND_TIMEOUT = 2000

/** Longest pause between attempts to connect again, in milliseconds. */
const LONGEST_PAUSE = 1000

/** The connection that all parts of the backend share, with the way failures are reported. */
export interface RedisConnection {
  readonly redis: Redis
  /** @throws BackendUnavailableError for whatever Redis refuses or does not answer in time */
  attempt<T>(what: string, work: (redis: Redis) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * Connects once, and again by itself whenever the connection is lost. Commands meanwhile fail at once.
 *
 * No command is ever sent twice: one whose answer was lost may have been carried out, and a count must not be added
 * again. Hence no retries and no queues, which ioredis has by default.
 * @param url `redis://` or `rediss://`, with credentials and the number of a database where needed
 * @throws BackendUnavailableError when the first attempt fails, so that a wrong address or password is found at the
 * start
 */
export async function connectRedis(url: string): Promise<RedisConnection> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    commandTimeout: COMMAND_TIMEOUT,
    // Whoever takes packets and never answers (a failed machine) is given up, or the connection would stay for minutes.
    socketTimeout: 2 * COMMAND_TIMEOUT,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (failures) => Math.min(50 * 2 ** Math.min(failures, 10), LONGEST_PAUSE),
    // After a failover the old address may lead to a replica, which refuses to write; a new look finds the primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    connectionName: 'pixpress',
  })
  let lastError: Error | undefined
  // Without a listener Node ends the process. Requests report what they meet; this knows why a connection failed.
  redis.on('error', (error: Error) => {
    lastError = error
  })
  redis.on('ready', () => {
    lastError = undefined
  })

  async function attempt<T>(what: string, work: (client: Redis) => Promise<T>): Promise<T> {
    try {
      return await work(redis)
    } catch (error) {
      throw unavailable(what, redis.status === 'ready' ? error : (lastError ?? error))
    }
  }

  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    throw unavailable('be reached', lastError ?? error)
  }
  return {
    redis,
    attempt,
    async close() {
      try {
        await redis.quit()
      } catch {
        // It is away already; what is left is not to connect again.
        redis.disconnect()
      }
    },
  }
}

function unavailable(what: string, cause: unknown): BackendUnavailableError {
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
  // With `noeviction`, Redis answers so to whatever would need more than its `maxmemory`.
  const full = reason.startsWith('OOM ') ? 'storage' : undefined
  return new BackendUnavailableError(`Redis could not ${what}: ${reason}`, { cause, full })
}
