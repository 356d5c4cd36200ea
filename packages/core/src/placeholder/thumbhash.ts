import type { Size } from '../resample/size.ts'
import type { Samples } from './samples.ts'

/*
 * ThumbHash by Evan Wallace, after its description (https://evanw.github.io/thumbhash/): cosines of luminance (L), two
 * differences of colour (P: yellow to blue, Q: red to green) and opacity (A). A hash of 24 bits of means and scales, 16
 * of shape, and 4 bits for every other cosine.
 *
 * bits 0–5 L mean, 6–11 P mean, 12–17 Q mean, 18–22 L scale, 23 has opacity
 * bits 0–2 L's cosines of the shorter side, 3–8 P scale, 9–14 Q scale, 15 is landscape
 * where it has opacity: 4 bits of its mean, 4 of its scale
 */

/** A channel as cosines: its mean, and the others as shares of the largest. */
interface Channel {
  readonly mean: number
  /** 0 to 1, where 0.5 is none. */
  readonly cosines: readonly number[]
  readonly scale: number
}

/** Computes the hash of a picture of at most 100 pixels a side. */
export function encodeThumbHash({ data, width, height, hasAlpha }: Samples): Uint8Array {
  const pixels = width * height
  const mean = meanColour(data)
  const l = new Float64Array(pixels)
  const p = new Float64Array(pixels)
  const q = new Float64Array(pixels)
  const a = new Float64Array(pixels)
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += 4) {
    const alpha = data[at + 3]! / 255
    const red = mean[0] * (1 - alpha) + (alpha / 255) * data[at]!
    const green = mean[1] * (1 - alpha) + (alpha / 255) * data[at + 1]!
    const blue = mean[2] * (1 - alpha) + (alpha / 255) * data[at + 2]!
    l[pixel] = (red + green + blue) / 3
    p[pixel] = (red + green) / 2 - blue
    q[pixel] = red - green
    a[pixel] = alpha
  }
  const most = hasAlpha ? 5 : 7
  const longer = Math.max(width, height)
  const columns = Math.max(1, Math.round((most * width) / longer))
  const rows = Math.max(1, Math.round((most * height) / longer))
  const size = { width, height }
  const luminance = toCosines(l, size, Math.max(3, columns), Math.max(3, rows))
  const yellow = toCosines(p, size, 3, 3)
  const red = toCosines(q, size, 3, 3)
  const landscape = width > height
  const first =
    Math.round(63 * luminance.mean) |
    (Math.round(31.5 + 31.5 * yellow.mean) << 6) |
    (Math.round(31.5 + 31.5 * red.mean) << 12) |
    (Math.round(31 * luminance.scale) << 18) |
    (Number(hasAlpha) << 23)
  const second =
    (landscape ? rows : columns) |
    (Math.round(63 * yellow.scale) << 3) |
    (Math.round(63 * red.scale) << 9) |
    (Number(landscape) << 15)
  const bytes = [first & 255, (first >> 8) & 255, first >> 16, second & 255, second >> 8]
  const channels = [luminance, yellow, red]
  if (hasAlpha) {
    const opacity = toCosines(a, size, 5, 5)
    bytes.push(Math.round(15 * opacity.mean) | (Math.round(15 * opacity.scale) << 4))
    channels.push(opacity)
  }
  const nibbles = channels.flatMap(({ cosines }) => cosines.map((cosine) => Math.round(15 * cosine)))
  for (let at = 0; at < nibbles.length; at += 2) bytes.push(nibbles[at]! | ((nibbles[at + 1] ?? 0) << 4))
  return Uint8Array.from(bytes)
}

/** Returns mean red, green and blue, 0 to 1, weighted by opacity. */
function meanColour(data: Uint8Array): readonly [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0]
  let opacity = 0
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]! / 255
    for (let channel = 0; channel < 3; channel++) sums[channel]! += (alpha / 255) * data[at + channel]!
    opacity += alpha
  }
  return opacity === 0 ? sums : [sums[0] / opacity, sums[1] / opacity, sums[2] / opacity]
}

