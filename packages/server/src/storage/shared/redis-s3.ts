import { connectRedis } from './redis-connection.ts'
import { createRedisCounts } from './redis-counts.ts'
import { createRedisKeys } from './redis-keys.ts'
import { createRedisLeases } from './redis-leases.ts'
import { createRedisRate } from './redis-rate.ts'
import { createRedisRecords } from './redis-records.ts'
import { createS3Bytes } from './s3-bytes.ts'
import { createS3CacheEntries } from './s3-cache-entries.ts'
import type { Backend, SharedBackendSettings } from '../contract.ts'

/** Milliseconds for which a bucket that has answered is not asked again: requests to it cost money. */
const BUCKET_ASKED_EVERY = 10_000

/**
 * Opens the storage that any number of machines share: counts, rate limit and records in Redis (6.0 or newer, or
 * Valkey), images in an S3 bucket. Redis itself and a lifecycle rule of the bucket remove expired data.
 * @throws BackendUnavailableError when one of them cannot be used from the start
 */
export async function openSharedBackend({ redisUrl, bucket }: SharedBackendSettings): Promise<Backend> {
  const bytes = createS3Bytes(bucket)
  const connection = await connectRedis(redisUrl)
  let bucketSeen = Number.NEGATIVE_INFINITY

  async function ready(): Promise<void> {
    await connection.attempt('answer', (redis) => redis.ping())
    if (performance.now() - bucketSeen < BUCKET_ASKED_EVERY) return
    await bytes.ready()
    bucketSeen = performance.now()
  }

  try {
    await ready()
  } catch (error) {
    await connection.close()
    throw error
  }
  return {
    name: 'redis+s3',
    keys: createRedisKeys(connection),
    counts: createRedisCounts(connection),
    rate: createRedisRate(connection),
    records: createRedisRecords(connection),
    bytes,
    cache: createS3CacheEntries(bucket, 'cache'),
    delivered: createS3CacheEntries(bucket, 'delivery'),
    leases: createRedisLeases(connection),
    ready,
    sweep: () => Promise.resolve(0),
    close: connection.close,
  }
}
