/**
 * The header of an AVIF sequence, which sharp reads only where the file has a still image besides. Source: ISO/IEC
 * 14496-12 sections 8.3.2 (`tkhd`), 8.4.3 (`hdlr`); ISO/IEC 23008-12 section 7 (image sequences).
 */
import { asciiAt, uint32 } from '../../metadata/bytes.ts'
import { parseBoxes } from '../../metadata/isobmff.ts'
import type { Box } from '../../metadata/isobmff.ts'
import type { Header } from '../../encoding/codec.ts'

/** A sequence is not decoded, so only the size counts; its frames are not counted. */
export function probeSequence(source: Uint8Array): Header | undefined {
  const inside = ({ content, end }: Box, name: string): Box[] =>
    parseBoxes(source, content, end).filter(({ type }) => type === name)
  const tracks = parseBoxes(source, 0, source.length)
    .filter(({ type }) => type === 'moov')
    .flatMap((moov) => inside(moov, 'trak'))
  const handled = (track: Box): string | undefined => {
    const [handler] = inside(track, 'mdia').flatMap((media) => inside(media, 'hdlr'))
    return handler && asciiAt(source, handler.content + 8, 4)
  }
  const pictures = tracks.find((track) => handled(track) === 'pict')
  const [header] = pictures === undefined ? [] : inside(pictures, 'tkhd')
  if (header === undefined || header.end - header.content < 84) return undefined
  // Fixed-point numbers of 16 and 16 bits, the last of the box.
  const [width, height] = [uint32(source, header.end - 8) >>> 16, uint32(source, header.end - 4) >>> 16]
  if (width === 0 || height === 0) return undefined
  return { width, height, hasAlpha: tracks.some((track) => handled(track) === 'auxv'), frames: 2, depth: 8 }
}
