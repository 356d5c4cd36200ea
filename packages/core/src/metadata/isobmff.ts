/** Boxes of the ISO base media file format (ISO/IEC 14496-12 section 4.2), which AVIF and JPEG XL files are made of. */
import { asciiAt, ByteCursor } from './bytes.ts'

/** A box of an ISO base media file, with offsets in the file. */
export interface Box {
  type: string
  start: number
  /** The start of the bytes after size and type. For a full box those are its version and flags. */
  content: number
  end: number
}

/** Boxes of one level that are looked at. Image files have ten or so. */
const MOST_BOXES = 1024

/** Parses the boxes between two offsets, in order. Ends at the first that does not fit. */
export function parseBoxes(data: Uint8Array, start: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let at = start; at + 8 <= end && boxes.length < MOST_BOXES;) {
    const cursor = new ByteCursor(data, at, end)
    let size = cursor.uint(4)
    const type = asciiAt(data, at + 4, 4)
    cursor.at += 4
    // 1 announces 64 bits of size, 0 a box up to the end.
    if (size === 1) size = cursor.uint(8)
    else if (size === 0) size = end - at
    if (cursor.overrun || size < cursor.at - at || at + size > end) break
    boxes.push({ type, start: at, content: cursor.at, end: at + size })
    at += size
  }
  return boxes
}
