import { countDecoded } from '../../base/counters.ts'
import { releasePixels } from '../../encoding/release-pixels.ts'
import type { Picture } from '../../encoding/picture.ts'
import { detectType } from '../../base/detect.ts'
import { codecOf } from '../../formats/index.ts'
import { wordsOf } from '../../resample/raster.ts'
import { openStill } from './open-still.ts'

/** Encoded bytes as decoders show them. */
export interface Shown {
  /**
   * Number of ways in which decoders convert the file's samples to 8 bits. The one that usually scores lowest comes
   * first.
   */
  readonly ways: number
  /** Returns the picture's pixels in one of these ways. They are made on the first call. */
  pixels(way: number): Buffer
  /** Bytes of pixels in memory. */
  readonly bytes: number
  /** Releases the pixels. */
  release(): void
}

/** Decodes encoded bytes to pixels with a picture's channels. */
export async function showEncoded(encoded: Uint8Array, { channels }: Pick<Picture, 'channels'>): Promise<Shown> {
  const type = detectType(encoded)
  const decoded = await openStill(encoded, type, false)
  const plain = channels === 4 ? decoded.ensureAlpha() : decoded.removeAlpha()
  const shownSamples = type === undefined ? undefined : codecOf(type).shownSamples
  const { depth, bitsPerSample = 16 } = shownSamples === undefined ? {} : await decoded.metadata()
  if (shownSamples === undefined || depth !== 'ushort') {
    const pixels = await plain.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer()
    countDecoded(pixels.length / channels)
    return { ways: 1, bytes: pixels.length, pixels: () => pixels, release: () => releasePixels(pixels) }
  }
  const samples = await plain.toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer()
  const words = wordsOf(samples)
  countDecoded(words.length / channels)
  const made: Buffer[] = []
  return {
    ways: shownSamples.length,
    get bytes() {
      return made.reduce((sum, { length }) => sum + length, samples.length)
    },
    pixels: (way) => (made[way] ??= shownSamples[way]!(words, bitsPerSample, channels)),
    release() {
      releasePixels(samples)
      made.forEach(releasePixels)
    },
  }
}
