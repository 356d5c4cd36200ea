/** Shows before and after side by side at 200%, with the score and the guards of each result. See README.md. */
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { detectType, optimize } from '@pixpress/core'
import { ssimulacra2 } from '@pixpress/core/metric'
import { runnerImport } from 'vite'
import { imagesBelow } from './images/source-files.mjs'
import { writePages } from './look/sheet.mjs'
import { decodePixels } from './quality/pictures.mjs'

const USAGE = `Pages of pictures before and after, enlarged, at the places where the guards find most.

  node look.mjs [folder…] [options]

  folder           images to take (default: those of examples/images)
  --promise N      the score that pixpress is asked for (default 80)
  --type NAME      jpeg, webp, avif or png (default: as each picture is); may be repeated
  --limit N        the most pictures, spread evenly over all (default 40)
  --zoom N         squares that a pixel becomes, at least (default 2)
  --worst          begin with those that are closest to, or beyond, a guard's threshold
  --out FOLDER     where the pages go (default: pixpress-look in the system's temporary folder)`

const PROJECT_IMAGES = path.resolve(import.meta.dirname, '../examples/images')
const GUARDS = path.join(import.meta.dirname, '../packages/core/src/quality/guards')
/** File names of still bitmaps. */
const STILL = /\.(?:jpe?g|png|webp|avif)$/i

const options = readOptions()
const { module: guards } = await runnerImport(path.join(GUARDS, 'index.ts'))
const { module: pictures } = await runnerImport(path.join(GUARDS, '../../encoding/picture.ts'))
const { module: twice } = await runnerImport(path.join(GUARDS, 'twice.ts'))

const rows = []
for (const file of await chooseFiles(options)) {
  for (const type of options.types ?? [undefined]) {
    const row = await look(file, type)
    if (row !== undefined) rows.push(row)
  }
}
if (rows.length === 0) throw new Error('There is no still bitmap in these folders.')
if (options.worst) rows.sort((a, b) => b.worst - a.worst)
const pages = await writePages(rows, options.out, options.zoom)
console.log(`${rows.length} results on ${pages.length} pages in ${options.out}`)
for (const { caption } of rows.filter(({ fails }) => fails)) console.log(`beyond a guard: ${caption}`)

async function chooseFiles({ folders, limit }) {
  const files = (await Promise.all(folders.map(imagesBelow))).flat().filter((file) => STILL.test(file))
  const count = Math.min(limit, files.length)
  return Array.from({ length: count }, (_, index) => files[Math.floor((index * files.length) / count)])
}

async function look(file, type) {
  const source = await readFile(file)
  const { data } = await optimize(source, {
    quality: options.promise,
    ...(type !== undefined && { convert: { type } }),
  })
  const name = path.join(path.basename(path.dirname(file)), path.basename(file))
  const decoded = await Promise.all([source, data].map(decodePixels)).catch((error) => {
    console.error(`${name}: left out, as it cannot be decoded: ${error.message}`)
  })
  if (decoded === undefined) return undefined
  const [before, after] = decoded
  // Frames of an animation, and pictures that are rotated by their metadata, cannot be compared pixel by pixel here.
  if (before.width !== after.width || before.height !== after.height) {
    console.error(
      `${name}: left out, of ${before.width} × ${before.height} pixels and then ${after.width} × ${after.height}`,
    )
    return undefined
  }
  // Colour type 3 of `IHDR` is a palette. The guards judge a drawing's truecolour PNG like a palette, and a
  // photograph's like a block codec's result.
  const written = detectType(data)
  const isPng = written === 'image/png'
  const ofPhotograph = isPng && data[25] === 3 ? 'grain' : 'photograph'
  const ofDrawing = isPng ? 'palette' : 'block'
  const kind = pictures.createPicture(before).graphic ? ofDrawing : ofPhotograph
  return describe({ name, before, after, written, kind, bytes: [source.length, data.length] })
}

function describe({ name, before, after, written, kind, bytes: [from, to] }) {
  const { promise } = options
  const measured = guards.createGuards(before)
  const measures = measured.measure(after, kind)
  measured.dispose()
  const scores = [ssimulacra2(before, after)]
  if (twice.isJudgedTwice(before)) scores.push(ssimulacra2(twice.enlargeTwice(before), twice.enlargeTwice(after)))
  const shares = guards.shares(measures, promise, kind)
  const beyond = guards.violations(measures, promise, kind)
  if (scores.some((score) => score < promise)) beyond.push('score')
  const values = Object.entries(shares).map(([guard, share]) => `${guard} ${share.toFixed(2)}`)
  const caption = [
    name,
    written,
    `${from} → ${to} bytes`,
    `score ${scores.map((score) => score.toFixed(1)).join(', at 2× ')}`,
    ...values,
    ...(beyond.length > 0 ? [`BEYOND ${beyond.join(', ')}`] : []),
  ].join('  ')
  const placed = ['means', 'colours', 'band', 'edges', 'jag', 'gone'].sort((a, b) => shares[b] - shares[a])
  return {
    before,
    after,
    caption,
    places: placed.map((guard) => measures.places[guard]),
    worst: guards.worst(measures, promise, kind),
    fails: beyond.length > 0,
  }
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        promise: { type: 'string', default: '80' },
        type: { type: 'string', multiple: true },
        limit: { type: 'string', default: '40' },
        zoom: { type: 'string', default: '2' },
        worst: { type: 'boolean', default: false },
        out: { type: 'string', default: path.join(os.tmpdir(), 'pixpress-look') },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    const known = ['jpeg', 'webp', 'avif', 'png']
    for (const type of values.type ?? [])
      if (!known.includes(type)) throw new Error(`--type takes one of ${known.join(', ')}, not '${type}'.`)
    return {
      folders: positionals.length > 0 ? positionals : [PROJECT_IMAGES],
      promise: positive('promise', values.promise),
      types: values.type?.map((type) => `image/${type}`),
      limit: Math.ceil(positive('limit', values.limit)),
      zoom: Math.ceil(positive('zoom', values.zoom)),
      worst: values.worst,
      out: path.resolve(values.out),
    }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}

function positive(name, text) {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} takes a number above 0, not '${text}'.`)
  return value
}
