import { pathToFileURL } from 'node:url'
import path from 'node:path'

// The server of the build that is measured, with the settings of a machine of two processors and two accounts.
const [, , build] = process.argv
const { resolveSettings, startServer } = await import(pathToFileURL(path.join(build, 'index.js')).href)
const settings = resolveSettings({
  port: '0',
  key: process.env.PIXPRESS_BENCH_KEYS,
  data: process.env.PIXPRESS_BENCH_DATA,
  concurrency: '2',
  rate: 'none',
  'metrics-port': 'none',
  'drain-delay': '1ms',
  'drain-timeout': '1ms',
})
const ignore = () => undefined
const server = await startServer(settings, { info: ignore, warn: ignore, error: console.error })
process.once('disconnect', () => void server.close().then(() => process.exit()))
process.send({ url: server.url })
