import { withoutIt } from '../../base/faults.ts'
import { compressJpeg } from '@napi-rs/image'
import sharp from 'sharp'
import { concatBytes, hasAscii, uint16 } from '../../metadata/bytes.ts'
import type { Picture } from '../../encoding/picture.ts'
import { isShownByExif, stripJpeg } from './metadata.ts'
import { countDecoded, countPack } from '../../base/counters.ts'
import { sha256 } from '../../base/sha256.ts'
import { releasePixels } from '../../encoding/release-pixels.ts'

const [APP1, APP2, SOS] = [0xe1, 0xe2, 0xda] as const

/**
 * Writes the same coefficients, so the same pixels, with optimal Huffman tables and mozjpeg's search for progressive
 * scans: what `jpegtran -optimize -progressive` does. Metadata is removed.
 * @returns `undefined` where it fails, without a reason: the file is arithmetic-coded, or damaged in a way that sharp
 * overlooks
 */
export function recompressScans(jpeg: Uint8Array): Promise<Uint8Array | undefined> {
  // Quality 100 chooses the transcoder that keeps the coefficients.
  return countPack(async () => {
    const made = await compressJpeg(jpeg, { quality: 100, optimizeScans: true }).catch(withoutIt)
    return made === undefined || hasJfif(jpeg) ? made : withoutJfif(made)
  })
}

const hasJfif = (jpeg: Uint8Array): boolean => hasAscii(jpeg, 6, 'JFIF\0')

/**
 * Removes the 18 bytes (ITU-T T.871) that the transcoder adds to a file that had none. They tell the colour space,
 * which decoders assume anyway where the components are numbered from 1. sharp numbers them so and writes no such
 * header.
 */
function withoutJfif(jpeg: Uint8Array): Uint8Array {
  return hasJfif(jpeg) ? concatBytes([jpeg.subarray(0, 2), jpeg.subarray(4 + uint16(jpeg, 4))]) : jpeg
}

/**
 * Recompresses a source losslessly. A colour profile stays unless it changes nothing, and so do the fields of EXIF that
 * browsers apply.
 *
 * A file with arithmetic coding is left alone, and so is a damaged one, which two decoders may read in two ways.
 * @returns `undefined` where the file cannot be recompressed to the very same pixels
 */
export async function recompressJpeg(source: Uint8Array, picture: Picture): Promise<Uint8Array | undefined> {
  const bare = await recompressScans(source)
  if (bare === undefined) return undefined
  if (!isShownByExif(source) && (await showsPicture(bare, picture))) return bare
  const whole = concatBytes([bare.subarray(0, 2), ...profileAndExif(source), bare.subarray(2)])
  return sameAs(stripJpeg(whole), source)
}

/** Returns the segments in front of the scan that say how the pixels are to be seen (ITU-T T.81 annex B.1.1.4). */
function profileAndExif(jpeg: Uint8Array): Uint8Array[] {
  const segments: Uint8Array[] = []
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff && jpeg[at + 1] !== SOS;) {
    const end = at + 2 + uint16(jpeg, at + 2)
    const isExif = jpeg[at + 1] === APP1 && hasAscii(jpeg, at + 4, 'Exif\0')
    const isProfile = jpeg[at + 1] === APP2 && hasAscii(jpeg, at + 4, 'ICC_PROFILE\0')
    if (isExif || isProfile) segments.push(jpeg.subarray(at, end))
    at = end
  }
  return segments
}

async function showsPicture(jpeg: Uint8Array, { data, width, height, space }: Picture): Promise<boolean> {
  if (space !== 'srgb') return false
  const shown = await sharp(jpeg, { limitInputPixels: false })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  countDecoded(shown.info.width * shown.info.height)
  const isSame = shown.info.width === width && shown.info.height === height && shown.data.equals(data)
  releasePixels(shown.data)
  return isSame
}

/**
 * Returns the file where it has the pixels of the source. Decodes one after the other, so that nothing reads the source
 * afterwards.
 */
export async function sameAs(recompressed: Uint8Array, source: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    const ours = await digestOfPixels(recompressed)
    return ours === (await digestOfPixels(source)) ? recompressed : undefined
  } catch (error) {
    // A damaged file, which only a more forgiving decoder could read.
    return withoutIt(error)
  }
}

/** Returns the digest of the stored pixels: neither rotated nor converted to another colour space. */
async function digestOfPixels(jpeg: Uint8Array): Promise<string> {
  const opened = sharp(jpeg, { limitInputPixels: false, ignoreIcc: true })
  const { data, info } = await opened.raw().toBuffer({ resolveWithObject: true })
  countDecoded(info.width * info.height)
  const digest = sha256(data)
  releasePixels(data)
  return digest
}
