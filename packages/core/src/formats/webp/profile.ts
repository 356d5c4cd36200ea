/** Colour profiles of WebP files. Source: RFC 9649 section 2.7. */
import { ascii, concatBytes, hasAscii, littleEndian32 } from '../../metadata/bytes.ts'
import { displayP3Profile } from '../../colour/build-profile.ts'
import type { Size } from '../../resample/size.ts'

/**
 * Returns the file with Display P3 in an `ICCP` chunk behind `VP8X`, which is made where there is none: about 600
 * bytes. The same file where it has a profile already.
 */
export function webpInDisplayP3(data: Uint8Array, shape: Size & { readonly channels: 3 | 4 }): Uint8Array {
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
  const profile = displayP3Profile()
  const chunk = concatBytes([
    ascii('ICCP'),
    littleEndian32(profile.length),
    profile,
    new Uint8Array(profile.length % 2),
  ])
  const body = concatBytes([ascii('WEBP'), header, chunk, data.subarray(extended ? 30 : 12)])
  return concatBytes([ascii('RIFF'), littleEndian32(body.length), body])
}
