import { makeBucket } from '../../packages/testkit/src/bucket.ts'
import { startRadosgw } from '../../packages/testkit/src/radosgw.ts'
import { startRedis } from '../../packages/testkit/src/redis.ts'

/** Runs a Redis and a bucket until the parent disconnects. */
const redis = await startRedis()
const gateway = await startRadosgw()
await makeBucket(gateway, 'outputs')
process.once('disconnect', async () => {
  await redis.stop()
  await gateway.stop()
})
const { endpoint, accessKeyId, secretAccessKey } = gateway
process.send({ redis: redis.url, s3: `${endpoint}/outputs`, accessKeyId, secretAccessKey })
