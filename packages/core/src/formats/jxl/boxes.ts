/** The container of JPEG XL files: boxes around a codestream. Source: ISO/IEC 18181-2 sections 4 and 9. */
import { asciiAt, hasAscii, uint32 } from '../../metadata/bytes.ts'
import { parseBoxes } from '../../metadata/isobmff.ts'
import type { Box } from '../../metadata/isobmff.ts'

/** The index in front of each `jxlp` box's part of the codestream; its highest bit marks the last part. */
const PART_INDEX_SIZE = 4
const LAST_PART = 0x80000000

/** Returns the boxes of a container in order; `undefined` for a bare codestream. */
export function jxlBoxes(data: Uint8Array): Box[] | undefined {
  return hasAscii(data, 4, 'JXL ') ? parseBoxes(data, 0, data.length) : undefined
}

/** Returns a box's type, or the type of what is compressed in it. */
export function contentType(data: Uint8Array, box: Box): string {
  return box.type === 'brob' ? asciiAt(data, box.content, 4) : box.type
}

/**
 * Returns the codestream in its parts: the one of a `jxlc` box, or those of the `jxlp` boxes.
 * @returns `undefined` when there is none, or the parts are not each there once and in order
 */
export function codestreamParts(data: Uint8Array, boxes: readonly Box[]): Uint8Array[] | undefined {
  const whole = boxes.filter(({ type }) => type === 'jxlc')
  const parts = boxes.filter(({ type }) => type === 'jxlp')
  if (parts.length === 0) return whole.length === 1 ? [data.subarray(whole[0]!.content, whole[0]!.end)] : undefined
  const inOrder = parts.every(({ content, end }, index) => {
    const last = index === parts.length - 1 ? LAST_PART : 0
    return end - content >= PART_INDEX_SIZE && uint32(data, content) === index + last
  })
  if (!inOrder || whole.length > 0) return undefined
  return parts.map(({ content, end }) => data.subarray(content + PART_INDEX_SIZE, end))
}
