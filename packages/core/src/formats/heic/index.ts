import { brands } from '../../base/detect.ts'
import { HEIC_DECODER, heicRules } from '../../base/versions.ts'
import type { CodecFor, Extras, Unsupported } from '../../encoding/codec.ts'
import { avifBeyondScreens, avifColourSpace, avifProfile } from '../avif/colour.ts'
import { avifExtras } from '../avif/extras.ts'
import { claimedAvifSize } from '../avif/header.ts'
import { readAvif } from '../avif/metadata.ts'
import { decodeHeic } from './decoder.ts'

/** Brands of image sequences (ISO/IEC 23008-12 section 10.2.3 and annex B.4.2). */
const SEQUENCES: readonly string[] = ['hevc', 'hevx', 'msf1']

/** The type of auxiliary image in which iPhones keep a gain map. */
const APPLE_GAIN_MAP = 'urn:com:apple:photo:2020:aux:hdrgainmap'

/**
 * The codec of HEIC, the same container as AVIF's with other pictures in it. libvips reads the header; pixels need a
 * package that is not among the dependencies.
 */
export const heic: CodecFor<'heic'> = {
  claimedSize: claimedAvifSize,
  countFrames: (source) => (brands(source).some((brand) => SEQUENCES.includes(brand)) ? 2 : 1),
  unsupported: unsupportedHeic,
  decode: decodeHeic,
  colourSpace: avifColourSpace,
  profile: avifProfile,
  readMetadata: readAvif,
  extras: heicExtras,
}

function unsupportedHeic(source: Uint8Array, frames: number): Unsupported | undefined {
  if (frames > 1) {
    return { kind: 'a HEIC sequence', note: 'A HEIC sequence is passed through as it is, so that its animation stays.' }
  }
  if (heicRules().length === 0) {
    const remedy = `npm install --save-dev ${HEIC_DECODER}`
    return {
      kind: `a HEIC without the package '${HEIC_DECODER}' (${remedy})`,
      note: `A HEIC is passed through as it is, as the package that reads it is not installed: ${remedy}`,
    }
  }
  return avifBeyondScreens(source)
}

function heicExtras(source: Uint8Array): Extras {
  const extras = avifExtras(source)
  return Buffer.from(source.buffer, source.byteOffset, source.length).includes(APPLE_GAIN_MAP)
    ? { ...extras, gainMap: {} }
    : extras
}
