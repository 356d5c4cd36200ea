import { ascii, asciiAt, concatBytes } from '../../metadata/bytes.ts'
import { pngChunks } from '../../metadata/png-chunks.ts'
import { buildXmp, readXmpProperties } from '../../metadata/xmp.ts'
import type { XmpProperty } from '../../metadata/xmp.ts'
import type { InputType } from '../../base/types.ts'
import { readJpegXmp, writeJpegXmp } from '../jpeg/xmp.ts'
import { readPngXmp, writePngXmp } from '../png/metadata.ts'
import { readWebpXmp, writeWebpXmp } from '../webp/metadata.ts'
import { PAYLOADS } from './table.ts'
import type { Payload, Place } from './table.ts'

/** A payload of one file, with the parts that a result can have. */
export interface FoundPayload {
  readonly payload: Payload
  /** Absent where only the whole file keeps it. */
  readonly parts?: Parts
}

interface Parts {
  /** Whole chunks of a PNG. */
  readonly chunks: readonly Uint8Array[]
  /** Parts of an SVG's text, with the namespaces that they need. */
  readonly texts: readonly string[]
  readonly properties: readonly XmpProperty[]
}

/** Returns the note about a payload that a result does not have. */
export const leftOut = (name: string): string => `Its ${name} is left out.`

const NO_PARTS: Parts = { chunks: [], texts: [], properties: [] }

/** Finds the payloads of a file, in the order of the table. Never throws. */
export function findPayloads(source: Uint8Array, type: InputType): readonly FoundPayload[] {
  const file = openFile(source, type)
  return PAYLOADS.flatMap((payload) => {
    const found = payload.places.map((place) => partsIn(file, place)).filter((parts) => parts !== undefined)
    if (found.length === 0) return []
    if (found.includes('whole')) return [{ payload }]
    const parts = (found as Parts[]).reduce(joined)
    return [{ payload, parts }]
  })
}

const joined = (one: Parts, other: Parts): Parts => ({
  chunks: [...one.chunks, ...other.chunks],
  texts: [...one.texts, ...other.texts],
  properties: [...one.properties, ...other.properties],
})

/** A file as far as payloads need it: read once for all rows of the table. */
interface OpenFile {
  readonly source: Uint8Array
  readonly type: InputType
  /** Chunks of a PNG besides its pixels. */
  readonly chunks: readonly { readonly type: string; readonly keyword: string; readonly whole: Uint8Array }[]
  /** XMP where the codec reads and writes it; else every byte, in which a namespace may stand. */
  readonly packet: { readonly bytes: Uint8Array; readonly isWritable: boolean } | undefined
  readonly text: string
}

function openFile(source: Uint8Array, type: InputType): OpenFile {
  const xmp = XMP[type]
  // An SVG declares the namespaces of its own metadata.
  const other = type === 'image/svg+xml' ? undefined : source
  const packet = xmp === undefined ? other : xmp.read(source)
  return {
    source,
    type,
    chunks: type === 'image/png' ? chunksOf(source) : [],
    packet: packet && { bytes: packet, isWritable: xmp !== undefined },
    text: type === 'image/svg+xml' ? Buffer.from(source).toString('utf8') : '',
  }
}

const TEXT = /^(?:tEXt|zTXt|iTXt)$/

/** Formats whose XMP is read and written. The codecs, with all their encoders, are not needed to look for payloads. */
const XMP: Partial<
  Record<
    InputType,
    { read(source: Uint8Array): Uint8Array | undefined; write(data: Uint8Array, packet: Uint8Array): Uint8Array }
  >
> = {
  'image/jpeg': { read: readJpegXmp, write: writeJpegXmp },
  'image/png': { read: readPngXmp, write: writePngXmp },
  'image/webp': { read: readWebpXmp, write: writeWebpXmp },
}

/** A keyword of text has at most 79 bytes and ends with a NUL. */
const LONGEST_KEYWORD = 80

function chunksOf(png: Uint8Array): OpenFile['chunks'] {
  const found: OpenFile['chunks'][number][] = []
  for (const { type, start, content, contentEnd, end } of pngChunks(png)) {
    if (type === 'IDAT' || type === 'fdAT') continue
    const head = png.subarray(content, Math.min(contentEnd, content + LONGEST_KEYWORD))
    const keyword = TEXT.test(type) ? asciiAt(head, 0, Math.max(0, head.indexOf(0))) : ''
    found.push({ type, keyword, whole: png.subarray(start, end) })
  }
  return found
}

