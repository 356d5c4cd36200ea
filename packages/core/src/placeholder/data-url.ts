import sharp from 'sharp'
import type { Size } from '../resample/size.ts'
import { MOST_URL_BYTES } from './kinds.ts'
import { within } from './samples.ts'

/**
 * Sides in pixels and WebP's qualities, the best first: the first that fits is taken. PNG fits no more than 8 × 8
 * pixels into 400 bytes, and AVIF's boxes alone take 300. Measured over 41 pictures of the examples and tests: the
 * opaque ones got 32 pixels (one of them 24), those with transparency 16 to 32.
 */
const TRIES: readonly (readonly [side: number, quality: number])[] = [
  [32, 60],
  [32, 40],
  [24, 50],
  [24, 30],
  [16, 50],
  [16, 30],
  [16, 10],
  [12, 20],
  [8, 20],
  [4, 20],
  [1, 20],
]

/**
 * Encodes a tiny WebP as a `data:` URL of at most 400 bytes. A browser that stretches it to the size of the picture
 * blurs it.
 * @param draw RGBA of the picture in a size
 */
export async function toTinyUrl(
  picture: Size,
  draw: (size: Size) => Uint8Array | Promise<Uint8Array>,
): Promise<string> {
  let url = ''
  for (const [side, quality] of TRIES) {
    const size = within(picture, side)
    const raw = { ...size, channels: 4 as const }
    const webp = { quality, alphaQuality: quality, effort: 6 }
    url = urlOf(
      await sharp(await draw(size), { raw })
        .webp(webp)
        .toBuffer(),
    )
    if (url.length <= MOST_URL_BYTES) return url
  }
  return url
}

/** Encodes one pixel, exactly. */
export async function toPixelUrl(colour: readonly number[]): Promise<string> {
  const raw = { width: 1, height: 1, channels: 4 as const }
  return urlOf(
    await sharp(Uint8Array.from(colour), { raw }).webp({ lossless: true, exact: true, effort: 6 }).toBuffer(),
  )
}

const urlOf = (webp: Uint8Array): string => `data:image/webp;base64,${Buffer.from(webp).toString('base64')}`
