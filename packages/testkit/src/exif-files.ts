import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import type { Sharp } from 'sharp'

/** One field of a directory of EXIF. */
export interface ExifField {
  readonly tag: number
  readonly type: number
  readonly values: readonly (number | readonly [number, number])[]
  readonly count?: number
  readonly in?: 'exif'
}

/** Types of values (Exif 2.32 section 4.6.2). */
export const TYPE: Readonly<
  Record<'byte' | 'ascii' | 'short' | 'long' | 'rational' | 'undefined' | 'sshort' | 'slong', number>
> = { byte: 1, ascii: 2, short: 3, long: 4, rational: 5, undefined: 7, sshort: 8, slong: 9 }
const BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 8: 2, 9: 4 }

const bytesOfDirectory = (values: number): number => 2 + 12 * values + 4

/** Writes a block of EXIF with any fields, whatever they mean, and the pointer to the EXIF directory at a place. */
export function exif(order: 'II' | 'MM', fields: readonly ExifField[], pointer: 'first' | 'last' = 'last'): Buffer {
  const inner = fields.filter((field) => field.in === 'exif')
  const outer = fields.filter((field) => field.in !== 'exif')
  const innerAt = 8 + bytesOfDirectory(outer.length + (inner.length > 0 ? 1 : 0))
  const link = inner.length > 0 ? [{ tag: 0x8769, type: TYPE.long, values: [innerAt] }] : []
  const root: readonly ExifField[] = pointer === 'first' ? [...link, ...outer] : [...outer, ...link]
  const block = Buffer.alloc(1024)
  let end = innerAt + (inner.length > 0 ? bytesOfDirectory(inner.length) : 0)
  const put = (value: number, bytes: number, at: number): void => {
    if (order === 'II') block.writeUIntLE(value, at, bytes)
    else block.writeUIntBE(value, at, bytes)
  }
  const directory = (list: readonly ExifField[], start: number): void => {
    put(list.length, 2, start)
    for (const [index, { tag, type, values, count = values.length }] of list.entries()) {
      const at = start + 2 + 12 * index
      put(tag, 2, at)
      put(type, 2, at + 2)
      put(count, 4, at + 4)
      const each = BYTES[type]!
      let place = at + 8
      if (each * values.length > 4) {
        put(end, 4, place)
        place = end
        end += each * values.length
      }
      for (const [nth, value] of values.entries()) {
        const parts = typeof value === 'number' ? [value] : value
        for (const [part, number] of parts.entries()) put(number, each / parts.length, place + nth * each + part * 4)
      }
    }
  }
  block.write(`${order}`, 'latin1')
  put(42, 2, 2)
  put(8, 4, 4)
  directory(root, 8)
  if (inner.length > 0) directory(inner, innerAt)
  return block.subarray(0, end)
}

/** The field of the orientation, of any type. */
export const orientation = (type: number, values: readonly number[], more: Partial<ExifField> = {}): ExifField => ({
  tag: 0x0112,
  type,
  values: type === TYPE.rational ? values.map((value) => [value, 1] as const) : values,
  ...more,
})

/** The fields from which Chromium takes the size of a picture: resolutions, their unit, and pixel dimensions. */
export function resolution({
  dpi,
  unit = 2,
  size,
  type = TYPE.short,
}: {
  readonly dpi: readonly [number, number]
  readonly unit?: number
  readonly size: readonly [number, number]
  readonly type?: number
}): ExifField[] {
  return [
    { tag: 0x011a, type: TYPE.rational, values: [[dpi[0], 1]] },
    { tag: 0x011b, type: TYPE.rational, values: [[dpi[1], 1]] },
    { tag: 0x0128, type: TYPE.short, values: [unit] },
    { tag: 0xa002, type, values: [size[0]], in: 'exif' },
    { tag: 0xa003, type, values: [size[1]], in: 'exif' },
  ]
}

/** A picture whose four corners have four colours, so that every turn shows. */
export function corners(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3, 128)
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    // The texture makes files from which something can be saved.
    const grain = (x * 7 + y * 13) % 24
    pixels[3 * at] = (x < width / 2 ? 220 : 10) + grain
    pixels[3 * at + 1] = (y < height / 2 ? 220 : 10) + grain
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** Returns an APP1 segment with a block of EXIF. */
export const exifSegment = (block: Buffer, prefix = 'Exif\0\0'): Buffer =>
  segment(0xe1, Buffer.concat([Buffer.from(prefix, 'latin1'), block]))

/** Puts segments behind the first marker of a JPEG. */
export const inJpeg = (jpeg: Buffer, ...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

/** Bytes of signature and IHDR, and of IEND. */
const [HEAD, END] = [33, 12]

/** Returns a chunk with its check sum. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** Puts chunks in front of the pixels of a PNG. */
export const inPng = (png: Buffer, ...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, HEAD), ...chunks, png.subarray(HEAD)])

/** Puts chunks behind the pixels of a PNG. */
export const behindPixels = (png: Buffer, ...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, -END), ...chunks, png.subarray(-END)])

/** Adds a chunk of EXIF to a simple WebP. */
export function inWebp(webp: Buffer, { width, height }: { width: number; height: number }, block: Buffer): Buffer {
  const header = Buffer.alloc(18)
  header.write('VP8X', 'latin1')
  header.writeUInt32LE(10, 4)
  header[8] = 0x08
  header.writeUIntLE(width - 1, 12, 3)
  header.writeUIntLE(height - 1, 15, 3)
  const exifChunk = Buffer.alloc(8 + block.length + (block.length % 2))
  exifChunk.write('EXIF', 'latin1')
  exifChunk.writeUInt32LE(block.length, 4)
  block.copy(exifChunk, 8)
  const body = Buffer.concat([Buffer.from('WEBP'), header, webp.subarray(12), exifChunk])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF'), size, body])
}

const numbers = (...values: number[]): Buffer => Buffer.concat(values.map(bytesOf))

/** Returns an animation of two PNG files of one size. @param chunks in front of its frames */
export function animatedPng(first: Buffer, second: Buffer, chunks: readonly Buffer[]): Buffer {
  const size = first.subarray(16, 24)
  const control = (place: number): Buffer =>
    pngChunk('fcTL', Buffer.concat([numbers(place), size, numbers(0, 0), Buffer.from([0, 10, 0, 10, 0, 0])]))
  return Buffer.concat([
    first.subarray(0, HEAD),
    pngChunk('acTL', numbers(2, 0)),
    ...chunks,
    control(0),
    pngChunk('IDAT', pixelsOf(first)),
    control(1),
    pngChunk('fdAT', Buffer.concat([numbers(2), pixelsOf(second)])),
    first.subarray(-END),
  ])
}

function bytesOf(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The content of all IDAT. */
function pixelsOf(png: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const content = at + 8
    if (png.toString('latin1', at + 4, content) === 'IDAT')
      parts.push(png.subarray(content, content + png.readUInt32BE(at)))
  }
  return Buffer.concat(parts)
}
