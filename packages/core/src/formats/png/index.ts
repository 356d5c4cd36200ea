import type { CodecFor } from '../../encoding/codec.ts'
import { composeApng, encodeApng } from './apng/encode.ts'
import { countApngFrames } from './apng/read.ts'
import { turnedFrames } from '../../encoding/turned.ts'
import { hasAscii, uint32 } from '../../metadata/bytes.ts'
import { isAnimatedPng } from '../../metadata/png-chunks.ts'
import { shareOfColours } from './chosen-colours.ts'
import { pngBeyondScreens, pngColourSpace, pngInDisplayP3, pngProfile } from './colour.ts'
import { encodeLosslessPng, encodePlainPng, encodePng } from './encode.ts'
import { PNG_MARK } from './mark.ts'
import { pngHasCredentials, readPng, readPngOrientation, stripPng, writePng } from './metadata.ts'

/** The codec of PNG. */
export const png: CodecFor<'png'> = {
  claimedSize: (source) =>
    hasAscii(source, 12, 'IHDR') ? { width: uint32(source, 16), height: uint32(source, 20) } : undefined,
  countFrames: (source) => (isAnimatedPng(source) ? countApngFrames(source) : 1),
  unsupported: pngBeyondScreens,
  async compose(source) {
    const composed = await composeApng(source)
    if (composed === undefined || 'kind' in composed) return composed
    return { ...composed, frames: await turnedFrames(composed.frames, readPngOrientation(source)) }
  },
  colourSpace: pngColourSpace,
  profile: pngProfile,
  cutToBytes: true,
  encode: encodePng,
  encodePlain: encodePlainPng,
  encodeLossless: encodeLosslessPng,
  encodeAnimation: encodeApng,
  inDisplayP3: pngInDisplayP3,
  worthwhileShare: shareOfColours,
  mark: PNG_MARK,
  readMetadata: readPng,
  writeMetadata: writePng,
  stripMetadata: stripPng,
  extras: (source) => ({ pictures: 0, hasCredentials: pngHasCredentials(source) }),
  readOrientation: readPngOrientation,
}
