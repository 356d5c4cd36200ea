import { WORTHWHILE } from '../../encoding/codec.ts'
import type { CodecFor } from '../../encoding/codec.ts'
import { encodeWebpAnimation } from './animation.ts'
import { encodeLosslessWebp, encodePlainWebp, encodeWebp } from './encode.ts'
import { isLossyWebp } from './lossy.ts'
import { claimedWebpSize } from './header.ts'
import { WEBP_MARK } from './mark.ts'
import { readWebp, stripWebp, webpHasCredentials, writeWebp } from './metadata.ts'
import { webpInDisplayP3 } from './profile.ts'

/** An EXIF orientation is ignored, as browsers do. */
export const webp: CodecFor<'webp'> = {
  claimedSize: claimedWebpSize,
  encode: encodeWebp,
  // RFC 9649 section 2.7
  mostSide: 16_383,
  encodePlain: encodePlainWebp,
  encodeLossless: encodeLosslessWebp,
  encodeAnimation: encodeWebpAnimation,
  inDisplayP3: webpInDisplayP3,
  worthwhileShare: (source) => (isLossyWebp(source) ? WORTHWHILE.blocks : 1),
  mark: WEBP_MARK,
  readMetadata: readWebp,
  writeMetadata: writeWebp,
  stripMetadata: stripWebp,
  extras: (source) => ({ pictures: 0, hasCredentials: webpHasCredentials(source) }),
}
