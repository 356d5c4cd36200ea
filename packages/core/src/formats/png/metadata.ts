/**
 * PNG and APNG: a signature and chunks of length, type, data and CRC. Source: PNG Specification, Third Edition,
 * sections 5 and 11.
 */
import { crc32, inflateSync } from 'node:zlib'
import { ascii, asciiAt, concatBytes, hasAscii, uint32 } from '../../metadata/bytes.ts'
import { isoDateTime, parseCreation } from '../../metadata/creation.ts'
import { readExif, readShownByExif } from '../../metadata/exif-read.ts'
import { buildExif } from '../../metadata/exif-write.ts'
import { encodePngChunk, pngChunks } from '../../metadata/png-chunks.ts'
import type { PngChunk } from '../../metadata/png-chunks.ts'
import { mergeMetadata, selectMetadata } from '../../metadata/select.ts'
import { decodeText, encodeText } from '../../metadata/text.ts'
import type { Metadata } from '../../metadata/types.ts'
import { readXmp } from '../../metadata/xmp.ts'

/** Signature and IHDR, which every PNG begins with. */
const HEADER_SIZE = 8 + 25

/**
 * The flag and the URL have the names of XMP's properties (`xmpRights`): a packet alone would take twice the bytes of
 * the interface's budget.
 */
const KEYWORD = {
  copyright: 'Copyright',
  flag: 'Marked',
  url: 'WebStatement',
  creation: 'Creation Time',
  xmp: 'XML:com.adobe.xmp',
} as const
const KEYWORDS: ReadonlySet<string> = new Set(Object.values(KEYWORD))

/** Ancillary chunks that browsers let decide about pixels: transparency, colour, high dynamic range, animation. */
const SHOWN: ReadonlySet<string> = new Set([
  'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'mDCv', 'cLLi', 'acTL', 'fcTL', 'fdAT',
]) // prettier-ignore

/** Bytes that one compressed text may have when inflated, and how many are inflated of one file. */
const LONGEST_TEXT = 1 << 20
const MOST_INFLATED = 8

/** Tells whether a PNG has content credentials (C2PA 2.1, annex A.3.2). */
export const pngHasCredentials = (data: Uint8Array): boolean => [...pngChunks(data)].some(({ type }) => type === 'caBX')

/** Reads the metadata of a PNG. */
export function readPng(data: Uint8Array): Metadata {
  const all = [...pngChunks(data)]
  const texts = readTexts(data, all)
  const read = (keyword: string): string | undefined => decodeText(texts.get(keyword) ?? new Uint8Array())
  const text = read(KEYWORD.copyright)
  const url = read(KEYWORD.url)
  const flagged = read(KEYWORD.flag)?.toLowerCase() === 'true'
  const creation = parseCreation(read(KEYWORD.creation) ?? '')
  const merged = mergeMetadata([
    readExif(exifOf(data, all)).metadata,
    readXmp(texts.get(KEYWORD.xmp) ?? new Uint8Array()),
    {
      copyright: {
        ...(text !== undefined && { text }),
        ...(flagged && { flagged }),
        ...(url !== undefined && { url }),
      },
      ...(creation !== undefined && { creation }),
    },
  ])
  // The remote interface has no location for PNG.
  return selectMetadata(merged, ['copyright', 'creation'])
}

/** Returns the packet of XMP of a PNG. */
export function readPngXmp(data: Uint8Array): Uint8Array | undefined {
  return readTexts(data, [...pngChunks(data)]).get(KEYWORD.xmp)
}

/** Writes XMP behind IHDR, uncompressed as the specification of XMP asks, in place of another packet. */
export function writePngXmp(data: Uint8Array, packet: Uint8Array): Uint8Array {
  const former = [...pngChunks(data)].find(
    ({ type, content }) => type === 'iTXt' && hasAscii(data, content, `${KEYWORD.xmp}\0`),
  )
  return concatBytes([
    data.subarray(0, HEADER_SIZE),
    internationalTextChunk(KEYWORD.xmp, packet),
    data.subarray(HEADER_SIZE, former?.start ?? data.length),
    data.subarray(former?.end ?? data.length),
  ])
}

/** Reads the EXIF orientation of a PNG; 1 where it has none. */
export function readPngOrientation(data: Uint8Array): number {
  const all: PngChunk[] = []
  // A chunk behind the pixels turns no picture.
  for (const chunk of pngChunks(data)) {
    if (isPixels(chunk)) break
    all.push(chunk)
  }
  const exif = exifOf(data, all)
  // The prefix belongs to JPEG: browsers do not know it here.
  return hasAscii(exif, 0, 'Exif\0') ? 1 : readShownByExif(exif).orientation
}

/** Returns the EXIF block, or nothing. */
function exifOf(data: Uint8Array, all: readonly PngChunk[]): Uint8Array {
  const chunk = exifChunk(data, all)
  return chunk === undefined ? new Uint8Array() : data.subarray(chunk.content, chunk.contentEnd)
}

