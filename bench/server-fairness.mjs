import { fork } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { serverNode } from '../packages/testkit/src/server-node.js'
import { makeLargePhotographs } from './images/large-photographs.mjs'
import { watchMemory } from './measure/tree-memory.mjs'
import { describeMachine } from './measure/versions.mjs'
import { readCommandLine, wholeNumber } from './options.mjs'
import { ratio, table, wholeMegabytes } from './report/markdown.mjs'
import { updateReadme } from './report/readme.mjs'

const USAGE = `What an account waits for while another one has sent many large pictures at once, and the memory that takes: the time of
its pictures alone and behind them, and the peak of all processes; then the peak with flat PNGs of 36 megapixels at once.
Measures the built packages, with two processors: run \`pnpm build\` first.

  node server-fairness.mjs [options]

  --large N      photographs of 12 megapixels that account A sends at once (default 50)
  --small N      pictures of 200 kB that account B sends one after the other (default 20)
  --flat N       flat PNGs of 36 megapixels that come at once (default 20)
  --before DIST  also measures the server of another build: the folder \`packages/server/dist\` of a checkout
  --json FILE    also writes the result as data
  --update       also writes the result into README.md
  --check        ends with code 1 when a bound is broken`

/**
 * Limits that the server promises: how many times as long as alone a picture takes behind another account's, and bytes
 * at the peak.
 */
const BOUNDS = { slowdown: 3, memory: 600e6, flatMemory: 1.2e9 }

const OWN = path.join(import.meta.dirname, '../packages/server/dist')

/** The key of each account, as in `A=…`. */
const KEYS = { A: 'bench-key-of-a', B: 'bench-key-of-b' }

/** A picture of 200 kB, and the side of a square of 36 megapixels. */
const SMALL = path.join(import.meta.dirname, '../examples/images/temple.jpg')
const FLAT_SIDE = 6000

/** Milliseconds from the last of A's uploads until B begins, so that all of them have arrived. */
const SETTLED = 2000

