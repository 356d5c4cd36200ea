import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { deliveryUrl } from '../packages/client/dist/delivery.js'
import { serverNode } from '../packages/testkit/src/server-node.js'
import { median } from './measure/benchmark.mjs'
import { describeMachine } from './measure/versions.mjs'
import { readCommandLine, wholeNumber } from './options.mjs'
import { table } from './report/markdown.mjs'
import { updateReadme } from './report/readme.mjs'
import { KEY } from './server/post.mjs'

const USAGE = `What a delivered picture costs that the server has in memory: processor time per request.
Measures the built packages: run \`pnpm build\` first.

  node delivery.mjs [options]

  --runs N      measurements of each, in turn; the median counts (default 5)
  --requests N  requests of each per measurement (default 10000)
  --json FILE   also writes the result as data
  --update      also writes the result into README.md
  --check       ends with code 1 when the bound is broken`

/** Pictures that a processor delivers in a second, at the least. */
const BOUND = 2000

const SIGNING_KEY = 'only-benchmarks-use-this-signing-key'
const CONNECTIONS = 16

/** `Accept` of a browser with AVIF and WebP. */
const ACCEPT = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

const options = readOptions()
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
const child = fork(new URL('server/delivery-child.mjs', import.meta.url), {
  execPath: serverNode(),
  env: {
    ...process.env,
    PIXPRESS_BENCH_KEY: KEY,
    PIXPRESS_BENCH_DATA: folder,
    PIXPRESS_BENCH_SIGNING_KEY: SIGNING_KEY,
  },
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
})
child.stdout.resume()
try {
  const [{ url: endpoint }] = await once(child, 'message')
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const url = await deliveryUrl('photos/dahlia.jpg', { w: 640 }, { endpoint, key: SIGNING_KEY })
  const { bytes, etag } = await get(url, {}, { agent, status: 200 })
  const kinds = {
    [`a picture of ${Math.round(bytes / 1000)} kB`]: { headers: {}, status: 200 },
    'the answer that it is the same (304)': { headers: { 'If-None-Match': etag }, status: 304 },
    'a wrong signature (403)': { headers: {}, status: 403, url: url.replace('/w=640', '/w=641') },
  }
  const cpu = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]))
  for (let run = 1; run <= options.runs; run++) {
    process.stderr.write(`run ${run} of ${options.runs}\n`)
    for (const [name, kind] of Object.entries(kinds)) cpu[name].push(await measure({ url, ...kind }, agent))
  }
  await report(cpu)
} finally {
  child.disconnect()
  await once(child, 'exit')
  await rm(folder, { recursive: true, force: true })
}

/** Returns the processor time of the server per request, in milliseconds. */
async function measure({ url, headers, status }, agent) {
  const before = await processorTime()
  let left = options.requests
  const client = async () => {
    while (left-- > 0) await get(url, headers, { agent, status })
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  return ((await processorTime()) - before) / options.requests
}

async function processorTime() {
  child.send('usage')
  const [{ cpu }] = await once(child, 'message')
  return cpu
}

/** @throws Error when the server answers with another status */
function get(url, headers, { agent, status }) {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { Accept: ACCEPT, ...headers } }, (response) => {
      let bytes = 0
      response.on('data', (piece) => (bytes += piece.length))
      if (response.statusCode !== status) reject(new Error(`The server answered ${response.statusCode}.`))
      response.once('end', () => resolve({ bytes, etag: response.headers.etag }))
    })
    request.once('error', reject)
  })
}

async function report(cpu) {
  const names = Object.keys(cpu)
  const medians = Object.fromEntries(names.map((name) => [name, median(cpu[name])]))
  const perSecond = (name) => Math.round(1000 / medians[name])
  const isKept = perSecond(names[0]) >= BOUND
  const date = new Date().toISOString().slice(0, 10)
  const rows = names.map((name) => [name, `${medians[name].toFixed(2)} ms`, String(perSecond(name))])
  const markdown = [
    table(['from memory', 'processor time', 'a second and processor'], rows),
    '',
    `Bound: at least ${BOUND} pictures a second and processor (${isKept ? 'kept' : 'broken'}). Medians of ${options.runs} runs of ${options.requests} requests, ${date}.`,
  ].join('\n')
  console.log(markdown)
  if (options.json !== undefined) {
    const result = { version: 1, benchmark: 'delivery', date, machine: describeMachine([]), cpu, kept: isKept }
    await writeFile(options.json, `${JSON.stringify(result, undefined, 2)}\n`)
  }
  if (options.update) await updateReadme('delivery', markdown)
  if (options.check && !isKept) process.exitCode = 1
}

function readOptions() {
  const known = {
    runs: { type: 'string', default: '5' },
    requests: { type: 'string', default: '10000' },
    json: { type: 'string' },
    update: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  }
  return readCommandLine(USAGE, known, (values) => ({
    ...values,
    runs: wholeNumber('runs', values.runs),
    requests: wholeNumber('requests', values.requests),
  }))
}
