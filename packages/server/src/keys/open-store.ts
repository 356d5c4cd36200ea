import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { UsageError } from '@pixpress/core/internal'
import { createSqliteCounts } from '../storage/local/sqlite-counts.ts'
import { createSqliteKeys } from '../storage/local/sqlite-keys.ts'
import { openDatabase } from '../storage/local/sqlite.ts'
import type { CompressionCounts, KeyStore } from '../storage/contract.ts'

/** The part of a server's storage that commands about keys need. */
export interface OpenedKeys {
  /** Where the keys are kept, for people: a file, or Redis. Without credentials. */
  readonly place: string
  readonly keys: KeyStore
  readonly counts: CompressionCounts
  close(): Promise<void>
}

/** Where servers keep their keys. */
export interface KeysPlace {
  /** Absolute path of a server's data folder. */
  readonly data: string
  /** `undefined`: the database of the data folder. */
  readonly redisUrl: string | undefined
  /** True to make a database where there is none. */
  readonly isMade: boolean
}

/**
 * Opens the keys of servers, whether or not any of them runs.
 * @throws UsageError where there is no database, PixpressError `IO_FAILED`, BackendUnavailableError
 */
export async function openKeys({ data, redisUrl, isMade }: KeysPlace): Promise<OpenedKeys> {
  if (redisUrl !== undefined) return openSharedKeys(redisUrl)
  const file = path.join(data, 'pixpress.sqlite')
  if (!isMade && !existsSync(file)) {
    throw new UsageError(`There is no database ${file}: give the server's '--data', or '--redis'.`)
  }
  try {
    await mkdir(data, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new PixpressError('IO_FAILED', `The data folder ${data} cannot be made.`, { cause: error })
  }
  const database = await openDatabase(file)
  return {
    place: file,
    keys: createSqliteKeys(database),
    counts: createSqliteCounts(database),
    close: async () => database.close(),
  }
}

async function openSharedKeys(redisUrl: string): Promise<OpenedKeys> {
  // The client of Redis is loaded when it is used.
  const [{ connectRedis }, { createRedisKeys }, { createRedisCounts }] = await Promise.all([
    import('../storage/shared/redis-connection.ts'),
    import('../storage/shared/redis-keys.ts'),
    import('../storage/shared/redis-counts.ts'),
  ])
  const connection = await connectRedis(redisUrl)
  return {
    place: `Redis at ${new URL(redisUrl).host}`,
    keys: createRedisKeys(connection),
    counts: createRedisCounts(connection),
    close: () => connection.close(),
  }
}
