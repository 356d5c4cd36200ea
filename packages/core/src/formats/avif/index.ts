import { WORTHWHILE } from '../../encoding/codec.ts'
import type { CodecFor } from '../../encoding/codec.ts'
import { brands } from '../../base/detect.ts'
import { avifBeyondScreens, avifColourSpace, avifInDisplayP3 } from './colour.ts'
import { encodeAvif, encodeLosslessAvif, encodePlainAvif } from './encode.ts'
import { avifExtras } from './extras.ts'
import { claimedAvifSize } from './header.ts'
import { AVIF_MARK } from './mark.ts'
import { readAvif, stripAvif, writeAvif } from './metadata.ts'
import { probeSequence } from './sequence.ts'
import { AVIF_AS_SHOWN } from './shown.ts'
import { withPlainColours } from './premultiplied.ts'

const SEQUENCE = {
  kind: 'an AVIF sequence',
  note: 'An AVIF sequence is passed through as it is, so that its animation stays.',
} as const

/**
 * The orientation is left to decoders, which always apply the format's own properties (`irot`, `imir`) and ignore
 * EXIF's (ISO/IEC 23008-12 section 6.5.10 and annex A).
 */
export const avif: CodecFor<'avif'> = {
  claimedSize: claimedAvifSize,
  // sharp reads the first frame of a sequence at most.
  countFrames: (source) => (brands(source).includes('avis') ? 2 : 1),
  probeUnread: probeSequence,
  unsupported: (source, frames) => (frames > 1 ? SEQUENCE : avifBeyondScreens(source)),
  colourSpace: avifColourSpace,
  asBrowsers: withPlainColours,
  roundsOtherwise: true,
  encode: encodeAvif,
  // The bound of libvips for what libheif writes.
  mostSide: 16_384,
  encodePlain: encodePlainAvif,
  encodeLossless: encodeLosslessAvif,
  shownSamples: AVIF_AS_SHOWN,
  inDisplayP3: avifInDisplayP3,
  worthwhileShare: () => WORTHWHILE.blocks,
  mark: AVIF_MARK,
  readMetadata: readAvif,
  writeMetadata: writeAvif,
  stripMetadata: stripAvif,
  extras: avifExtras,
}
