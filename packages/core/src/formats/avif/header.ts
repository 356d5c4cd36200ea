/** The sizes in an AVIF's header. Sources: ISO/IEC 23008-12 sections 6.5.3 (`ispe`) and 9.3 (`iprp`). */
import { uint32 } from '../../metadata/bytes.ts'
import { parseBoxes } from '../../metadata/isobmff.ts'
import type { Box } from '../../metadata/isobmff.ts'
import type { Size } from '../../resample/size.ts'

/** Bytes of the version and the flags of a full box. */
const FULL = 4

/** Returns the largest size of its images, tiles and planes, as a decoder reads them all; `undefined` without any. */
export function claimedAvifSize(source: Uint8Array): Size | undefined {
  const inside = (boxes: readonly Box[], name: string, skipped = 0): Box[] =>
    boxes.flatMap(({ content, end }) => parseBoxes(source, content + skipped, end)).filter(({ type }) => type === name)
  const meta = parseBoxes(source, 0, source.length).filter(({ type }) => type === 'meta')
  const properties = inside(inside(meta, 'iprp', FULL), 'ipco')
  let largest: Size | undefined
  for (const { content } of inside(properties, 'ispe')) {
    const size = { width: uint32(source, content + FULL), height: uint32(source, content + FULL + 4) }
    if (largest === undefined || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
