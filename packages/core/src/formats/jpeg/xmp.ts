/** XMP of JPEG files (XMP Specification Part 3, section 1.1.3). */
import { ascii, concatBytes, hasAscii } from '../../metadata/bytes.ts'
import { XMP_PREFIX, encodeSegment, headerSegments, isExif } from './metadata.ts'
import type { Segment } from './metadata.ts'

const [APP0, APP1] = [0xe0, 0xe1] as const

const isXmp = (data: Uint8Array, { marker, content }: Segment): boolean =>
  marker === APP1 && hasAscii(data, content, XMP_PREFIX)

/** Returns the first packet of XMP in front of the scan. */
export function readJpegXmp(data: Uint8Array): Uint8Array | undefined {
  const found = headerSegments(data).find((segment) => isXmp(data, segment))
  return found && data.subarray(found.content + XMP_PREFIX.length, found.end)
}

/** Writes APP1 with XMP behind the APP0 segments and EXIF, in place of another packet. */
export function writeJpegXmp(data: Uint8Array, packet: Uint8Array): Uint8Array {
  const header = headerSegments(data)
  const next = header.find((segment) => segment.marker !== APP0 && !isExif(data, segment))
  const at = next?.start ?? header.at(-1)?.end ?? 2
  const rest = header.filter(({ start }) => start >= at).filter((segment) => !isXmp(data, segment))
  return concatBytes([
    data.subarray(0, at),
    encodeSegment(APP1, concatBytes([ascii(XMP_PREFIX), packet])),
    ...rest.map(({ start, end }) => data.subarray(start, end)),
    data.subarray(header.at(-1)?.end ?? at),
  ])
}
