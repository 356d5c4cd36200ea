import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { fork } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createStatusReader, openDestination, readRecord } from '../packages/batch/dist/index.js'
import { serverNode } from '../packages/testkit/src/server-node.js'
import { measureQueue } from './batch/queue-cost.mjs'
import { putSources } from './batch/sources.mjs'
import { runBatch, startWorker } from './batch/workers.mjs'
import { describeMachine } from './measure/versions.mjs'
import { countBucket, counted } from './replicas/counting-bucket.mjs'
import { table, wholeMegabytes } from './report/markdown.mjs'
import { updateReadme } from './report/readme.mjs'

const USAGE = `What \`pixpress batch\` keeps when workers are killed: small objects of one bucket go to another by a queue and three workers, of
which two are killed with SIGKILL, and Redis is started again on the way. Counts each object in the records, runs the batch once more, and
measures the queue alone. Starts redis-server and radosgw (Debian's packages redis-server, radosgw and ceph-osd), and measures the built
packages: run \`pnpm build\` first.

  node batch.mjs [options]

  --objects N   objects in the bucket (default 10000)
  --chunk N     objects of a chunk (default 200)
  --lossless    recompresses JPEGs without loss, which takes a tenth of the time, instead of making WebP
  --jobs N      chunks that the queue alone is measured with (default 5000)
  --json FILE   also writes the figures as data
  --update      also writes the result into README.md; with --lossless into its second table`

/** Parts of the objects after which something happens. */
const EVENTS = [
  [0.2, 'the first worker is killed'],
  [0.4, 'Redis is started again'],
  [0.6, 'the second worker is killed'],
]

const options = readOptions()
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
const services = fork(path.join(import.meta.dirname, 'batch/services-child.mjs'), {
  execPath: serverNode(),
  execArgv: ['--experimental-strip-types', '--no-warnings'],
})
let bucket
try {
  const { redis, s3, accessKeyId, secretAccessKey } = await answer()
  const access = { endpoint: s3, region: 'us-east-1', accessKeyId, secretAccessKey, sessionToken: undefined }
  bucket = await countBucket(s3)
  tell(`putting ${options.objects} objects`)
  await putSources(access, options.objects)
  const environment = {
    ...process.env,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL_S3: bucket.url,
    PIXPRESS_QUEUE: redis,
  }
  const first = await runWithLosses(environment, access)
  const records = await countRecords(access, first.batch.status.batch)
  tell('the second run')
  const second = await runAgain(environment)
  tell('the queue alone')
  const queue = await measureQueue(redis, options.jobs)
  await report({ first, second, records, queue })
} finally {
  bucket?.close()
  services.disconnect()
  await rm(folder, { recursive: true, force: true })
}

function batchArguments() {
  const operations = options.lossless ? ['--lossless'] : ['--convert', 'webp']
  return ['--from', 's3://sources', '--to', 's3://results', ...operations, '--chunk', String(options.chunk)]
}

/** Three workers on one cache, as machines with a shared one have it. */
async function runWithLosses(environment, access) {
  const before = bucket.counts()
  const batch = runBatch(batchArguments(), environment)
  const cache = ['--cache-dir', path.join(folder, 'cache'), '--concurrency', '1']
  const workers = Array.from({ length: 3 }, () => startWorker(cache, environment))
  const actions = [() => workers[0].child.kill('SIGKILL'), () => ask('restart'), () => workers[1].child.kill('SIGKILL')]
  const destination = openDestination('s3://results', { cwd: '/', access: () => access })
  const events = watch(destination, actions)
  const done = await batch
  await events
  workers[2].child.kill('SIGTERM')
  await Promise.all(workers.map(({ ended }) => ended))
  return { batch: done, memory: workers[2].memory, ...counted(before, bucket.counts()) }
}

async function watch(destination, actions) {
  const waiting = EVENTS.map(([share, name], index) => ({ share, name, act: actions[index] }))
  let reader
  while (waiting.length > 0) {
    await delay(500)
    reader ??= await findBatch(destination)
    const { images } = (await reader?.read()) ?? { images: { all: 0, done: 0 } }
    if (images.all === 0 || images.done < waiting[0].share * images.all) continue
    const { name, act } = waiting.shift()
    tell(`${images.done} of ${images.all}: ${name}`)
    await act()
  }
}

async function findBatch(destination) {
  for await (const key of destination.keys('.pixpress-batch/listings/'))
    return createStatusReader(destination, path.basename(key, '.jsonl'))
}

async function runAgain(environment) {
  const before = bucket.counts()
  const { status, cpu, wall } = await runBatch(batchArguments(), environment)
  return { status, cpu, wall, ...counted(before, bucket.counts()) }
}

