import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import type { Sharp } from 'sharp'

const small = (alpha = 1): Sharp =>
  sharp({ create: { width: 32, height: 24, channels: 4, background: { r: 170, g: 85, b: 51, alpha } } })

/** Changes the bytes of a small picture so that its header claims another size. */
type Claim = (width: number, height: number) => Promise<Buffer>

const CLAIMS = {
  async png(width, height) {
    const file = await small().png().toBuffer()
    file.writeUInt32BE(width, 16)
    file.writeUInt32BE(height, 20)
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29)
    return file
  },
  async avif(width, height) {
    const file = await small().removeAlpha().avif().toBuffer()
    const at = file.indexOf('ispe') + 8
    file.writeUInt32BE(width, at)
    file.writeUInt32BE(height, at + 4)
    return file
  },
  async jpeg(width, height) {
    const file = await small().jpeg().toBuffer()
    const at = file.indexOf(Buffer.of(0xff, 0xc0)) + 5
    file.writeUInt16BE(height, at)
    file.writeUInt16BE(width, at + 2)
    return file
  },
  async gif(width, height) {
    const file = await small().gif().toBuffer()
    file.writeUInt16LE(width, 6)
    file.writeUInt16LE(height, 8)
    return file
  },
  /** A canvas with transparency around a frame. */
  async webp(width, height) {
    const file = await small(0.5).webp().toBuffer()
    const at = file.indexOf('VP8X') + 12
    file.writeUIntLE(width - 1, at, 3)
    file.writeUIntLE(height - 1, at + 3, 3)
    return file
  },
  async losslessWebp(width, height) {
    const file = await small().webp({ lossless: true }).toBuffer()
    const at = file.indexOf('VP8L') + 9
    const others = file.readUInt32LE(at) & 0xf0000000
    file.writeInt32LE(others | ((height - 1) << 14) | (width - 1), at)
    return file
  },
  async lossyWebp(width, height) {
    const file = await small().removeAlpha().webp().toBuffer()
    const at = file.indexOf(Buffer.of(0x9d, 0x01, 0x2a)) + 3
    file.writeUInt16LE(width, at)
    file.writeUInt16LE(height, at + 2)
    return file
  },
} as const satisfies Record<string, Claim>

/** A file whose header claims more pixels than anybody decodes, with the size as people write it. */
export interface AbsurdSize {
  readonly format: string
  readonly size: string
  readonly data: Buffer
}

/** Returns small files of every format that sharp reads, with the largest sizes that their headers can claim. */
export async function absurdSizes(): Promise<AbsurdSize[]> {
  const sizes = [
    ['png', 2 ** 31 - 1, 2 ** 31 - 1],
    ['png', 2 ** 31 - 1, 3],
    ['avif', 2 ** 31 - 1, 2 ** 31 - 1],
    ['avif', 2 ** 31 - 1, 3],
    ['avif', 2 ** 32 - 1, 2 ** 32 - 1],
    ['jpeg', 65_535, 65_535],
    ['gif', 65_535, 65_535],
    ['webp', 2 ** 24, 2 ** 24],
    ['losslessWebp', 2 ** 14, 2 ** 14],
    ['lossyWebp', 2 ** 14 - 1, 2 ** 14 - 1],
  ] as const
  const files: AbsurdSize[] = []
  for (const [format, width, height] of sizes) {
    files.push({ format, size: `${width}×${height}`, data: await CLAIMS[format](width, height) })
  }
  return files
}
