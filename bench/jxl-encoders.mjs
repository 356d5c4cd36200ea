import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { createOptimizer } from '@pixpress/core'
import { ssimulacra2 } from '@pixpress/core/metric'
import sharp from 'sharp'
import { decodeJxl, encodeJxl } from '../packages/core/dist/formats/jxl/libjxl.js'
import { median } from './measure/benchmark.mjs'
import { describeMachine } from './measure/versions.mjs'
import { percent, ratio, seconds, table, wholeMegabytes } from './report/markdown.mjs'
import { updateReadme } from './report/readme.mjs'

const USAGE = `Encoders of JPEG XL for Node: time, bytes at the promised score, memory, and whether bytes are always the same.

  node jxl-encoders.mjs [options]

  --modules FOLDER  where 'npm install icodec@0.6.0 wasm-vips@0.0.19' was run; without it, only the encoder that
                    pixpress has is measured
  --effort N        libjxl's effort (default 7)
  --side N          longer side of the pictures in pixels (default 800)
  --update          also writes the result into docs/effort.md`

/** The score that `quality` promises by default. */
const PROMISE = 80

/** Pictures of `examples/images`: drawings are encoded without loss, all others to the promise. */
const GROUPS = {
  photographs: [
    'cat.webp',
    'coffee.png',
    'dahlia.jpg',
    'fig.jpg',
    'meadow.jpg',
    'mountains.jpg',
    'sunrise.jpg',
    'temple.jpg',
  ],
  'cut-outs': ['backpack.webp', 'bicycle.webp', 'camera.webp'],
  drawings: ['chart.png', 'dashboard.png', 'hills.png', 'icon.png', 'logo.png'],
}
const FILES = Object.values(GROUPS).flat()
const IMAGES = path.join(import.meta.dirname, '../examples/images')

/** Encodes of one setting, of which the median counts. */
const RUNS = 3

/** Each gives an encoder: `(pixels, quality, effort)`, with `'lossless'` for a quality, to bytes. */
const ENCODERS = {
  '@jsquash/jxl': async () => (pixels, quality, effort) => encodeJxl(pixels, { quality, effort }),
  async icodec(modules) {
    const { jxl } = await installed(modules, 'icodec/node')
    await jxl.loadEncoder()
    return ({ data, width, height }, quality, effort) => {
      const image = { data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length), width, height, depth: 8 }
      return jxl.encode(image, { effort, ...(quality === 'lossless' ? { lossless: true } : { quality }) })
    }
  },
  async 'wasm-vips'(modules) {
    const { default: open } = await installed(modules, 'wasm-vips')
    const vips = await open({ dynamicLibraries: ['vips-jxl.wasm'], print() {}, printErr() {} })
    vips.concurrency(1)
    vips.Cache.max(0)
    return ({ data, width, height }, quality, effort) => {
      const image = vips.Image.newFromMemory(data, width, height, 4, 'uchar').copy({ interpretation: 'srgb' })
      const bytes = image.jxlsaveBuffer({
        effort,
        keep: 'none',
        ...(quality === 'lossless' ? { lossless: true } : { Q: quality }),
      })
      image.delete()
      return bytes
    }
  },
}

const { values } = parseArgs({
  options: {
    modules: { type: 'string' },
    effort: { type: 'string', default: '7' },
    side: { type: 'string', default: '800' },
    update: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    work: { type: 'string' },
  },
})
if (values.help) console.log(USAGE)
else if (values.work === undefined) await compare()
else console.log(JSON.stringify(await measure(values.work)))

async function compare() {
  const names = Object.keys(ENCODERS).filter((name) => name === '@jsquash/jxl' || values.modules !== undefined)
  const rows = []
  for (const name of names) {
    // Each in processes of its own, so that the peak of memory is that of one encoder alone.
    const [first, second] = [await inProcess(name), await inProcess(name)]
    const isSame = first.images.every(({ hash }, at) => hash === second.images[at].hash)
    rows.push({ name, isSame, images: first.images, memory: first.memory })
    console.error(name)
  }
  const head = [
    'encoder',
    ...Object.keys(GROUPS),
    'CPU of one encode each',
    '×',
    'CPU to the promise',
    'peak memory',
    'same bytes',
  ]
  const [own] = rows
  const cells = rows.map(({ name, isSame, images, memory }) => [
    name,
    ...Object.values(GROUPS).map((files) =>
      percent(sum(among(images, files), 'bytes'), sum(among(own.images, files), 'bytes')),
    ),
    seconds(sum(images, 'time')),
    ratio(sum(images, 'time'), sum(own.images, 'time')),
    seconds(sum(images, 'search')),
    wholeMegabytes(memory),
    isSame ? 'yes' : 'no',
  ])
  const { cpu, cores, node } = describeMachine([])
  const about = `${new Date().toISOString().slice(0, 10)}, ${FILES.length} pictures of at most ${values.side} pixels a side, libjxl's effort ${values.effort}, score ${PROMISE}, medians of ${RUNS} encodes, ${cpu}, ${cores} cores, Node ${node}.`
  const text = `${about}\n\n${table(head, cells)}\n\n${await withEachType()}`
  console.log(text)
  if (values.update) await updateReadme('jxl-encoders', text, new URL('../docs/effort.md', import.meta.url))
}

