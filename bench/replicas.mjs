import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { makeSmallImages } from './images/small-images.mjs'
import { imagesBelow } from './images/source-files.mjs'
import { describeMachine } from './measure/versions.mjs'
import { countBucket } from './replicas/counting-bucket.mjs'
import { answer, measureServers, startChild } from './replicas/servers.mjs'
import { measureSharedCache } from './replicas/shared-cache.mjs'
import { table } from './report/markdown.mjs'
import { updateReadme } from './report/readme.mjs'

const USAGE = `What a million images a day take: servers with Redis and a bucket, each of which works on one image at a time – one, and two
of which each gets half – and \`pixpress compress\` with a bucket as the shared cache.
Starts redis-server and radosgw (Debian's packages redis-server, radosgw and ceph-osd), and measures the built packages: run
\`pnpm build\` first.

  node replicas.mjs [options]

  --small N     small images, of 5 to 20 kB (default 300)
  --large N     photographs of 0.3 and of 1.2 megapixels, each (default 36)
  --price N     money for an hour of one processor (default 0.04)
  --storage N   money for a gigabyte in the bucket for a month (default 0.025)
  --writes N    money for a thousand PUT requests (default 0.005)
  --reads N     money for a thousand GET and HEAD requests (default 0.0005)
  --json FILE   also writes the figures as data
  --update      also writes the result into README.md`

const MILLION = 1_000_000
const PRICES = { price: '0.04', storage: '0.025', writes: '0.005', reads: '0.0005' }
/** Numbers of servers. */
const SERVERS = [1, 2]

const options = readOptions()
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
const services = startChild('services-child.mjs')
let bucket
try {
  const { s3, ...where } = await answer(services)
  bucket = await countBucket(s3)
  const kinds = await makeImages()
  const rows = []
  for (const [kind, images] of kinds) {
    for (const servers of SERVERS) {
      process.stderr.write(`${kind}: ${servers}\n`)
      rows.push({ kind, images: images.length, servers, ...(await measureServers(where, bucket, images, servers)) })
    }
  }
  const [[, small]] = kinds
  const runs = await measureSharedCache(small, path.join(folder, 'project'), bucket, where)
  await report(
    rows,
    runs.map((run) => ({ ...run, images: small.length })),
  )
} finally {
  bucket?.close()
  services.disconnect()
  await rm(folder, { recursive: true, force: true })
}

async function makeImages() {
  const small = path.join(folder, 'small')
  await mkdir(small)
  await makeSmallImages(small, options.small)
  const files = (await readdir(small)).toSorted().map((name) => readFile(path.join(small, name)))
  return [
    ['5–20 kB', await Promise.all(files)],
    ['0.3 MP', await photographs(640, 480)],
    ['1.2 MP', await photographs(1280, 960)],
  ]
}

/** Makes cuts of the example photographs, each at another place. */
async function photographs(width, height) {
  const all = await imagesBelow(path.resolve(import.meta.dirname, '../examples/images'))
  const files = all.filter((file) => file.endsWith('.jpg'))
  return Promise.all(
    Array.from({ length: options.large }, async (_, index) => {
      const photo = sharp(files[index % files.length]).resize(width + 8 * index, height + 8 * index, { fit: 'cover' })
      const pixels = sharp(await photo.png().toBuffer())
      const cut = pixels.extract({ left: 7 * index, top: 7 * index, width, height })
      return cut.jpeg({ quality: 92 }).toBuffer()
    }),
  )
}

async function report(rows, runs) {
  const machine = describeMachine(['sharp'])
  const date = new Date().toISOString().slice(0, 10)
  const markdown = [
    `One run, ${date}, on ${machine.cores} processors (${machine.cpu}), which servers, clients, Redis and the bucket share. Prices: ` +
      `${options.price} for an hour of a processor, ${options.storage} for a gigabyte and month, ${options.writes} for a thousand PUT, ` +
      `${options.reads} for a thousand GET or HEAD.`,
    table(
      ['images', 'servers', 'images a second', 'processor time each'],
      rows.map((row) => [
        row.kind,
        row.servers,
        ((row.images * 1000) / row.wall).toFixed(1),
        `${(row.cpu / row.images).toFixed(1)} ms`,
      ]),
    ),
    table(
      [
        'a million',
        'processors for a day',
        'money for them',
        'PUT',
        'GET, HEAD',
        'money for requests',
        'kept',
        'money a month',
      ],
      [
        ...rows.filter(({ servers }) => servers === 1).map((row) => [`${row.kind}, service`, ...costs(row)]),
        ...runs.map((run) => [`5–20 kB, compress, ${run.name}`, ...costs(run)]),
      ],
    ),
  ].join('\n\n')
  console.log(markdown)
  if (options.json !== undefined) {
    const { price, storage, writes, reads } = options
    const prices = { price, storage, writes, reads }
    const result = { version: 1, benchmark: 'replicas', date, machine, prices, servers: rows, compress: runs }
    await writeFile(options.json, `${JSON.stringify(result, undefined, 2)}\n`)
  }
  if (options.update) await updateReadme('replicas', markdown)
}

/** Cost of a million of these images: processors, requests, bytes in the bucket, and their price. */
function costs({ cpu, images, PUT, GET, HEAD, bytes }) {
  const hours = ((cpu / images) * MILLION) / 3_600_000
  const [writes, reads] = [(PUT / images) * MILLION, ((GET + HEAD) / images) * MILLION]
  const gigabytes = ((bytes / images) * MILLION) / 1e9
  return [
    (hours / 24).toFixed(2),
    (hours * options.price).toFixed(2),
    `${(writes / MILLION).toFixed(2)} million`,
    `${(reads / MILLION).toFixed(2)} million`,
    ((writes * options.writes + reads * options.reads) / 1000).toFixed(2),
    `${gigabytes.toFixed(1)} GB`,
    (gigabytes * options.storage).toFixed(2),
  ]
}

function readOptions() {
  const text = { type: 'string' }
  const flag = { type: 'boolean', default: false }
  const prices = Object.fromEntries(Object.entries(PRICES).map(([name, value]) => [name, { ...text, default: value }]))
  const counts = { small: { ...text, default: '300' }, large: { ...text, default: '36' } }
  try {
    const { values } = parseArgs({ options: { ...counts, ...prices, json: text, update: flag, help: flag } })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    for (const name of Object.keys(counts)) {
      if (!/^[1-9]\d*$/.test(values[name]))
        throw new Error(`--${name} takes a whole number from 1, not '${values[name]}'.`)
    }
    for (const name of Object.keys(prices)) {
      if (!(Number(values[name]) >= 0))
        throw new Error(`--${name} takes a number of at least 0, not '${values[name]}'.`)
    }
    const numbers = [...Object.keys(counts), ...Object.keys(prices)].map((name) => [name, Number(values[name])])
    return { ...values, ...Object.fromEntries(numbers) }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}
