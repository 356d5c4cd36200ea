import path from 'node:path'
import { createOptimizer, detectType } from '@pixpress/core'
import sharp from 'sharp'
import { runnerImport } from 'vite'
import { decodePixels } from '../quality/pictures.mjs'

const CORE = path.resolve(import.meta.dirname, '../../packages/core/src')
const { module: pictures } = await runnerImport(path.join(CORE, 'encoding/picture.ts'))
const { module: judges } = await runnerImport(path.join(CORE, 'work/judge-picture.ts'))
const { module: colours } = await runnerImport(path.join(CORE, 'formats/png/colour.ts'))
const { module: decoders } = await runnerImport(path.join(CORE, 'work/steps/decode-pixels.ts'))
const { module: gamut } = await runnerImport(path.join(CORE, 'colour/gamut.ts'))
const { module: transfer } = await runnerImport(path.join(CORE, 'resample/transfer.ts'))
const { module: scorers } = await runnerImport(path.join(CORE, 'work/steps/scorer.ts'))

const optimizer = createOptimizer()

/** Deflate expands one byte to at most 1,032, and a byte may hold eight pixels. */
const MOST_PIXELS_PER_BYTE = 8 * 1032

/**
 * Judges emitted images of one source by the promise of pixpress.
 * @param before the source
 * @returns `keeps(after)`: the highest promise that an image keeps by score and guards, for a small picture also at
 * twice its size; `-Infinity` if it has another size, lost frames, or cannot be decoded
 */
export async function openJudge(before) {
  const original = await decodePixels(await upright(before))
  const picture = pictures.createPicture(withoutOpaqueAlpha(original))
  const frames = await countFrames(before)
  return {
    async keeps(after) {
      if (before.equals(after)) return 100
      try {
        const shown = await upright(after)
        const { width, height, channels, hasAlpha } = await sharp(shown).metadata()
        const isSame = width === picture.width && height === picture.height && (await countFrames(after)) === frames
        if (!isSame || channels === undefined || (picture.channels === 3 && hasAlpha && !(await isOpaque(shown))))
          return -Infinity
        const scorer = scorers.createScorer(picture)
        try {
          const kind = judges.kindOfFile(after, picture)
          return (await scorer.promiseKeptBy(shown, kind, await scorer.score(shown, kind))).kept
        } finally {
          scorer.dispose()
        }
      } catch {
        return -Infinity
      }
    },
  }
}

/**
 * Returns the bytes themselves, or a PNG of the pixels that browsers show if metadata rotates them or describes other
 * colours.
 */
async function upright(bytes) {
  if (detectType(bytes) === 'image/png' && colours.pngColourSpace(bytes) !== undefined) return described(bytes)
  const { orientation = 1, icc } = await sharp(bytes).metadata()
  return orientation === 1 && icc === undefined
    ? bytes
    : sharp(bytes).autoOrient().toColourspace('srgb').png().toBuffer()
}

/** A PNG whose colours its chunks `cICP`, or `gAMA` and `cHRM` describe, which libvips leaves as they are. */
async function described(png) {
  const { space, raster } = await decoders.decodePixels(
    png,
    await optimizer.probe(png),
    png.length * MOST_PIXELS_PER_BYTE,
  )
  const data = space === 'srgb' ? transfer.toBytes(raster) : gamut.toSrgb(raster).data
  const { width, height, channels } = raster
  return sharp(data, { raw: { width, height, channels } }).png().toBuffer()
}

const countFrames = async (bytes) => (await sharp(bytes).metadata()).pages ?? 1

const isOpaque = async (bytes) => (await sharp(bytes).stats()).isOpaque

function withoutOpaqueAlpha(pixels) {
  for (let at = 3; at < pixels.data.length; at += 4) if (pixels.data[at] !== 255) return pixels
  const data = new Uint8Array((pixels.data.length / 4) * 3)
  for (let from = 0, to = 0; to < data.length; from += 4, to += 3) data.set(pixels.data.subarray(from, from + 3), to)
  return { ...pixels, data, channels: 3 }
}
