import { compressJpeg } from '@napi-rs/image'
import sharp from 'sharp'
import { concatBytes, hasAscii, uint16 } from '../metadata/bytes.ts'
import { readOrientation, stripMetadata } from '../metadata/index.ts'
import type { Picture } from './picture.ts'

const TYPE = 'image/jpeg'
const [APP1, APP2, SOS] = [0xe1, 0xe2, 0xda] as const

/**
 * The same coefficients, so the same pixels, with optimal Huffman tables and mozjpeg's search for progressive scans: what
 * `jpegtran -optimize -progressive` does. Metadata goes.
 * @returns `undefined` where it fails: it says no more, and the file is arithmetic-coded, or broken in a way that sharp overlooks
 */
export function packScans(jpeg: Uint8Array): Promise<Uint8Array | undefined> {
  // Quality 100 stands for the transcoder that never leaves the coefficients.
  return compressJpeg(jpeg, { quality: 100, optimizeScans: true }).catch(() => undefined)
}

/**
 * A source packed anew. A colour profile stays unless it changes nothing, and so does an EXIF orientation.
 *
 * Arithmetic coding and a damaged file, which two decoders may read in two ways, are left alone.
 * @returns `undefined` where the file cannot be repacked to the very same pixels
 */
export async function repackJpeg(source: Uint8Array, picture: Picture): Promise<Uint8Array | undefined> {
  const bare = await packScans(source)
  if (bare === undefined) return undefined
  if (readOrientation(source, TYPE) === 1 && (await showsPicture(bare, picture))) return bare
  const whole = concatBytes([bare.subarray(0, 2), ...profileAndExif(source), bare.subarray(2)])
  return sameAs(stripMetadata(whole, TYPE), source)
}

/** The segments in front of the scan that say how the pixels are to be seen (ITU-T T.81 annex B.1.1.4). */
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
  return shown.info.width === width && shown.info.height === height && shown.data.equals(data)
}

/** One decode after the other: when this returns, nothing reads the source any more. */
async function sameAs(repacked: Uint8Array, source: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    const ours = await storedPixels(repacked)
    return ours.equals(await storedPixels(source)) ? repacked : undefined
  } catch {
    // A damaged file whose picture was had from a more forgiving decoder.
    return undefined
  }
}

/** As they are stored: neither turned nor brought to another colour space. */
function storedPixels(jpeg: Uint8Array): Promise<Buffer> {
  return sharp(jpeg, { limitInputPixels: false, ignoreIcc: true }).raw().toBuffer()
}
