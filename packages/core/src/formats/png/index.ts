import { WORTHWHILE } from '../codec.ts'
import type { CodecFor } from '../codec.ts'
import { composeApng, encodeApng } from './apng/encode.ts'
import { countApngFrames } from './apng/read.ts'
import { isNearLossless } from '../../encoding/truecolour-png.ts'
import { hasChosenColours, isAnimatedPng } from '../../metadata/png-chunks.ts'
import { pngBeyondScreens, pngColourSpace, pngInDisplayP3, pngProfile } from './colour.ts'
import { encodeLosslessPng, encodePlainPng, encodePng } from './encode.ts'
import { readPng, readPngOrientation, stripPng, writePng } from './metadata.ts'

export const png: CodecFor<'png'> = {
  countFrames: (source) => (isAnimatedPng(source) ? countApngFrames(source) : 1),
  unsupported: pngBeyondScreens,
  compose: composeApng,
  colourSpace: pngColourSpace,
  profile: pngProfile,
  cutToBytes: true,
  encode: encodePng,
  encodePlain: encodePlainPng,
  encodeLossless: encodeLosslessPng,
  encodeAnimation: encodeApng,
  inDisplayP3: pngInDisplayP3,
  worthwhileShare: (source) => (hasChosenColours(source) || isNearLossless(source) ? WORTHWHILE.again : 1),
  readMetadata: readPng,
  writeMetadata: writePng,
  stripMetadata: stripPng,
  readOrientation: readPngOrientation,
}
