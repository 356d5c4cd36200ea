/** Colour profiles of JPEG files. Sources: ITU-T T.81 annex B.1.1.4; ICC.1:2022 annex B.4. */
import type { Unsupported } from '../../encoding/codec.ts'
import { ascii, asciiAt, bigEndian, concatBytes, hasAscii, uint16 } from '../../metadata/bytes.ts'
import { displayP3Profile } from '../../colour/build-profile.ts'
import { segments } from './metadata.ts'

const JPEG_PROFILE = 'ICC_PROFILE\0'

/**
 * Returns the file with Display P3 in an APP2 segment behind APP0, about 600 bytes; the same where there is one in
 * front of the scan.
 */
export function jpegInDisplayP3(data: Uint8Array): Uint8Array {
  let insertAt = 2
  for (let at = 2; at + 4 <= data.length && data[at] === 0xff && data[at + 1] !== 0xda;) {
    const end = at + 2 + uint16(data, at + 2)
    if (data[at + 1] === 0xe2 && hasAscii(data, at + 4, JPEG_PROFILE)) return data
    if (data[at + 1] === 0xe0) insertAt = end
    at = end
  }
  const content = concatBytes([ascii(JPEG_PROFILE), Uint8Array.of(1, 1), displayP3Profile()])
  const segment = concatBytes([Uint8Array.of(0xff, 0xe2), bigEndian(content.length + 2, 2), content])
  return concatBytes([data.subarray(0, insertAt), segment, data.subarray(insertAt)])
}

const INKS: Unsupported = {
  kind: 'a CMYK image with a profile',
  note: 'A CMYK image with a profile is passed through as it is, as browsers show it in different ways.',
  changeable: true,
}

/**
 * Says why a file stays as it is unasked: it has inks, and a profile that defines their colours. `undefined` for all
 * others.
 */
export function profiledInks(source: Uint8Array): Unsupported | undefined {
  for (const { marker, content } of segments(source)) {
    if (marker === 0xda) break
    const isFirst = marker === 0xe2 && hasAscii(source, content, JPEG_PROFILE) && source[content + 12] === 1
    if (isFirst && asciiAt(source, content + 14 + 16, 4) === 'CMYK') return INKS
  }
  return undefined
}
