import path from 'node:path'
import { detectType } from '@pixpress/core'
import { ssimulacra2 } from '@pixpress/core/metric'
import { toSrgb } from '../../packages/core/dist/colour/gamut.js'
import { avifColourSpace } from '../../packages/core/dist/formats/avif/colour.js'
import sharp from 'sharp'

/**
 * No encoder scores below this for the same picture. A lower score means another picture, or one that is upside down.
 */
const ANOTHER_PICTURE = 0

/**
 * Compares emitted images with their sources.
 * @returns `damaged`: names of the sources whose images lost frames, are turned or cannot be decoded; `mean`, `low`
 * (the 5th percentile) and `min` SSIMULACRA2 score of the other bitmaps, 100 if nothing changed. The score of an
 * animation is that of its first frame.
 */
export async function judgeQuality(emitted) {
  const damaged = []
  const scores = []
  for (const image of emitted) {
    if (isVector(image.before)) continue
    const score = await scoreOf(image)
    if (score === undefined || score < ANOTHER_PICTURE) damaged.push(path.basename(image.source))
    else scores.push(score)
  }
  scores.sort((a, b) => a - b)
  return {
    damaged,
    mean: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    low: scores[Math.floor(scores.length * 0.05)],
    min: scores[0],
  }
}

const isVector = (bytes) => detectType(bytes) === 'image/svg+xml'

/** Returns the score; `undefined` if the two cannot be compared. */
async function scoreOf({ before, after }) {
  if (before.equals(after)) return 100
  const original = await decode(before)
  // An image that cannot be decoded counts as damaged.
  const emitted = await decode(after).catch(() => undefined)
  const same = ['frames', 'width', 'height'].every((property) => emitted?.[property] === original[property])
  return same ? ssimulacra2(original, emitted) : undefined
}

/** The red of Display P3's primaries: x of its chromaticity. */
const P3_RED = 0.68

/** Returns pixels as a screen of sRGB shows them. */
async function decode(bytes) {
  const { pages: frames = 1, format } = await sharp(bytes).metadata()
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  // Greys come as one or two channels.
  if (info.channels < 3)
    return decode(await sharp(bytes).autoOrient().toColourspace('srgb').png({ palette: false }).toBuffer())
  const { width, height, channels } = info
  // sharp takes the numbers of an AVIF without a profile for sRGB, whatever the file says of its primaries.
  const isP3 = format === 'heif' && avifColourSpace(bytes)?.red[0] === P3_RED
  const shown = isP3 ? toSrgb({ data, encoding: 'gamma8', width, height, channels }).data : data
  return { data: shown, width, height, channels, frames }
}
