import { readFile } from 'node:fs/promises'
import { createReference } from '@pixpress/core/metric'
import sharp from 'sharp'

/**
 * A script written by hand for one job alone, which the engine is compared with: JPEG from JPEG, no metadata, the
 * lowest quality of mozjpeg that scores 80, found by the secant method. One process per processor runs with one thread
 * each, because codecs gain little from a second one. The original is decoded and prepared once, and each process is
 * started once.
 *
 * Usage: `node hand-tuned.mjs FILE…`
 */
const PROMISE = 80
const WINDOW = 1
const PROBES = 5
/** Points by setting in the region of the promise, to begin with. */
const SLOPE = 0.6
const START = 84

sharp.concurrency(1)
sharp.cache(false)
let [before, after, lowest] = [0, 0, 100]
for (const file of process.argv.slice(2)) {
  const source = await readFile(file)
  const { data, score } = await search(source)
  before += source.length
  after += data.length
  lowest = Math.min(lowest, score)
}
const { user, system } = process.cpuUsage()
process.send({ before, after, lowest, cpu: (user + system) / 1000 })
process.disconnect()

async function search(source) {
  const original = await decode(sharp(source).autoOrient())
  const { width, height } = original
  const reference = createReference(original)
  try {
    let [quality, slope, last, best] = [START, SLOPE, undefined, undefined]
    for (let probe = 0; probe < PROBES; probe++) {
      const encoded = await sharp(original.data, { raw: { width, height, channels: 3 } })
        .jpeg({ quality, mozjpeg: true })
        .toBuffer()
      const score = reference.score(await decode(sharp(encoded)))
      if (score >= PROMISE && (best === undefined || encoded.length < best.data.length)) best = { data: encoded, score }
      if (score >= PROMISE && score < PROMISE + WINDOW) break
      if (last !== undefined && last.quality !== quality) {
        slope = Math.min(2, Math.max(0.2, (score - last.score) / (quality - last.quality)))
      }
      last = { quality, score }
      const step = (PROMISE + WINDOW * 0.4 - score) / slope
      const next = Math.min(98, Math.max(20, quality + (Math.round(step) || Math.sign(step))))
      if (next === quality) break
      quality = next
    }
    return best ?? { data: source, score: 100 }
  } finally {
    reference.dispose()
  }
}

async function decode(image) {
  const { data, info } = await image.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}
