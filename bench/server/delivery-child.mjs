import path from 'node:path'
import { createLog, resolveSettings, startServer } from '../../packages/server/dist/index.js'
import { processorTime } from './usage.mjs'

const settings = resolveSettings({
  port: '0',
  key: process.env.PIXPRESS_BENCH_KEY,
  data: process.env.PIXPRESS_BENCH_DATA,
  'delivery-key': process.env.PIXPRESS_BENCH_SIGNING_KEY,
  'delivery-source': `photos=${path.join(import.meta.dirname, '../../examples/images')}`,
  'metrics-port': 'none',
  'drain-delay': '1ms',
})
// The log costs what it costs in service.
const server = await startServer(
  settings,
  createLog((line) => process.stdout.write(`${line}\n`)),
)
process.on('message', () => process.send({ cpu: processorTime() }))
process.once('disconnect', () => void server.close())
process.send({ url: server.url })
