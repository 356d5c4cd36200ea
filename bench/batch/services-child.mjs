import { makeBucket } from '../../packages/testkit/src/bucket.ts'
import { startRadosgw } from '../../packages/testkit/src/radosgw.ts'
import { startRedis } from '../../packages/testkit/src/redis.ts'

/** Runs a Redis, which the parent has started again, and two buckets until the parent disconnects. */
const redis = await startRedis()
const gateway = await startRadosgw()
await makeBucket(gateway, 'sources')
await makeBucket(gateway, 'results')
const ACTIONS = {
  async restart() {
    await redis.down()
    await redis.up()
  },
}
process.on('message', async (name) => process.send({ value: await ACTIONS[name]() }))
process.once('disconnect', async () => {
  await redis.stop()
  await gateway.stop()
})
const { endpoint, accessKeyId, secretAccessKey } = gateway
process.send({ redis: redis.url, s3: endpoint, accessKeyId, secretAccessKey })
