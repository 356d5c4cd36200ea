import { zlibSync } from 'fflate'

/** In a browser: what the engine takes of `node:zlib`, from fflate. Levels are the same, strategies are its own. */
export const deflateSync = (data: Uint8Array, { level = 6 }: { level?: number } = {}): Uint8Array =>
  zlibSync(data, { level: level as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 })

export const constants = { Z_RLE: 3 } as const

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

/** The check sum of PNG's chunks (ISO 3309). */
export function crc32(data: Uint8Array, before: number = 0): number {
  let value = ~before
  for (const byte of data) value = TABLE[(value ^ byte) & 255]! ^ (value >>> 8)
  return ~value >>> 0
}