/** Counts how often each object is in a record, and which results there are. */
async function countRecords(access, batch) {
  const destination = openDestination('s3://results', { cwd: '/', access: () => access })
  const times = new Map()
  let fromCache = 0
  let records = 0
  const folderOfRecords = `.pixpress-batch/${batch}/`
  for await (const key of destination.keys(folderOfRecords)) {
    const { summary, images } = await readRecord(destination, batch, path.basename(key, '.json'))
    records++
    fromCache += summary.images - summary.encoded
    for (const image of images) times.set(image.key, (times.get(image.key) ?? 0) + (image.output === undefined ? 0 : 1))
  }
  let results = 0
  for await (const key of destination.keys('')) if (!key.startsWith('.pixpress-batch/')) results++
  const often = [...times.values()]
  return {
    records,
    once: often.filter((count) => count === 1).length,
    more: often.filter((count) => count > 1).length,
    results,
    fromCache,
  }
}

function number(value) {
  return value.toLocaleString('en')
}

/** The thousandth part of a time in milliseconds. */
function microseconds(ms) {
  return `${ms.toFixed(2)} µs`
}

async function report({ first, second, records, queue }) {
  const machine = describeMachine(['sharp'])
  const date = new Date().toISOString().slice(0, 10)
  const { images } = first.batch.status
  const markdown = [
    `One run, ${date}, on ${machine.cores} processors (${machine.cpu}) with Node ${machine.node}, which workers, Redis and the bucket share. ` +
      `${number(options.objects)} JPEGs of 64 × 48 pixels, ${options.lossless ? 'recompressed without loss' : 'to WebP'}, in chunks of about ${number(options.chunk)}.`,
    table(
      ['of all objects', 'count'],
      [
        ['listed', number(images.all)],
        ['in just one record', number(records.once)],
        ['in more than one record', number(records.more)],
        ['results in the bucket', number(records.results)],
        ['failed', number(images.failed)],
        ['encoded by a worker that was killed, and taken from the cache', number(records.fromCache)],
        ['records (chunks)', number(records.records)],
      ],
    ),
    table(
      ['run', 'wall', '`PUT`', '`GET`', '`HEAD`'],
      [
        [
          'first',
          `${(first.batch.wall / 1000).toFixed(0)} s`,
          number(first.PUT),
          number(first.GET),
          number(first.HEAD),
        ],
        ['second', `${(second.wall / 1000).toFixed(1)} s`, number(second.PUT), number(second.GET), number(second.HEAD)],
      ],
    ),
    table(
      ['memory of the worker that lived', 'MB'],
      quarters(first.memory).map(([name, bytes]) => [name, wholeMegabytes(bytes)]),
    ),
    table(
      ['the queue alone', 'for a chunk', 'for an image, of 1,000 a chunk'],
      [
        ['memory of Redis', `${Math.round(queue.bytes)} bytes`, `${(queue.bytes / 1000).toFixed(2)} bytes`],
        ...['add', 'take'].flatMap((step) =>
          ['own', 'redis'].map((who) => [
            `${step}: processor time of ${who === 'own' ? 'the process' : 'Redis'}`,
            `${queue[step][who].toFixed(3)} ms`,
            microseconds(queue[step][who]),
          ]),
        ),
      ],
    ),
  ].join('\n\n')
  console.log(markdown)
  if (options.json !== undefined) {
    const result = { version: 1, benchmark: 'batch', date, machine, options, first, second, records, queue }
    await writeFile(options.json, `${JSON.stringify(result, undefined, 2)}\n`)
  }
  if (options.update) await updateReadme(options.lossless ? 'batch-lossless' : 'batch', markdown)
}

/** The mean of each quarter of the time. */
function quarters(memory) {
  const alive = memory.filter((bytes) => bytes > 0)
  const length = Math.max(1, Math.floor(alive.length / 4))
  return ['first', 'second', 'third', 'last'].map((name, index) => {
    const part = alive.slice(index * length, (index + 1) * length)
    return [`${name} quarter of its time`, part.reduce((sum, bytes) => sum + bytes, 0) / Math.max(1, part.length)]
  })
}

function answer() {
  return new Promise((resolve, reject) => {
    services.once('message', resolve)
    services.once('exit', (code) => reject(new Error(`The services ended with ${code}.`)))
  })
}

async function ask(name) {
  const answered = answer()
  services.send(name)
  return (await answered).value
}

function tell(text) {
  process.stderr.write(`${text}\n`)
}

function readOptions() {
  const flag = { type: 'boolean', default: false }
  const text = { type: 'string' }
  const counts = { objects: '10000', chunk: '200', jobs: '5000' }
  try {
    const { values } = parseArgs({
      options: {
        ...Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, { ...text, default: value }])),
        lossless: flag,
        json: text,
        update: flag,
        help: flag,
      },
    })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    for (const name of Object.keys(counts)) {
      if (!/^[1-9]\d*$/.test(values[name]))
        throw new Error(`--${name} takes a whole number from 1, not '${values[name]}'.`)
      values[name] = Number(values[name])
    }
    return values
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}
