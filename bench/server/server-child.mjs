import { resolveSettings, startServer } from '../../packages/server/dist/index.js'
import { processorTime } from './usage.mjs'

const settings = resolveSettings({
  port: '0',
  key: process.env.PIXPRESS_BENCH_KEY,
  data: process.env.PIXPRESS_BENCH_DATA,
  concurrency: process.argv[2],
  rate: 'none',
  'metrics-port': 'none',
  'drain-delay': '1ms',
})
const ignore = () => undefined
const server = await startServer(settings, { info: ignore, warn: console.error, error: console.error })
process.on('message', () => process.send({ cpu: processorTime() }))
process.once('disconnect', () => void server.close())
process.send({ url: server.url })