const options = readOptions()
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
try {
  const photographs = await makeLargePhotographs(path.join(folder, 'large'), {
    from: path.join(import.meta.dirname, '../examples/images'),
    count: options.large,
  })
  const images = {
    large: await Promise.all(photographs.map((name) => readFile(path.join(folder, 'large', name)))),
    small: await readFile(SMALL),
    flat: await flatPng(),
  }
  const results = {}
  if (options.before !== undefined) results.before = await measure(path.resolve(options.before), images)
  results.now = await measure(OWN, images)
  await report(results, images)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Makes a picture that is small as a file and large in memory: 140 kB of one colour. */
function flatPng() {
  return sharp({ create: { width: FLAT_SIDE, height: FLAT_SIDE, channels: 3, background: '#2060a0' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
}

async function measure(build, images) {
  const load = await withServer(build, async (url) => {
    for (let i = 0; i < 3; i++) await post(url, images.small, 'B')
    const alone = await oneByOne(url, images.small)
    const largeOnes = images.large.map((image) => post(url, image, 'A'))
    await new Promise((resolve) => setTimeout(resolve, SETTLED))
    const behind = await oneByOne(url, images.small)
    return { alone, behind, large: await Promise.all(largeOnes) }
  })
  const flat = await withServer(build, (url) =>
    Promise.all(Array.from({ length: options.flat }, () => post(url, images.flat, 'A'))),
  )
  const answers = [...load.value.alone, ...load.value.behind, ...load.value.large, ...flat.value]
  return {
    alone: times(load.value.alone),
    behind: times(load.value.behind),
    large: counted(load.value.large),
    memory: load.memory,
    flat: counted(flat.value),
    flatMemory: flat.memory,
    unanswered: answers.filter(({ status }) => status === 0).length,
  }
}

/** Runs something with a server of its own, whose memory is watched. */
async function withServer(build, run) {
  const data = await mkdtemp(path.join(folder, 'data-'))
  await mkdir(data, { recursive: true })
  const keys = Object.entries(KEYS).map(([account, key]) => `${account}=${key}`)
  const child = fork(new URL('./server/fairness-child.mjs', import.meta.url), [build], {
    execPath: serverNode(),
    env: {
      ...process.env,
      MALLOC_ARENA_MAX: '2',
      PIXPRESS_BENCH_DATA: data,
      PIXPRESS_BENCH_KEYS: keys.join(','),
    },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stopWatching = watchMemory(child.pid)
  try {
    const { url } = await new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new Error(`The measured process ended with ${code}.`)))
    })
    const value = await run(url)
    return { value, memory: stopWatching() }
  } finally {
    if (child.connected) child.disconnect()
    await ended
  }
}

async function oneByOne(url, image) {
  const answers = []
  for (let i = 0; i < options.small; i++) answers.push(await post(url, image, 'B'))
  return answers
}

/** Uploads an image on a connection of its own. @returns the status, 0 where no answer came, and the milliseconds */
function post(url, body, account) {
  const began = performance.now()
  return new Promise((resolve) => {
    const settle = (status) => resolve({ status, ms: performance.now() - began })
    const headers = { Authorization: `Basic ${btoa(`api:${KEYS[account]}`)}`, 'Content-Length': body.length }
    const request = http.request(`${url}/shrink`, { method: 'POST', agent: false, headers }, (response) => {
      response.resume()
      response.once('end', () => settle(response.statusCode))
      response.once('error', () => settle(0))
    })
    request.once('error', () => settle(0))
    request.end(body)
  })
}

/** @returns the percentiles in milliseconds of those that were done, and how many were */
function times(answers) {
  const sorted = answers
    .filter(({ status }) => status === 201)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Infinity
  return { p50: at(0.5), p95: at(0.95), ...counted(answers) }
}

function counted(answers) {
  const done = answers.filter(({ status }) => status === 201).length
  const unanswered = answers.filter(({ status }) => status === 0).length
  return { done, refused: answers.length - done - unanswered, unanswered }
}

function milliseconds(ms) {
  return Number.isFinite(ms) ? `${Math.round(ms)} ms` : 'none done'
}

function outcome({ done, refused, unanswered }) {
  return `${done} done, ${refused} refused, ${unanswered} unanswered`
}

async function report(results, images) {
  const rows = [
    ['B alone, p50', ({ alone }) => milliseconds(alone.p50)],
    ['B alone, p95', ({ alone }) => milliseconds(alone.p95)],
    ["B behind A's, p50", ({ behind }) => milliseconds(behind.p50)],
    ["B behind A's, p95", ({ behind }) => milliseconds(behind.p95)],
    ['p95 behind over alone', ({ alone, behind }) => ratio(behind.p95, alone.p95)],
    ["B's pictures", ({ behind }) => outcome(behind)],
    [`A's ${options.large} of 12 megapixels`, ({ large }) => outcome(large)],
    ['peak memory', ({ memory }) => wholeMegabytes(memory)],
    [`${options.flat} flat ones of 36 megapixels`, ({ flat }) => outcome(flat)],
    ['peak memory with these', ({ flatMemory }) => wholeMegabytes(flatMemory)],
  ]
  const names = Object.keys(results)
  const { now } = results
  const kept = {
    slowdown: now.behind.p95 <= BOUNDS.slowdown * now.alone.p95,
    answered: now.unanswered === 0,
    memory: now.memory < BOUNDS.memory,
    flatMemory: now.flatMemory < BOUNDS.flatMemory,
  }
  const { cpu, cores, node, versions } = describeMachine(['sharp'])
  const markdown = [
    `${new Date().toISOString().slice(0, 10)}, pictures of B of ${Math.round(images.small.length / 1000)} kB, flat ones of ${Math.round(images.flat.length / 1000)} kB, ${cpu}, ${cores} cores, Node ${node}, sharp ${versions.sharp}.`,
    '',
    table(
      ['', ...names],
      rows.map(([title, cell]) => [title, ...names.map((name) => cell(results[name]))]),
    ),
    '',
    `Bounds: B's p95 at most ${BOUNDS.slowdown}× (${word(kept.slowdown)}), an answer for each (${word(kept.answered)}), less than ${wholeMegabytes(BOUNDS.memory)} (${word(kept.memory)}), and less than ${wholeMegabytes(BOUNDS.flatMemory)} with the flat ones (${word(kept.flatMemory)}).`,
  ].join('\n')
  console.log(markdown)
  if (options.json !== undefined)
    await writeFile(
      options.json,
      `${JSON.stringify({ version: 1, benchmark: 'server-fairness', results }, undefined, 2)}\n`,
    )
  if (options.update) await updateReadme('server-fairness', markdown)
  if (options.check && Object.values(kept).includes(false)) process.exitCode = 1
}

function word(kept) {
  return kept ? 'kept' : 'broken'
}

function readOptions() {
  const known = {
    large: { type: 'string', default: '50' },
    small: { type: 'string', default: '20' },
    flat: { type: 'string', default: '20' },
    before: { type: 'string' },
    json: { type: 'string' },
    update: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  }
  return readCommandLine(USAGE, known, (values) => ({
    ...values,
    large: wholeNumber('large', values.large),
    small: wholeNumber('small', values.small),
    flat: wholeNumber('flat', values.flat),
  }))
}
