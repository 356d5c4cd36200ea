import { fromLight, toLight } from '../resample/transfer.ts'
import type { Size } from '../resample/size.ts'
import type { Samples } from './samples.ts'

/*
 * BlurHash by Wolt, after its description (https://github.com/woltapp/blurhash/blob/master/Algorithm.md): cosines of light, each
 * colour of one in two digits of base 83, behind digits for their number, the largest, and the mean colour.
 */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'

/** Cosines of the longer side; the shorter has at least one fewer where it is clearly shorter. */
const LONGER = 4
const SHORTER = 3

/** A colour, in light from 0 to 1, or as a part of it. */
type Colour = readonly [red: number, green: number, blue: number]

/**
 * Computes the hash of a picture, 28 or 36 characters. It knows no opacity: what is transparent takes the mean of what
 * is not.
 * @param samples at most 100 pixels a side
 */
export function encodeBlurHash(samples: Samples): string {
  const { width, height } = samples
  const columns = width * SHORTER < height * LONGER && width < height ? SHORTER : LONGER
  const rows = height * LONGER < width * LONGER && height < width ? SHORTER : LONGER
  const light = lightOf(samples)
  const across = waves(width, columns)
  const down = waves(height, rows)
  const parts: Colour[] = []
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++)
      parts.push(partOf(light, { across: across[x]!, down: down[y]! }, x === 0 && y === 0 ? 1 : 2))
  const [mean, ...others] = parts as [Colour, ...Colour[]]
  const largest = Math.max(...others.flat().map(Math.abs))
  const scale = Math.max(0, Math.min(82, Math.floor(largest * 166 - 0.5)))
  const most = (scale + 1) / 166
  return [
    digits(columns - 1 + (rows - 1) * 9, 1),
    digits(scale, 1),
    digits(
      mean.reduce((packed, part) => packed * 256 + encoded(part), 0),
      4,
    ),
    ...others.map((colour) =>
      digits(
        colour.reduce((packed, part) => packed * 19 + step(part / most), 0),
        2,
      ),
    ),
  ].join('')
}

/** A cosine in each direction, one value for each column and each row of the picture. */
interface Wave {
  readonly across: Float64Array
  readonly down: Float64Array
}

/** Returns the part of a picture that a wave makes up. */
function partOf(light: Float64Array, { across, down }: Wave, weight: number): Colour {
  const [width, height] = [across.length, down.length]
  const sums: [number, number, number] = [0, 0, 0]
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const wave = across[x]! * down[y]!
      for (let channel = 0; channel < 3; channel++) sums[channel]! += wave * light[at + channel]!
    }
  const [red, green, blue] = sums.map((sum) => (weight * sum) / (width * height)) as [number, number, number]
  return [red, green, blue]
}

/** Returns the light of every pixel; where it is transparent, the mean of the picture shows through. */
function lightOf({ data, width, height }: Samples): Float64Array {
  const light = new Float64Array(width * height * 3)
  const sums = [0, 0, 0]
  let opacity = 0
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    const alpha = data[from + 3]! / 255
    opacity += alpha
    for (let channel = 0; channel < 3; channel++) {
      const value = toLight(data[from + channel]! / 255)
      light[to + channel] = value * alpha
      sums[channel]! += value * alpha
    }
  }
  const mean = sums.map((sum) => (opacity === 0 ? 0 : sum / opacity))
  for (let from = 3, to = 0; from < data.length; from += 4, to += 3) {
    const clear = 1 - data[from]! / 255
    if (clear > 0) for (let channel = 0; channel < 3; channel++) light[to + channel]! += clear * mean[channel]!
  }
  return light
}

/** The description takes the left edge of every pixel, not its middle. */
function waves(pixels: number, count: number): readonly Float64Array[] {
  return Array.from({ length: count }, (_, wave) =>
    Float64Array.from({ length: pixels }, (__, at) => Math.cos((Math.PI * wave * at) / pixels)),
  )
}

/** Decodes a hash to opaque RGBA of the given size. */
export function decodeBlurHash(hash: string, { width, height }: Size): Uint8Array {
  const value = (from: number, length: number): number =>
    Array.from(hash.slice(from, from + length)).reduce((sum, digit) => sum * 83 + DIGITS.indexOf(digit), 0)
  const columns = (value(0, 1) % 9) + 1
  const rows = Math.floor(value(0, 1) / 9) + 1
  const most = (value(1, 1) + 1) / 166
  const mean = value(2, 4)
  const parts = [[mean >> 16, (mean >> 8) & 255, mean & 255].map((part) => toLight(part / 255))]
  for (let part = 1; part < columns * rows; part++) {
    const packed = value(4 + part * 2, 2)
    parts.push([Math.floor(packed / 361), Math.floor(packed / 19) % 19, packed % 19].map((each) => unstep(each) * most))
  }
  const across = waves(width, columns)
  const down = waves(height, rows)
  const data = new Uint8Array(width * height * 4)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) {
      for (let channel = 0; channel < 3; channel++) {
        let light = 0
        for (const [part, colour] of parts.entries())
          light += colour[channel]! * across[part % columns]![x]! * down[Math.floor(part / columns)]![y]!
        data[at + channel] = encoded(light)
      }
      data[at + 3] = 255
    }
  return data
}

const encoded = (light: number): number => Math.round(255 * fromLight(Math.min(1, Math.max(0, light))))

/** Returns a part of the largest, −1 to 1, in 19 steps that are finer where it is small. */
const step = (part: number): number =>
  Math.max(0, Math.min(18, Math.floor(Math.sign(part) * Math.sqrt(Math.abs(part)) * 9 + 9.5)))

const unstep = (value: number): number => Math.sign(value - 9) * ((value - 9) / 9) ** 2

function digits(value: number, length: number): string {
  return Array.from({ length }, (_, at) => DIGITS[Math.floor(value / 83 ** (length - 1 - at)) % 83]).join('')
}