/** Measures what `convert: 'auto'` makes of the same pictures, and what it would with JPEG XL. */
async function withEachType() {
  const sources = await Promise.all(FILES.map((file) => sourceOf(path.join(IMAGES, file))))
  const optimizer = createOptimizer({ concurrency: 1 })
  const made = []
  for (const type of [undefined, 'image/webp', 'image/avif', 'image/jxl']) {
    const operations = type === undefined ? {} : { convert: { type } }
    // The thread is started, and the encoder compiled, before anything is measured.
    await optimizer.optimize(await sharp(sources[0]).resize(64).png().toBuffer(), operations)
    const from = processorTime()
    const sizes = []
    for (const source of sources) sizes.push((await optimizer.optimize(source, operations)).data.length)
    made.push({ sizes, time: processorTime() - from })
  }
  await optimizer.close()
  const upTo = (count) => ({
    bytes: sources.reduce((total, _, at) => total + Math.min(...made.slice(0, count).map(({ sizes }) => sizes[at])), 0),
    time: sum(made.slice(0, count), 'time'),
  })
  const [now, more] = [upTo(made.length - 1), upTo(made.length)]
  const rows = [
    ['own type, WebP, AVIF', now],
    ['the same and JPEG XL', more],
  ].map(([name, { bytes, time }]) => [name, percent(bytes, now.bytes), seconds(time), ratio(time, now.time)])
  return table(['types', 'bytes of the smallest', 'CPU', '×'], rows)
}

/** The picture as a lossy file of some size, or as the PNG that it is. */
async function sourceOf(file) {
  const side = Number(values.side)
  const picture = sharp(await readFile(file))
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
  return file.endsWith('.png') ? picture.png().toBuffer() : picture.jpeg({ quality: 95 }).toBuffer()
}

/** Measures one encoder in this process. */
async function measure(name) {
  const encode = await ENCODERS[name](values.modules)
  const effort = Number(values.effort)
  const images = []
  for (const file of FILES) {
    const pixels = await pixelsOf(path.join(IMAGES, file))
    const start = processorTime()
    const quality = GROUPS.drawings.includes(file) ? 'lossless' : await lowestQuality(encode, pixels, effort)
    const search = processorTime() - start
    const times = []
    let bytes
    for (let run = 0; run < RUNS; run++) {
      const from = processorTime()
      bytes = await encode(pixels, quality, effort)
      times.push(processorTime() - from)
    }
    const hash = createHash('sha256').update(bytes).digest('hex')
    images.push({ file, quality, bytes: bytes.length, time: median(times), search, hash })
  }
  return { images, memory: process.resourceUsage().maxRSS * 1024 }
}

/** The lowest whole quality whose picture keeps the promise, by halving; scores rise with it. */
async function lowestQuality(encode, pixels, effort) {
  let [low, high] = [30, 99]
  while (low < high) {
    const middle = (low + high) >> 1
    const decoded = await decodeJxl(Uint8Array.from(await encode(pixels, middle, effort)))
    if (ssimulacra2(rgba(pixels), rgba(decoded)) >= PROMISE) high = middle
    else low = middle + 1
  }
  return low
}

function rgba({ data, width, height }) {
  return { data: Buffer.from(data), width, height, channels: 4 }
}

async function pixelsOf(file) {
  const side = Number(values.side)
  const { data, info } = await sharp(await readFile(file))
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

async function inProcess(name) {
  const args = [fileURLToPath(import.meta.url), '--work', name, '--effort', values.effort, '--side', values.side]
  if (values.modules !== undefined) args.push('--modules', values.modules)
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 })
  return JSON.parse(stdout.trim().split('\n').at(-1))
}

function installed(folder, specifier) {
  const require = createRequire(path.resolve(folder, 'package.json'))
  return import(pathToFileURL(require.resolve(specifier)).href)
}

/** Milliseconds of all threads of this process. */
function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function among(images, files) {
  return images.filter(({ file }) => files.includes(file))
}

function sum(items, member) {
  return items.reduce((total, item) => total + item[member], 0)
}
