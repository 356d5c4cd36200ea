/**
 * Tells a finished file's readers that its pixels are Display P3. Sources: PNG Specification, Third Edition, section
 * 11.3.2.3(`iCCP`); ICC.1:2022 annex B.4 (JPEG); RFC 9649 section 2.7 (WebP).
 */
import { crc32, deflateSync } from 'node:zlib'
import {
  ascii,
  asciiAt,
  bigEndian,
  concatBytes,
  hasAscii,
  littleEndian32,
  uint16,
  uint32,
} from '../../metadata/bytes.ts'
import type { Size } from '../../size.ts'
import type { InputType } from '../../types.ts'
import { avifInDisplayP3 } from './avif-colour.ts'
import { DISPLAY_P3 } from './colour-space.ts'
import { buildProfile } from './build-profile.ts'

const PNG_HEADER_SIZE = 8 + 25
const JPEG_PROFILE = 'ICC_PROFILE\0'

/**
 * The file with Display P3 as its colour space; the same bytes where it has a profile already, as a file made from the
 * source's own bytes has. Takes 20 bytes of AVIF, about 350 of PNG, and 600 of JPEG and WebP.
 */
export function attachDisplayP3(data: Uint8Array, type: InputType, shape: Size & { channels: 3 | 4 }): Uint8Array {
  if (type === 'image/png') return pngWithProfile(data, buildProfile(DISPLAY_P3, 'Display P3'))
  if (type === 'image/jpeg') return jpegWithProfile(data, buildProfile(DISPLAY_P3, 'Display P3'))
  if (type === 'image/webp') return webpWithProfile(data, buildProfile(DISPLAY_P3, 'Display P3'), shape)
  return type === 'image/avif' ? avifInDisplayP3(data) : data
}

/** An `iCCP` chunk behind the header, unless there is one. */
function pngWithProfile(data: Uint8Array, profile: Uint8Array): Uint8Array {
  for (let at = 8; at + 12 <= data.length; at += 12 + uint32(data, at)) {
    const type = asciiAt(data, at + 4, 4)
    if (type === 'iCCP') return data
    if (type === 'IDAT') break
  }
  const body = concatBytes([ascii('iCCP'), ascii('ICC\0\0'), deflateSync(profile, { level: 9 })])
  const chunk = concatBytes([bigEndian(body.length - 4, 4), body, bigEndian(crc32(body), 4)])
  return concatBytes([data.subarray(0, PNG_HEADER_SIZE), chunk, data.subarray(PNG_HEADER_SIZE)])
}

/** One APP2 segment behind APP0, unless there is one in front of the scan. */
function jpegWithProfile(data: Uint8Array, profile: Uint8Array): Uint8Array {
  let insertAt = 2
  for (let at = 2; at + 4 <= data.length && data[at] === 0xff && data[at + 1] !== 0xda;) {
    const end = at + 2 + uint16(data, at + 2)
    if (data[at + 1] === 0xe2 && hasAscii(data, at + 4, JPEG_PROFILE)) return data
    if (data[at + 1] === 0xe0) insertAt = end
    at = end
  }
  const content = concatBytes([ascii(JPEG_PROFILE), Uint8Array.of(1, 1), profile])
  const segment = concatBytes([Uint8Array.of(0xff, 0xe2), bigEndian(content.length + 2, 2), content])
  return concatBytes([data.subarray(0, insertAt), segment, data.subarray(insertAt)])
}

/** An `ICCP` chunk behind `VP8X`, which is made where there is none. */
function webpWithProfile(data: Uint8Array, profile: Uint8Array, shape: Size & { channels: 3 | 4 }): Uint8Array {
  const extended = hasAscii(data, 12, 'VP8X')
  if (extended && (data[20]! & 0x20) !== 0) return data
  const flags = 0x20 | (extended ? data[20]! : shape.channels === 4 ? 0x10 : 0)
  const header = concatBytes([
    ascii('VP8X'),
    littleEndian32(10),
    Uint8Array.of(flags, 0, 0, 0),
    littleEndian32(shape.width - 1).subarray(0, 3),
    littleEndian32(shape.height - 1).subarray(0, 3),
  ])
  const chunk = concatBytes([
    ascii('ICCP'),
    littleEndian32(profile.length),
    profile,
    new Uint8Array(profile.length % 2),
  ])
  const body = concatBytes([ascii('WEBP'), header, chunk, data.subarray(extended ? 30 : 12)])
  return concatBytes([ascii('RIFF'), littleEndian32(body.length), body])
}
