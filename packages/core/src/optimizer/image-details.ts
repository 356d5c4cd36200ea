import type { RegionPoints } from '../metadata/regions.ts'
import type { InputType } from '../base/types.ts'

/** Facts about the pixels and the storage of an image, in sharp's own words. */
export interface ImageDetails {
  /** Colour space: `srgb`, `b-w`, `rgb16`, … */
  readonly space: string
  readonly channels: number
  /** Type of a sample: `uchar` has 8 bits, `ushort` 16. */
  readonly depth: string
  /** Pixels per inch, where the file says so. */
  readonly density?: number
  readonly chromaSubsampling?: string
  /** A colour profile is embedded. */
  readonly hasProfile: boolean
  /** The image is stored in scans that show it early. */
  readonly isProgressive: boolean
  readonly hasAlpha: boolean
}

/**
 * Reads the details of an image. sharp is loaded when this is first asked for: a warm build would wait for it for
 * nothing.
 * @param known what holds for the formats that sharp does not read
 */
export async function imageDetails(
  data: Uint8Array,
  known: { readonly type: InputType; readonly hasAlpha: boolean },
): Promise<ImageDetails> {
  const { default: sharp } = await import('sharp')
  try {
    const { space, channels, depth, density, chromaSubsampling, hasProfile, isProgressive, hasAlpha } = await sharp(
      data,
      {
        limitInputPixels: false,
      },
    ).metadata()
    return {
      space,
      channels,
      depth,
      ...(density !== undefined && { density }),
      ...(chromaSubsampling !== undefined && { chromaSubsampling }),
      hasProfile,
      isProgressive,
      hasAlpha,
    }
  } catch {
    const { hasAlpha } = known
    const channels = hasAlpha ? 4 : 3
    return { space: 'srgb', channels, depth: 'uchar', hasProfile: false, isProgressive: false, hasAlpha }
  }
}

/**
 * Reads the EXIF orientation of each type that may be delivered with one. The codecs have the same readers, and much
 * more that a server's own process has no use for.
 */
const ORIENTATION_READERS: Partial<Record<InputType, () => Promise<(data: Uint8Array) => number>>> = {
  'image/jpeg': async () => (await import('../formats/jpeg/metadata.ts')).readJpegOrientation,
  'image/png': async () => (await import('../formats/png/metadata.ts')).readPngOrientation,
}

/** Returns the EXIF orientation that viewers apply to an image, 2 to 8; `undefined` if it is stored as it is seen. */
export async function orientationOf(data: Uint8Array, type: InputType): Promise<number | undefined> {
  const read = await ORIENTATION_READERS[type]?.()
  const orientation = read?.(data) ?? 1
  return orientation === 1 ? undefined : orientation
}

/**
 * Reads the points that the regions of an image's XMP are about, in shares of what is seen. The reader is loaded when
 * this is first asked for.
 * @param orientation of EXIF, 1 to 8
 */
export async function regionPoints(data: Uint8Array, orientation: number): Promise<RegionPoints> {
  const { readRegions } = await import('../metadata/regions.ts')
  return readRegions(data, orientation)
}
