/**
 * Measures how often a crop keeps the object of a picture: ours, the centre, and libvips' two strategies. See
 * README.md.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { runnerImport } from 'vite'
import { drawnPictures, keptShare, readPictures, windowsOf } from './crop/cases.mjs'

const FIXTURES = path.join(import.meta.dirname, '../packages/core/test/fixtures/cutouts')
const FRAME = path.join(import.meta.dirname, '../packages/core/src/crop/crop-frame.ts')

/** Share of an object's box that must be in the result. */
const WHOLE = 0.98

const USAGE = `node bench/crop.mjs [--failures] [folder]
The folder holds boxes.json and transparent/; by default it is that of the tests. --failures names the crops that cut.`

const { folder, failures } = readArguments()
const { module: crop } = await runnerImport(FRAME)

const METHODS = {
  'pixpress cover': ({ raster }, size) => crop.chooseCropFrame([raster], raster, { method: 'cover', ...size }).cut,
  'pixpress thumb': ({ raster }, size) => crop.chooseCropFrame([raster], raster, { method: 'thumb', ...size }).cut,
  centre: ({ raster }, { width, height }) => ({
    left: (raster.width - width) >> 1,
    top: (raster.height - height) >> 1,
    width,
    height,
  }),
  'sharp attention': (picture, size) => bySharp(picture, size, 'attention'),
  'sharp entropy': (picture, size) => bySharp(picture, size, 'entropy'),
}

const root = path.resolve(folder)
for (const [title, pictures] of [
  ['Plain and nearly plain backgrounds', await readPictures(root)],
  ['Drawn backgrounds that compete with the object', await drawnPictures(root)],
])
  await compare(title, pictures)

async function compare(title, pictures) {
  const cases = pictures.flatMap((picture) => windowsOf(picture).map((window) => ({ picture, window })))
  const pixels = cases.reduce((sum, { picture: { raster } }) => sum + raster.width * raster.height, 0)
  console.log(`\n${title}: ${cases.length} crops of ${pictures.length} pictures, each able to hold the object.\n`)
  console.log('| method          | object kept whole | mean share kept | ms per megapixel |')
  console.log('| --------------- | ----------------: | --------------: | ---------------: |')
  for (const [name, method] of Object.entries(METHODS)) {
    const start = performance.now()
    const shares = []
    for (const { picture, window } of cases) {
      const { width, height } = window
      shares.push(keptShare(picture.box, await method(picture, { width, height })))
    }
    const time = (performance.now() - start) / (pixels / 1e6)
    const whole = shares.filter((share) => share >= WHOLE).length / shares.length
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    const cells = [whole.toFixed(3).padStart(17), mean.toFixed(3).padStart(15), time.toFixed(1).padStart(16)]
    console.log(`| ${[name.padEnd(15), ...cells].join(' | ')} |`)
    if (!failures) continue
    for (const [index, share] of shares.entries()) {
      const { picture, window } = cases[index]
      if (share < WHOLE) console.error(`${name}: ${share.toFixed(2)} of ${picture.name} at ${window.shape}`)
    }
  }
}

async function bySharp({ raster: { data, width, height, channels } }, size, strategy) {
  const { info } = await sharp(data, { raw: { width, height, channels } })
    .resize({ ...size, fit: 'cover', position: sharp.strategy[strategy] })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { left: -(info.cropOffsetLeft ?? 0), top: -(info.cropOffsetTop ?? 0), ...size }
}

function readArguments() {
  try {
    const options = { failures: { type: 'boolean', default: false } }
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    if (positionals.length > 1) throw new Error('One folder at a time.')
    return { failures: values.failures, folder: positionals[0] ?? FIXTURES }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}