/** Finds the chunk with EXIF. Decoders discard ancillary chunks with a wrong CRC, and so does this. */
const exifChunk = (data: Uint8Array, all: readonly PngChunk[]): PngChunk | undefined =>
  all.find(
    ({ type, start, contentEnd }) =>
      type === 'eXIf' && crc32(data.subarray(start + 4, contentEnd)) === uint32(data, contentEnd),
  )

/** Returns the text of each wanted keyword, raw: the first of a keyword counts. */
function readTexts(data: Uint8Array, all: readonly PngChunk[]): Map<string, Uint8Array> {
  const texts = new Map<string, Uint8Array>()
  let inflations = 0
  for (const { type, content, contentEnd } of all) {
    if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') continue
    const body = data.subarray(content, contentEnd)
    // A keyword has at most 79 bytes and ends with a NUL.
    const keyword = asciiAt(body, 0, Math.max(0, body.subarray(0, 80).indexOf(0)))
    if (!KEYWORDS.has(keyword) || texts.has(keyword)) continue
    const { text, compressed } = textOf(type, body, keyword.length + 1)
    if (compressed && ++inflations > MOST_INFLATED) continue
    const plain = compressed ? inflate(text) : text
    if (plain !== undefined) texts.set(keyword, plain)
  }
  return texts
}

function textOf(type: string, chunk: Uint8Array, at: number): { text: Uint8Array; compressed: boolean } {
  if (type === 'tEXt') return { text: chunk.subarray(at), compressed: false }
  if (type === 'zTXt') return { text: chunk.subarray(at + 1), compressed: true }
  // Compression flag, method, language tag and translated keyword, the last two ending with a NUL.
  const languageEnd = chunk.indexOf(0, at + 2)
  const keywordEnd = languageEnd < 0 ? -1 : chunk.indexOf(0, languageEnd + 1)
  if (keywordEnd < 0) return { text: new Uint8Array(), compressed: false }
  return { text: chunk.subarray(keywordEnd + 1), compressed: chunk[at] === 1 }
}

function inflate(compressed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(compressed, { maxOutputLength: LONGEST_TEXT })
  } catch {
    // A damaged text, or a decompression bomb, counts as absent.
    return undefined
  }
}

/** Writes uncompressed text chunks behind IHDR. The remote interface has no location for PNG, so none is written. */
export function writePng(data: Uint8Array, metadata: Metadata): Uint8Array {
  const { copyright, creation } = metadata
  const added = [
    ...(copyright?.text === undefined ? [] : [textChunk(KEYWORD.copyright, encodeText(copyright.text))]),
    ...(copyright?.flagged === undefined ? [] : [textChunk(KEYWORD.flag, ascii('True'))]),
    ...(copyright?.url === undefined ? [] : [textChunk(KEYWORD.url, encodeText(copyright.url))]),
    ...(creation === undefined ? [] : [textChunk(KEYWORD.creation, ascii(isoDateTime(creation)))]),
  ]
  if (added.length === 0 || pngChunks(data).next().done === true) return data
  return concatBytes([data.subarray(0, HEADER_SIZE), ...added, data.subarray(HEADER_SIZE)])
}

/** `tEXt` is Latin-1, so it holds plain ASCII the same as UTF-8; everything else goes into `iTXt`, which is UTF-8. */
function textChunk(keyword: string, text: Uint8Array): Uint8Array {
  if (text.some((byte) => byte >= 0x80)) return internationalTextChunk(keyword, text)
  return encodePngChunk('tEXt', [ascii(`${keyword}\0`), text])
}

function internationalTextChunk(keyword: string, text: Uint8Array): Uint8Array {
  const uncompressedNoLanguageNoTranslation = new Uint8Array(4)
  return encodePngChunk('iTXt', [ascii(`${keyword}\0`), uncompressedNoLanguageNoTranslation, text])
}

/**
 * Removes ancillary chunks that browsers do not show (text, time, EXIF, physical size, significant bits, suggested
 * palettes and backgrounds, unknown ones) and everything behind IEND. An orientation in `eXIf` is kept.
 */
export function stripPng(data: Uint8Array): Uint8Array {
  const all = [...pngChunks(data)]
  const pixels = all.slice(all.findIndex(isPixels), all.findLastIndex(isPixels) + 1)
  // Decoders stop at what stands between two IDAT: without it, they would show more.
  if (all.at(-1)?.type !== 'IEND' || !pixels.every(isPixels)) return data
  const exif = buildExif({ orientation: readPngOrientation(data) })
  const exifAt = exifChunk(data, all)?.start
  const kept: Uint8Array[] = [data.subarray(0, 8)]
  for (const { type, start, end } of all) {
    const whole = data.subarray(start, end)
    if (start === exifAt && exif !== undefined) {
      const minimal = encodePngChunk('eXIf', [exif])
      kept.push(minimal.length < whole.length ? minimal : whole)
    } else if (isCritical(type) || SHOWN.has(type)) {
      kept.push(whole)
    }
  }
  const stripped = concatBytes(kept)
  return stripped.length < data.length ? stripped : data
}

function isPixels({ type }: PngChunk): boolean {
  return type === 'IDAT'
}

/** Tells whether a decoder must know a chunk: the first letter of its name is a capital. */
function isCritical(type: string): boolean {
  return type.charCodeAt(0) < 0x60
}
