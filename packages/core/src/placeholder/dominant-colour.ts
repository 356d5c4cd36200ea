import type { Samples } from './samples.ts'

/** Bits of each channel by which colours are counted together. */
const BITS = 4

/** Levels of 255 around the commonest colour that are taken for it, in each channel. */
const NEAR = 24

/**
 * Returns the colour that most of a picture has: the mean of what lies near the commonest, transparent pixels by their
 * opacity. The mean of all would be a grey that stands nowhere in the picture.
 * @returns `#rrggbb`, with the mean opacity behind it where the picture is not opaque
 */
export function dominantColour({ data, hasAlpha }: Samples): string {
  const counts = new Float64Array(1 << (3 * BITS))
  const sums = new Float64Array(counts.length * 3)
  let opacity = 0
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]!
    const bin = binOf(data[at]!, data[at + 1]!, data[at + 2]!)
    counts[bin]! += alpha
    for (let channel = 0; channel < 3; channel++) sums[bin * 3 + channel]! += alpha * data[at + channel]!
    opacity += alpha
  }
  if (opacity === 0) return '#00000000'
  const commonest = counts.indexOf(counts.reduce((most, count) => Math.max(most, count)))
  const middle = [0, 1, 2].map((channel) => sums[commonest * 3 + channel]! / counts[commonest]!)
  const means = [0, 0, 0]
  let weight = 0
  for (let at = 0; at < data.length; at += 4) {
    if (middle.some((level, channel) => Math.abs(data[at + channel]! - level) > NEAR)) continue
    const alpha = data[at + 3]!
    weight += alpha
    for (let channel = 0; channel < 3; channel++) means[channel]! += alpha * data[at + channel]!
  }
  const colour = means.map((sum, channel) => (weight === 0 ? middle[channel]! : sum / weight))
  const coverage = hasAlpha ? [opacity / (data.length / 4)] : []
  return `#${[...colour, ...coverage].map(hex).join('')}`
}

const binOf = (red: number, green: number, blue: number): number =>
  ((red >> (8 - BITS)) << (2 * BITS)) | ((green >> (8 - BITS)) << BITS) | (blue >> (8 - BITS))

const hex = (level: number): string => Math.round(level).toString(16).padStart(2, '0')
