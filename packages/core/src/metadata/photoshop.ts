/**
 * Photoshop's image resource blocks (IRB), which JPEG has in APP13 segments and EXIF in a tag of TIFF. A block is
 * `8BIM`, a number, a name, a length and the data, each part padded to an even length. Sources: Adobe Photoshop File
 * Formats Specification, "Image Resource Blocks"; IPTC-NAA Information Interchange Model 4.2 for the notice inside of
 * resource 0x0404.
 */
import { ascii, asciiAt, bigEndian, concatBytes, uint16, uint32 } from './bytes.ts'
import { decodeText, encodeText } from './text.ts'
import type { Copyright, Metadata } from './types.ts'

/** The prefix of an APP13 segment of resource blocks. */
export const PHOTOSHOP_PREFIX = 'Photoshop 3.0\0'

/** `8BIM` is Photoshop's own; the others are of ImageReady and PhotoDeluxe and may stand between. */
const SIGNATURES: ReadonlySet<string> = new Set(['8BIM', 'AgHg', 'DCSR', 'MeSa', 'PHUT'])

const RESOURCE = { iptc: 0x0404, copyrightFlag: 0x040a, url: 0x040b } as const

/** IPTC record 2 (application), data set 116. */
const COPYRIGHT_NOTICE = { record: 2, dataSet: 116 } as const

/** Reads resource blocks, without the prefix; those of several segments are one after another. */
export function readPhotoshop(blocks: Uint8Array): Metadata {
  let text: string | undefined
  let flagged = false
  let url: string | undefined
  for (const { id, data } of resources(blocks)) {
    if (id === RESOURCE.copyrightFlag) flagged ||= (data[0] ?? 0) !== 0
    else if (id === RESOURCE.url) url ??= decodeText(data)
    else if (id === RESOURCE.iptc) text ??= readCopyrightNotice(data)
  }
  const copyright: Copyright = {
    ...(text !== undefined && { text }),
    ...(flagged && { flagged }),
    ...(url !== undefined && { url }),
  }
  return Object.keys(copyright).length > 0 ? { copyright } : {}
}

/** Yields the resource blocks up to the end, or up to the first that does not fit. */
function* resources(blocks: Uint8Array): Generator<{ id: number; data: Uint8Array }, void, void> {
  let at = 0
  while (SIGNATURES.has(asciiAt(blocks, at, 4))) {
    const nameLength = blocks[at + 6] ?? 0
    const sizeAt = at + 6 + even(1 + nameLength)
    const size = uint32(blocks, sizeAt)
    const start = sizeAt + 4
    if (start + size > blocks.length) return
    yield { id: uint16(blocks, at + 4), data: blocks.subarray(start, start + size) }
    at = start + even(size)
  }
}

/** Returns the IIM copyright notice: data sets of 0x1C, record, number, two bytes of length, data. */
function readCopyrightNotice(iptc: Uint8Array): string | undefined {
  let at = 0
  while (iptc[at] === 0x1c) {
    const size = uint16(iptc, at + 3)
    const start = at + 5
    // The highest bit announces an extended length, which no notice needs.
    if (size >= 0x8000 || start + size > iptc.length) return undefined
    if (iptc[at + 1] === COPYRIGHT_NOTICE.record && iptc[at + 2] === COPYRIGHT_NOTICE.dataSet) {
      return decodeText(iptc.subarray(start, start + size))
    }
    at = start + size
  }
  return undefined
}

/**
 * Returns the resource blocks with a copyright flag and URL, without the prefix.
 * @returns `undefined` when there is neither.
 */
export function buildPhotoshop(copyright: Copyright | undefined): Uint8Array | undefined {
  const { flagged, url } = copyright ?? {}
  if (flagged === undefined && url === undefined) return undefined
  return concatBytes([
    ...(flagged === undefined ? [] : resource(RESOURCE.copyrightFlag, Uint8Array.of(1))),
    ...(url === undefined ? [] : resource(RESOURCE.url, encodeText(url))),
  ])
}

function resource(id: number, data: Uint8Array): Uint8Array[] {
  const emptyName = new Uint8Array(2)
  const padding = new Uint8Array(data.length % 2)
  return [ascii('8BIM'), bigEndian(id, 2), emptyName, bigEndian(data.length, 4), data, padding]
}

function even(length: number): number {
  return length + (length % 2)
}
