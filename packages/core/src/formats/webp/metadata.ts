/** WebP: a RIFF file. Source: RFC 9649 section 2. */
import { ascii, asciiAt, concatBytes, hasAscii, littleEndian32, uint16, uint32 } from '../../metadata/bytes.ts'
import { readExif } from '../../metadata/exif-read.ts'
import { buildWholeExif } from '../../metadata/exif-write.ts'
import { mergeMetadata } from '../../metadata/select.ts'
import type { Metadata } from '../../metadata/types.ts'
import { readXmp } from '../../metadata/xmp.ts'

const HEADER_SIZE = 12
const CHUNK_HEADER_SIZE = 8

/** Bits of the first byte of `VP8X`. */
const FLAG = { alpha: 0x10, exif: 0x08, xmp: 0x04 } as const

/** Chunks that make the picture. */
const SHOWN: ReadonlySet<string> = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'])

/** Chunks of one file that are looked at. An animation has one for each frame. */
const MOST_CHUNKS = 65_536

interface Chunk {
  type: string
  /** Header, data and padding. */
  whole: Uint8Array
  data: Uint8Array
}

/** Parses the chunks in order. `complete` tells whether they fill the RIFF exactly and the RIFF is whole. */
function parse(file: Uint8Array): { chunks: Chunk[]; complete: boolean } {
  const chunks: Chunk[] = []
  if (!hasAscii(file, 0, 'RIFF') || !hasAscii(file, 8, 'WEBP')) return { chunks, complete: false }
  const riffEnd = CHUNK_HEADER_SIZE + uint32(file, 4, true)
  const limit = Math.min(riffEnd, file.length)
  let at = HEADER_SIZE
  while (at + CHUNK_HEADER_SIZE <= limit && chunks.length < MOST_CHUNKS) {
    const size = uint32(file, at + 4, true)
    const start = at + CHUNK_HEADER_SIZE
    const end = start + size
    if (end > limit) return { chunks, complete: false }
    const next = Math.min(end + (size % 2), limit)
    chunks.push({ type: asciiAt(file, at, 4), whole: file.subarray(at, next), data: file.subarray(start, end) })
    at = next
  }
  return { chunks, complete: riffEnd <= file.length && at === limit }
}

const find = (chunks: readonly Chunk[], type: string): Uint8Array | undefined =>
  chunks.find((chunk) => chunk.type === type)?.data

/** Tells whether a WebP has content credentials (C2PA 2.1, annex A.3.4). */
export const webpHasCredentials = (file: Uint8Array): boolean => find(parse(file).chunks, 'C2PA') !== undefined

/** Reads the EXIF and XMP of a WebP. */
export function readWebp(file: Uint8Array): Metadata {
  const { chunks } = parse(file)
  const exif = find(chunks, 'EXIF')
  const xmp = find(chunks, 'XMP ')
  return mergeMetadata([exif === undefined ? {} : readExif(exif).metadata, xmp === undefined ? {} : readXmp(xmp)])
}

/** Returns the XMP of a WebP. */
export const readWebpXmp = (file: Uint8Array): Uint8Array | undefined => find(parse(file).chunks, 'XMP ')

/** Writes `XMP `, and announces it in `VP8X`, which is made if missing. */
export function writeWebpXmp(file: Uint8Array, packet: Uint8Array): Uint8Array {
  return withChunk(file, 'XMP ', packet, FLAG.xmp)
}

/** Writes `EXIF`, and announces it in `VP8X`, which is made if missing. */
export function writeWebp(file: Uint8Array, metadata: Metadata): Uint8Array {
  const exif = buildWholeExif(metadata)
  return exif === undefined ? file : withChunk(file, 'EXIF', exif, FLAG.exif)
}

/** Adds a chunk of metadata in the order of the specification, in which XMP comes last. */
function withChunk(file: Uint8Array, added: 'EXIF' | 'XMP ', content: Uint8Array, flag: number): Uint8Array {
  const { chunks, complete } = parse(file)
  if (!complete) return file
  const header = find(chunks, 'VP8X') ?? extendedHeader(chunks)
  if (header === undefined || header.length < 10) return file
  const flagged = header.slice()
  flagged[0] = (header[0] ?? 0) | flag
  return riff([
    encodeChunk('VP8X', flagged),
    ...chunks.filter(({ type }) => type !== 'VP8X' && type !== added).map(padded),
    encodeChunk(added, content),
  ])
}

/** Makes the `VP8X` of a simple file, from its bitstream's header (RFC 6386 section 9.1; RFC 9649 section 3.4). */
function extendedHeader(chunks: readonly Chunk[]): Uint8Array | undefined {
  const [first] = chunks
  if (first === undefined || first.data.length < 10) return undefined
  const { type, data } = first
  let width: number
  let height: number
  let alpha = false
  if (type === 'VP8 ' && data[3] === 0x9d && data[4] === 0x01 && data[5] === 0x2a) {
    // The two highest bits are a hint for upscaling.
    width = uint16(data, 6, true) & 0x3fff
    height = uint16(data, 8, true) & 0x3fff
  } else if (type === 'VP8L' && data[0] === 0x2f) {
    const bits = uint32(data, 1, true)
    width = (bits & 0x3fff) + 1
    height = ((bits >>> 14) & 0x3fff) + 1
    alpha = ((bits >>> 28) & 1) === 1
  } else {
    return undefined
  }
  return concatBytes([
    Uint8Array.of(alpha ? FLAG.alpha : 0, 0, 0, 0),
    littleEndian32(width - 1).subarray(0, 3),
    littleEndian32(height - 1).subarray(0, 3),
  ])
}

/**
 * Removes EXIF, XMP and unknown chunks and everything behind the RIFF. An orientation goes as well: browsers ignore it,
 * so that without it other viewers show what browsers show.
 */
export function stripWebp(file: Uint8Array): Uint8Array {
  const { chunks, complete } = parse(file)
  if (!complete) return file
  const kept: Uint8Array[] = []
  for (const each of chunks) {
    if (each.type === 'VP8X') {
      const header = each.data.slice()
      header[0] = (header[0] ?? 0) & ~(FLAG.exif | FLAG.xmp)
      kept.push(encodeChunk('VP8X', header))
    } else if (SHOWN.has(each.type)) {
      kept.push(padded(each))
    }
  }
  const stripped = riff(kept)
  return stripped.length < file.length ? stripped : file
}

function riff(chunks: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes([ascii('WEBP'), ...chunks])
  return concatBytes([ascii('RIFF'), littleEndian32(body.length), body])
}

function encodeChunk(type: string, data: Uint8Array): Uint8Array {
  return concatBytes([ascii(type), littleEndian32(data.length), data, new Uint8Array(data.length % 2)])
}

/** Returns a chunk as it is, with the padding that some writers leave out at the end of a file. */
function padded({ whole }: Chunk): Uint8Array {
  return whole.length % 2 === 0 ? whole : concatBytes([whole, new Uint8Array(1)])
}