function partsIn({ source, type, chunks, packet, text }: OpenFile, place: Place): Parts | 'whole' | undefined {
  switch (place.in) {
    case 'png-text': {
      const isOf = (keyword: string): boolean =>
        place.keywords.some((each) => keyword === each || keyword.startsWith(`${each} `))
      return ofChunks(chunks.filter(({ keyword }) => keyword !== '' && isOf(keyword)))
    }
    case 'png-chunk':
      return ofChunks(chunks.filter((each) => place.types.includes(each.type)))
    case 'svg': {
      const texts = partsBetween(text, place)
      if (texts.length === 0) return undefined
      return texts.length > MOST_PARTS
        ? 'whole'
        : { ...NO_PARTS, texts: texts.map((part) => withNamespaces(part, text)) }
    }
    case 'xmp': {
      if (packet === undefined || !hasText(packet.bytes, place.namespace)) return undefined
      if (!packet.isWritable) return 'whole'
      const properties = readXmpProperties(packet.bytes, place.namespace)
      // A namespace alone says nothing: writers declare more than they use.
      return properties.length === 0 ? undefined : { ...NO_PARTS, properties }
    }
    case 'file':
      return place.types.includes(type) && place.isThere(source) ? 'whole' : undefined
  }
}

/** Parts of one payload that are carried over. Files of programs have one or two. */
const MOST_PARTS = 64

function ofChunks(chunks: OpenFile['chunks']): Parts | 'whole' | undefined {
  if (chunks.length === 0) return undefined
  return chunks.length > MOST_PARTS ? 'whole' : { ...NO_PARTS, chunks: chunks.map(({ whole }) => whole) }
}

/** Returns the parts of a text between two marks, in one pass. */
function partsBetween(text: string, { from, to, holds }: Extract<Place, { in: 'svg' }>): string[] {
  const found: string[] = []
  for (let start = text.indexOf(from); start >= 0;) {
    const last = text.indexOf(to, start + from.length)
    if (last < 0) break
    const end = last + to.length
    const part = text.slice(start, end)
    if (holds === undefined || holds.some((word) => part.includes(word))) found.push(part)
    start = text.indexOf(from, end)
  }
  return found
}

const hasText = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(text)

/** Characters in which the root's tag is looked for, and declarations of namespaces that are read. */
const ROOT = 65_536
const MOST_NAMESPACES = 32

/** Declares the namespaces of an element that the root of its file declares. */
function withNamespaces(part: string, text: string): string {
  const tag = /^<[\w:-]+/.exec(part)?.[0]
  if (tag === undefined) return part
  const declarations = [...text.slice(0, ROOT).matchAll(/\sxmlns:([\w.-]+)\s*=\s*(?:"[^"]*"|'[^']*')/g)]
  const missing = new Map(
    declarations
      .slice(0, MOST_NAMESPACES)
      .filter(([, prefix]) => part.includes(`${prefix}:`) && !part.includes(`xmlns:${prefix}=`))
      .map(([declaration, prefix]) => [prefix, ` ${declaration.trim()}`]),
  )
  return `${tag}${[...missing.values()].join('')}${part.slice(tag.length)}`
}

/**
 * Returns a payload for a result of another size: counts of pixels in XMP follow it, and nothing else does.
 * @returns `undefined` where the payload holds for the source's own pixels alone
 */
export function scaledPayload(found: FoundPayload, across: number, down: number): FoundPayload | undefined {
  if (across === 1 && down === 1) return found
  const { parts } = found
  if (parts === undefined || parts.chunks.length > 0 || parts.texts.length > 0) return undefined
  const properties = parts.properties.map((each) => {
    const factor = /(?:Width|Left)/.test(each.name) ? across : down
    const isCount = /Pixels$|^LargestValidInteriorRect/.test(each.name) && /^\d+$/.test(each.value)
    return isCount ? { ...each, value: String(Math.round(Number(each.value) * factor)) } : each
  })
  return { ...found, parts: { ...parts, properties } }
}

/** Bytes of signature and IHDR. */
const PNG_HEAD = 33

/**
 * Puts the parts of payloads into a result, as far as it lacks them.
 * @returns `undefined` where its type cannot have them
 */
export function withPayloads(
  result: Uint8Array,
  type: InputType,
  found: readonly FoundPayload[],
): Uint8Array | undefined {
  const parts = found.reduce((all, each) => joined(all, each.parts ?? NO_PARTS), NO_PARTS)
  let data = result
  if (parts.chunks.length > 0) {
    if (type !== 'image/png') return undefined
    const file = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    const missing = parts.chunks.filter((chunk) => !file.includes(Buffer.from(chunk)))
    data = concatBytes([data.subarray(0, PNG_HEAD), ...missing, data.subarray(PNG_HEAD)])
  }
  if (parts.texts.length > 0) {
    const text = Buffer.from(data).toString('utf8')
    const root = /<svg\b(?:[^>"'/]|\/(?!>)|"[^"]*"|'[^']*')*>/.exec(text)
    if (type !== 'image/svg+xml' || root === null) return undefined
    const at = root.index + root[0].length
    const missing = parts.texts.filter((part) => !text.includes(part))
    data = Buffer.from(`${text.slice(0, at)}${missing.join('')}${text.slice(at)}`)
  }
  if (parts.properties.length > 0) {
    const xmp = XMP[type]
    if (xmp === undefined) return undefined
    data = xmp.write(data, ascii(buildXmp(parts.properties)))
  }
  return data
}
