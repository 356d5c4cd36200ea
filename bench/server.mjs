import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { serverNode } from '../packages/testkit/src/server-node.js'
import { readCommandLine, wholeNumber } from './options.mjs'
import { imagesBelow } from './images/source-files.mjs'
import { median } from './measure/benchmark.mjs'
import { describeMachine } from './measure/versions.mjs'
import { table } from './report/markdown.mjs'
import { updateReadme } from './report/readme.mjs'
import { KEY, post } from './server/post.mjs'

const USAGE = `What the server costs over calling the engine directly: processor time per large upload, and throughput.
Measures the built packages: run \`pnpm build\` first.

  node server.mjs [options]

  --runs N     measurements of each, in turn; the median counts (default 5)
  --uploads N  uploads of 8 MB per measurement (default 40)
  --json FILE  also writes the result as data
  --update     also writes the result into README.md
  --check      ends with code 1 when a bound is broken`

/**
 * Limits that the server promises: milliseconds of processor time per 8 MB, and its share of the engine's own
 * throughput.
 */
const BOUNDS = { cpu: 10, throughput: 0.9 }

const CONCURRENCY = 2

/** The processes that are measured. */
const CHILDREN = {
  core: new URL('./server/core-child.mjs', import.meta.url),
  server: new URL('./server/server-child.mjs', import.meta.url),
}
const UPLOAD_SIZE = 8_000_000

const options = readOptions()
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
try {
  const large = path.join(folder, 'large.png')
  await writeFile(large, await largeUpload())
  const photos = (await imagesBelow(path.join(import.meta.dirname, '../examples/images'))).filter((file) =>
    /\.(jpg|png|webp)$/.test(file),
  )
  const cpu = { core: [], server: [] }
  const wall = { core: [], server: [] }
  for (let run = 1; run <= options.runs; run++) {
    process.stderr.write(`run ${run} of ${options.runs}\n`)
    const uploads = Array.from({ length: options.uploads }, () => large)
    for (const kind of ['core', 'server']) {
      const measured = await measure(kind, uploads, [large])
      cpu[kind].push(measured.cpu / uploads.length)
    }
    for (const kind of ['core', 'server']) wall[kind].push((await measure(kind, photos, photos.slice(0, 2))).wall)
  }
  await report({ cpu: medians(cpu), wall: medians(wall), photos: photos.length })
} finally {
  await rm(folder, { recursive: true, force: true })
}

/**
 * Makes a small picture with a private chunk of 8 MB, which the engine drops. It measures the transfer of bytes, which
 * the engine's seconds for 8 MB of pixels would hide.
 */
async function largeUpload() {
  const picture = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#2060a0' } })
    .png()
    .toBuffer()
  const end = picture.length - 12
  const type = Buffer.from('prVt')
  const data = randomBytes(UPLOAD_SIZE - picture.length - 12)
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(Buffer.concat([type, data])))
  return Buffer.concat([picture.subarray(0, end), length, type, data, checksum, picture.subarray(end)])
}

/**
 * Measures the child's processor time and the wall time for the files, in milliseconds, after it has been warmed up.
 */
async function measure(kind, files, warmUp) {
  const child = fork(CHILDREN[kind], [String(CONCURRENCY)], {
    execPath: serverNode(),
    env: { ...process.env, PIXPRESS_BENCH_DATA: await mkdtemp(path.join(folder, 'data-')), PIXPRESS_BENCH_KEY: KEY },
  })
  try {
    const { url } = await answer(child)
    const work = url === undefined ? (some) => ask(child, { files: some }) : (some) => upload(url, some)
    await work(warmUp)
    const before = await ask(child, { usage: true })
    const started = performance.now()
    await work(files)
    const elapsed = performance.now() - started
    const after = await ask(child, { usage: true })
    return { cpu: after.cpu - before.cpu, wall: elapsed }
  } finally {
    child.disconnect()
  }
}

/** Uploads twice as many images at once as the engine works on, so that the next image is there when one is done. */
async function upload(url, files) {
  const agent = new http.Agent({ keepAlive: true })
  const waiting = [...files]
  const next = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      await post(url, await readFile(file), agent)
  }
  await Promise.all(Array.from({ length: 2 * CONCURRENCY }, next))
  agent.destroy()
}

function ask(child, message) {
  const answered = answer(child)
  child.send(message)
  return answered
}

function answer(child) {
  return new Promise((resolve, reject) => {
    const onExit = (code) => reject(new Error(`The measured process ended with ${code}.`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message)
    })
  })
}

function medians({ core, server }) {
  return { core: median(core), server: median(server) }
}

async function report({ cpu, wall, photos }) {
  const cost = cpu.server - cpu.core
  const share = wall.core / wall.server
  const perSecond = (time) => ((photos * 1000) / time).toFixed(2)
  const rows = [
    [
      'processor time per upload of 8 MB',
      `${cpu.core.toFixed(1)} ms`,
      `${cpu.server.toFixed(1)} ms`,
      `${cost.toFixed(1)} ms more`,
    ],
    [
      `images a second, ${CONCURRENCY} worked on at once`,
      perSecond(wall.core),
      perSecond(wall.server),
      `${share.toFixed(2)}×`,
    ],
  ]
  const kept = { cpu: cost <= BOUNDS.cpu, throughput: share >= BOUNDS.throughput }
  const date = new Date().toISOString().slice(0, 10)
  const machine = describeMachine(['sharp'])
  const markdown = [
    table(['', 'engine', 'server', 'difference'], rows),
    '',
    `Bounds: at most ${BOUNDS.cpu} ms more (${kept.cpu ? 'kept' : 'broken'}), at least ${BOUNDS.throughput}× the engine's throughput (${kept.throughput ? 'kept' : 'broken'}). Medians of ${options.runs} runs, ${date}.`,
  ].join('\n')
  console.log(markdown)
  if (options.json !== undefined) {
    const result = { version: 1, benchmark: 'server', date, runs: options.runs, machine, cpu, wall, photos, kept }
    await writeFile(options.json, `${JSON.stringify(result, undefined, 2)}\n`)
  }
  if (options.update) await updateReadme('server', markdown)
  if (options.check && !(kept.cpu && kept.throughput)) process.exitCode = 1
}

function readOptions() {
  const known = {
    runs: { type: 'string', default: '5' },
    uploads: { type: 'string', default: '40' },
    json: { type: 'string' },
    update: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  }
  return readCommandLine(USAGE, known, (values) => ({
    ...values,
    runs: wholeNumber('runs', values.runs),
    uploads: wholeNumber('uploads', values.uploads),
  }))
}
