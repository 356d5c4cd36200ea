import { fork, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createOptimizer } from '@pixpress/core'
import { makeLargePhotographs } from './images/large-photographs.mjs'
import { reportUsageAtExit, USAGE_DESCRIPTOR } from './measure/resource-usage.mjs'
import { describeMachine } from './measure/versions.mjs'
import { percent, ratio, table } from './report/markdown.mjs'
import { updateReadme } from './report/readme.mjs'

const USAGE = `Peak memory and throughput with photographs of 12 megapixels, as JPEG from JPEG.

  node twelve-megapixels.mjs [options]

  --images FOLDER  photographs to make them from (default those of examples/images)
  --count N        how many (default 100)
  --jobs N         worked on at once (default 2)
  --update         also writes the result into README.md
  --check          ends with code 1 when a bound is broken`

/**
 * Limits that pixpress promises: bytes at the peak, and the share of the throughput of a script written for this job
 * alone.
 */
const BOUNDS = { memory: 1e9, throughput: 0.9 }

/**
 * glibc's allocator gives every thread an arena of its own, in which freed memory of large pictures stays:
 * https://www.gnu.org/software/libc/manual/html_node/Memory-Allocation-Tunables.html
 */
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' }

const { values } = parseArgs({
  options: {
    images: { type: 'string', default: path.join(import.meta.dirname, '../examples/images') },
    count: { type: 'string', default: '100' },
    jobs: { type: 'string', default: '2' },
    update: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    work: { type: 'string' },
  },
})
if (values.help) console.log(USAGE)
else if (values.work === undefined) await compare()
else await optimizeAll(values.work)

async function compare() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  try {
    await makeLargePhotographs(folder, { from: values.images, count: Number(values.count) })
    const pixpress = await inOwnProcess(folder, {})
    const script = await byHand(folder)
    const fewArenas = await inOwnProcess(folder, FEW_ARENAS)
    await publish(pixpress, fewArenas, script)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function publish(pixpress, fewArenas, script) {
  const count = Number(values.count)
  const row = (name, { wall, cpu, memory, bytes, lowest }) => [
    name,
    (count / (wall / 1000)).toFixed(3),
    ratio(script.wall, wall),
    `${(cpu / count / 1000).toFixed(2)} s`,
    memory === undefined ? '' : `${Math.round(memory / 1e6)} MB`,
    percent(bytes, 1),
    lowest.toFixed(1),
  ]
  const share = script.wall / pixpress.wall
  const isBelow = ({ memory }) => (memory < BOUNDS.memory ? 'kept' : 'broken')
  const kept = { memory: pixpress.memory < BOUNDS.memory, throughput: share >= BOUNDS.throughput }
  const { cpu, cores, node, versions } = describeMachine(['sharp'])
  const markdown = [
    `${new Date().toISOString().slice(0, 10)}, ${count} photographs of 12 megapixels, ${values.jobs} at once, ${cpu}, ${cores} cores, Node ${node}, sharp ${versions.sharp}.`,
    '',
    table(
      ['', 'images/s', 'of the script', 'processor time each', 'peak memory', 'of the bytes', 'lowest score'],
      [
        row('pixpress', pixpress),
        row(`pixpress, MALLOC_ARENA_MAX=${FEW_ARENAS.MALLOC_ARENA_MAX}`, fewArenas),
        row('script', script),
      ],
    ),
    '',
    `Bounds: less than ${BOUNDS.memory / 1e6} MB (as it is: ${isBelow(pixpress)}; with few arenas: ${isBelow(fewArenas)}), at least ${BOUNDS.throughput}× the script's throughput (${kept.throughput ? 'kept' : 'broken'}).`,
  ].join('\n')
  console.log(markdown)
  if (values.update) await updateReadme('twelve-megapixels', markdown)
  if (values.check && !(kept.memory && kept.throughput)) process.exitCode = 1
}

/** Memory is measured for a whole process, so the photographs are made in another one. */
async function inOwnProcess(folder, variables) {
  const script = [process.argv[1], '--work', folder, '--jobs', values.jobs]
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, script, { env, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] })
  const output = []
  const usage = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stdio[USAGE_DESCRIPTOR].on('data', (chunk) => usage.push(chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`The work ended with code ${code}.`)
  return { ...JSON.parse(Buffer.concat(output)), ...JSON.parse(Buffer.concat(usage)) }
}

/** Runs the script written by hand, in as many processes as images are worked on at once. */
async function byHand(folder) {
  const jobs = Number(values.jobs)
  const files = (await readdir(folder)).map((file) => path.join(folder, file))
  const started = performance.now()
  const results = await Promise.all(
    Array.from({ length: jobs }, (_, job) => scriptOn(files.filter((file, at) => at % jobs === job))),
  )
  const wall = performance.now() - started
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  const lowest = Math.min(...results.map((result) => result.lowest))
  return { wall, cpu: sum('cpu'), bytes: sum('after') / sum('before'), lowest }
}

function scriptOn(files) {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('twelve-megapixels/hand-tuned.mjs', import.meta.url), files)
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`The script ended with code ${code}.`)))
  })
}

async function optimizeAll(folder) {
  reportUsageAtExit()
  const optimizer = createOptimizer({ concurrency: Number(values.jobs) })
  const started = performance.now()
  let [before, after, lowest] = [0, 0, 100]
  const files = await readdir(folder)
  // A build works in this way: it holds no more images than are worked on, and one ahead.
  const worker = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      const source = await readFile(path.join(folder, file))
      const { data, score = 100 } = await optimizer.optimize(source)
      before += source.length
      after += data.length
      lowest = Math.min(lowest, score)
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) + 1 }, worker))
  const wall = performance.now() - started
  await optimizer.close()
  console.log(JSON.stringify({ wall, bytes: after / before, lowest }))
}
