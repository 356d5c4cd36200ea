import { resolveSettings, startServer } from '../../packages/server/dist/index.js'
import { processorTime } from '../server/usage.mjs'

const { key, redis, s3, accessKeyId, secretAccessKey } = JSON.parse(process.argv[2])
const settings = resolveSettings(
  {
    port: '0',
    key,
    redis,
    s3,
    concurrency: '1',
    queue: '10000',
    rate: 'none',
    'metrics-port': 'none',
    'drain-delay': '1ms',
  },
  { PIXPRESS_S3_ACCESS_KEY_ID: accessKeyId, PIXPRESS_S3_SECRET_ACCESS_KEY: secretAccessKey },
)
const ignore = () => undefined
const server = await startServer(settings, { info: ignore, warn: console.error, error: console.error })
process.on('message', () => process.send(processorTime()))
process.once('disconnect', () => void server.close())
process.send({ url: server.url })
