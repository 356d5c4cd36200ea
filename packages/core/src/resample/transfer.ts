import type { Encoding, Raster } from './raster.ts'

/** The largest 16-bit sample. */
export const WHITE = 65_535

/**
 * Applies sRGB's transfer function (IEC 61966-2-1) to an encoded value 0…1 and returns light 0…1. Display P3 has the
 * same.
 */
export function toLight(encoded: number): number {
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4
}

/** Returns the inverse of `toLight`. */
export function fromLight(light: number): number {
  return light <= 0.003_130_8 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
}

const tables = new Map<Encoding, Uint16Array>()

/** Returns the table from samples of an encoding to 16 bits of light. */
export function lightTable(encoding: Encoding): Uint16Array {
  const made = tables.get(encoding)
  if (made !== undefined) return made
  const top = encoding === 'gamma8' ? 255 : WHITE
  const table = Uint16Array.from({ length: top + 1 }, (_, sample) =>
    encoding === 'linear16' ? sample : Math.round(WHITE * toLight(sample / top)),
  )
  tables.set(encoding, table)
  return table
}

let encoded: Uint8Array | undefined

/** Returns the table from 16 bits of light to the nearest 8-bit samples of the transfer function. */
export function encodedTable(): Uint8Array {
  encoded ??= Uint8Array.from({ length: WHITE + 1 }, (_, light) => Math.round(255 * fromLight(light / WHITE)))
  return encoded
}

/**
 * Rounds 16 bits to the nearest 8 bits: 257 steps to one, where cutting off the lower byte would darken by half a step.
 */
export const toByte = (word: number): number => (word * 255 + 32_895) >>> 16

/** Returns the 8-bit pixels of a raster, without a copy where it has them already. */
export function toBytes(raster: Raster): Buffer {
  const { encoding, channels } = raster
  if (encoding === 'gamma8')
    return Buffer.isBuffer(raster.data)
      ? raster.data
      : Buffer.from(raster.data.buffer, raster.data.byteOffset, raster.data.length)
  const words = raster.data
  const bytes = Buffer.allocUnsafe(words.length)
  if (encoding === 'gamma16') {
    for (let at = 0; at < words.length; at++) bytes[at] = toByte(words[at]!)
    return bytes
  }
  const table = encodedTable()
  for (let at = 0; at < words.length; at += channels) {
    bytes[at] = table[words[at]!]!
    bytes[at + 1] = table[words[at + 1]!]!
    bytes[at + 2] = table[words[at + 2]!]!
    if (channels === 4) bytes[at + 3] = toByte(words[at + 3]!)
  }
  return bytes
}
