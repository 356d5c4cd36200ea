import { detectType, ssimulacra2 } from '@pixpress/core'
import sharp from 'sharp'

/**
 * How the emitted images look beside their sources.
 * @returns `damaged`: images that lost frames, are turned or cannot be decoded; `mean`, `low` (the 5th percentile) and `min`
 * SSIMULACRA2 score of the other bitmaps, 100 where nothing changed; of animations the first frame is scored
 */
export async function judgeQuality(emitted) {
  const verdicts = []
  for (const image of emitted) if (!isVector(image.before)) verdicts.push(await judge(image))
  const scores = verdicts.filter((verdict) => verdict !== 'damaged').sort((a, b) => a - b)
  return {
    damaged: verdicts.length - scores.length,
    mean: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    low: scores[Math.floor(scores.length * 0.05)],
    min: scores[0],
  }
}

const isVector = (bytes) => detectType(bytes) === 'image/svg+xml'

async function judge({ before, after }) {
  if (before.equals(after)) return 100
  const original = await decode(before)
  const emitted = await decode(after).catch(() => undefined)
  const same = ['frames', 'width', 'height'].every((property) => emitted?.[property] === original[property])
  return same ? ssimulacra2(original, emitted) : 'damaged'
}

async function decode(bytes) {
  const { pages: frames = 1 } = await sharp(bytes).metadata()
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  // Greys come as one or two channels.
  if (info.channels < 3) return decode(await sharp(bytes).autoOrient().toColourspace('srgb').png({ palette: false }).toBuffer())
  return { data, width: info.width, height: info.height, channels: info.channels, frames }
}
