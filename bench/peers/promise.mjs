import path from 'node:path'
import { detectType } from '@pixpress/core'
import sharp from 'sharp'
import { runnerImport } from 'vite'
import { decodePixels } from '../quality/pictures.mjs'

const CORE = path.resolve(import.meta.dirname, '../../packages/core/src')
const { module: pictures } = await runnerImport(path.join(CORE, 'encoding/picture.ts'))
const { module: palettes } = await runnerImport(path.join(CORE, 'encoding/palette-trials.ts'))
const { module: scorers } = await runnerImport(path.join(CORE, 'work/scorer.ts'))

/**
 * Judges emitted images of one source by what pixpress promises of its own.
 * @param before the source
 * @returns `keeps(after)`: the highest promise that an image keeps, by score and guards, of a small picture at twice its size as well;
 * `-Infinity` where it has another size, lost frames, or cannot be decoded
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
          const score = await scorer.score(shown)
          return (await scorer.promiseKeptBy(shown, kindOf(after, picture), score)).kept
        } finally {
          scorer.dispose()
        }
      } catch {
        return -Infinity
      }
    },
  }
}

/** Colour type 3 of `IHDR` is a palette; every other file of a peer is judged as a block codec's. */
function kindOf(bytes, picture) {
  if (detectType(bytes) === 'image/png' && bytes[25] === 3) return palettes.kindOfPalette(coloursOf(bytes), picture)
  return picture.graphic ? 'block' : 'photograph'
}

/** Entries of the palette, three bytes each in `PLTE` (PNG Specification, section 11.2.2). */
const coloursOf = (png) => png.readUInt32BE(png.indexOf('PLTE') - 4) / 3

/** The bytes themselves, or a PNG of what browsers show where metadata rotates them. */
async function upright(bytes) {
  const { orientation = 1, icc } = await sharp(bytes).metadata()
  return orientation === 1 && icc === undefined
    ? bytes
    : sharp(bytes).autoOrient().toColourspace('srgb').png().toBuffer()
}

const countFrames = async (bytes) => (await sharp(bytes).metadata()).pages ?? 1

const isOpaque = async (bytes) => (await sharp(bytes).stats()).isOpaque

function withoutOpaqueAlpha(pixels) {
  for (let at = 3; at < pixels.data.length; at += 4) if (pixels.data[at] !== 255) return pixels
  const data = new Uint8Array((pixels.data.length / 4) * 3)
  for (let from = 0, to = 0; to < data.length; from += 4, to += 3) data.set(pixels.data.subarray(from, from + 3), to)
  return { ...pixels, data, channels: 3 }
}
