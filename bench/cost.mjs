import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createOptimizer } from '@pixpress/core'
import sharp from 'sharp'
import { imagesBelow } from './images/source-files.mjs'
import { median } from './measure/benchmark.mjs'
import { describeMachine } from './measure/versions.mjs'
import { percent, ratio, seconds, table } from './report/markdown.mjs'
import { updateReadme } from './report/readme.mjs'

const USAGE = `What the search for a quality costs: processor time beside one plain encode of the same pictures by sharp.

  node cost.mjs [options]

  --images FOLDER  pictures to use (default those of examples/images)
  --format NAME    jpeg, webp, png or avif (default all); may be repeated
  --effort NAME    fast, default or max (default all); may be repeated
  --runs N         measurements of each, in turn; the median counts (default 3)
  --update         also writes the result into docs/effort.md`

/**
 * Encoders for each type: `source` writes the picture before it is optimized in its own type, and `plain` is the encode
 * that the work is compared with. It uses sharp's defaults, except for mozjpeg and a palette, which pixpress uses too.
 */
const FORMATS = {
  jpeg: { source: { quality: 95 }, plain: { mozjpeg: true } },
  webp: { source: { quality: 95 }, plain: {} },
  png: { source: {}, plain: { palette: true } },
  avif: { source: { quality: 85, effort: 2 }, plain: {} },
}
const EFFORTS = ['fast', 'default', 'max']

/** Longer side of the pictures in pixels: enough for reliable figures, and few enough for AVIF to be quick. */
const SIDE = 800

const { values } = parseArgs({
  options: {
    images: { type: 'string', default: path.join(import.meta.dirname, '../examples/images') },
    format: { type: 'string', multiple: true, default: Object.keys(FORMATS) },
    effort: { type: 'string', multiple: true, default: EFFORTS },
    runs: { type: 'string', default: '3' },
    update: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
if (!/^[1-9]\d*$/.test(values.runs)) {
  console.error(`--runs takes a whole number from 1, not '${values.runs}'.\n\n${USAGE}`)
  process.exit(2)
}

sharp.cache(false)
const pictures = await Promise.all((await imagesBelow(values.images)).filter(isStill).map(readPicture))
const rows = []
for (const format of values.format) {
  const sources = await Promise.all(pictures.map((png) => sharp(png)[format](FORMATS[format].source).toBuffer()))
  const before = sources.reduce((sum, { length }) => sum + length, 0)
  const work = values.effort.map((effort) => ({ effort, times: [], shares: [] }))
  for (let run = 1; run <= Number(values.runs); run++) {
    process.stderr.write(`${format}: run ${run} of ${values.runs}\n`)
    for (const each of work) {
      // The plain encodes run right before, because a shared machine is faster at one time than at another.
      const plain = await plainEncodes(sources, format)
      const { time, ...result } = await optimized(sources, each.effort)
      each.times.push(time)
      each.shares.push(time / plain)
      Object.assign(each, result)
    }
  }
  for (const { effort, times, shares, bytes, lowest } of work) {
    rows.push([
      format,
      effort,
      percent(bytes, before),
      seconds(median(times)),
      ratio(median(shares), 1),
      lowest.toFixed(1),
    ])
  }
}

const { cpu, cores, node, versions } = describeMachine(['sharp'])
const markdown = `${new Date().toISOString().slice(0, 10)}, ${pictures.length} pictures of at most ${SIDE} pixels a side, medians of ${values.runs} runs, ${cpu}, ${cores} cores, Node ${node}, sharp ${versions.sharp}.

${table(['format', 'effort', 'bytes of the source', 'CPU', '× one plain encode', 'lowest score'], rows)}`
console.log(markdown)
if (values.update) await updateReadme('cost', markdown, new URL('../docs/effort.md', import.meta.url))

function isStill(file) {
  return /\.(?:jpe?g|png|webp)$/i.test(file)
}

async function readPicture(file) {
  const upright = sharp(await readFile(file)).autoOrient()
  return upright.resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true }).png().toBuffer()
}

/** Milliseconds of processor time, one picture after the other. */
async function plainEncodes(sources, format) {
  const started = process.cpuUsage()
  for (const source of sources) await sharp(source)[format](FORMATS[format].plain).toBuffer()
  return elapsed(started)
}

async function optimized(sources, effort) {
  const optimizer = createOptimizer({ concurrency: 1 })
  // The thread is started, and its code compiled, before anything is measured.
  await optimizer.optimize(await sharp(pictures[0]).resize(64).jpeg({ quality: 100 }).toBuffer())
  const started = process.cpuUsage()
  let bytes = 0
  let lowest = 100
  for (const source of sources) {
    const { data, score = 100 } = await optimizer.optimize(source, { effort })
    bytes += data.length
    lowest = Math.min(lowest, score)
  }
  const time = elapsed(started)
  await optimizer.close()
  return { bytes, time, lowest }
}

function elapsed(started) {
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}