/** Yields the cosines that there are: a triangle of the lowest, row by row. */
function* cosinesOf(columns: number, rows: number): Generator<readonly [x: number, y: number]> {
  for (let y = 0; y < rows; y++) for (let x = y === 0 ? 1 : 0; x * rows < columns * (rows - y); x++) yield [x, y]
}

function toCosines(samples: Float64Array, { width, height }: Size, columns: number, rows: number): Channel {
  const across = waves(width, columns)
  const down = waves(height, rows)
  const partOf = (x: number, y: number): number => {
    let sum = 0
    for (let row = 0, at = 0; row < height; row++) {
      const wave = down[y]![row]!
      for (let column = 0; column < width; column++, at++) sum += samples[at]! * across[x]![column]! * wave
    }
    return sum / (width * height)
  }
  const parts = [...cosinesOf(columns, rows)].map(([x, y]) => partOf(x, y))
  const scale = Math.max(0, ...parts.map(Math.abs))
  const cosines = parts.map((part) => (scale === 0 ? 0.5 : 0.5 + (0.5 / scale) * part))
  return { mean: partOf(0, 0), cosines: scale === 0 ? parts.map(() => 0) : cosines, scale }
}

/** Returns half-wave cosines at the middle of every pixel. */
function waves(pixels: number, count: number): readonly Float64Array[] {
  return Array.from({ length: count }, (_, wave) =>
    Float64Array.from({ length: pixels }, (__, at) => Math.cos((Math.PI / pixels) * wave * (at + 0.5))),
  )
}

/** Decodes a hash to RGBA of the given size. */
export function decodeThumbHash(hash: Uint8Array, { width, height }: Size): Uint8Array {
  const first = hash[0]! | (hash[1]! << 8) | (hash[2]! << 16)
  const second = hash[3]! | (hash[4]! << 8)
  const hasAlpha = first >> 23 !== 0
  const landscape = second >> 15 !== 0
  const longest = hasAlpha ? 5 : 7
  const columns = Math.max(3, landscape ? longest : second & 7)
  const rows = Math.max(3, landscape ? second & 7 : longest)
  const start = hasAlpha ? 6 : 5
  let nibble = 0
  const take = (x: number, y: number, scale: number): Part[] =>
    [...cosinesOf(x, y)].map(([column, row]) => {
      const value = (hash[start + (nibble >> 1)]! >> ((nibble++ & 1) << 2)) & 15
      return { column, row, value: (value / 7.5 - 1) * scale }
    })
  // Colours are shown 1.25 times as strong, since few bits make them pale.
  const l = take(columns, rows, ((first >> 18) & 31) / 31)
  const p = take(3, 3, (((second >> 3) & 63) / 63) * 1.25)
  const q = take(3, 3, (((second >> 9) & 63) / 63) * 1.25)
  const a = hasAlpha ? take(5, 5, (hash[5]! >> 4) / 15) : []
  const across = waves(width, Math.max(columns, 5))
  const down = waves(height, Math.max(rows, 5))
  const data = new Uint8Array(width * height * 4)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) {
      const sum = (mean: number, parts: readonly Part[]): number =>
        parts.reduce((total, { column, row, value }) => total + value * across[column]![x]! * down[row]![y]! * 2, mean)
      const luminance = sum((first & 63) / 63, l)
      const yellow = sum(((first >> 6) & 63) / 31.5 - 1, p)
      const redness = sum(((first >> 12) & 63) / 31.5 - 1, q)
      const blue = luminance - (2 / 3) * yellow
      const red = (3 * luminance - blue + redness) / 2
      data[at] = toByte(red)
      data[at + 1] = toByte(red - redness)
      data[at + 2] = toByte(blue)
      data[at + 3] = hasAlpha ? toByte(sum((hash[5]! & 15) / 15, a)) : 255
    }
  return data
}

interface Part {
  readonly column: number
  readonly row: number
  readonly value: number
}

const toByte = (share: number): number => Math.round(255 * Math.min(1, Math.max(0, share)))
