import { crc32, deflateSync } from 'node:zlib'

export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG with chunks behind its header. */
export const withChunks = (png: Buffer, ...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

export const iccp = (profile: Uint8Array): Buffer =>
  chunk('iCCP', Buffer.concat([Buffer.from('x\0\0', 'latin1'), deflateSync(profile)]))

/** Whole numbers of 32 bits. */
export function words(...values: readonly number[]): Buffer {
  const data = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => data.writeUInt32BE(Math.round(value), index * 4))
  return data
}

/** A file exponent. */
export const gama = (gamma: number): Buffer => chunk('gAMA', words(gamma * 100_000))

/** White, red, green and blue. */
export const chrm = (...xy: readonly number[]): Buffer => chunk('cHRM', words(...xy.map((value) => value * 100_000)))
