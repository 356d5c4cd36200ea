import sharp from 'sharp'
import type { Sharp } from 'sharp'

interface Raster {
  /** Interleaved 8-bit sRGB, frame after frame. */
  readonly pixels: Uint8Array
  readonly width: number
  /** The height of one frame. */
  readonly height: number
  readonly channels: 3 | 4
  /** Default 1. */
  readonly frames?: number
}

/** Pixels made by a test, to be encoded as what the test needs. Quality is libvips' 1 to 100. */
export class TestImage {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
  readonly frames: number

  constructor({ pixels, width, height, channels, frames = 1 }: Raster) {
    this.pixels = pixels
    this.width = width
    this.height = height
    this.channels = channels
    this.frames = frames
  }

  /** Drops the alpha channel. */
  opaque(): TestImage {
    if (this.channels === 3) return this
    const pixels = new Uint8Array((this.pixels.length / 4) * 3)
    for (let from = 0, to = 0; from < this.pixels.length; from += 4, to += 3) {
      pixels.set(this.pixels.subarray(from, from + 3), to)
    }
    return new TestImage({ pixels, width: this.width, height: this.height, channels: 3, frames: this.frames })
  }

  /** Encodes truecolour, weakly compressed, as editors save it: there is something to win. */
  png(): Promise<Buffer> {
    return this.#picture().png({ compressionLevel: 3, adaptiveFiltering: false }).toBuffer()
  }

  jpeg(quality = 95): Promise<Buffer> {
    return this.#picture().jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer()
  }

  webp(quality = 95): Promise<Buffer> {
    return this.#picture().webp({ quality, loop: 0, delay: this.#delays() }).toBuffer()
  }

  avif(quality = 90): Promise<Buffer> {
    return this.#picture().avif({ quality, effort: 2 }).toBuffer()
  }

  /** Encodes without dithering, which draws from random numbers that all threads of a process share. */
  gif(): Promise<Buffer> {
    return this.#picture().gif({ effort: 3, dither: 0, loop: 0, delay: this.#delays() }).toBuffer()
  }

  #picture(): Sharp {
    const { pixels, width, height, channels, frames } = this
    return sharp(pixels, { raw: { width, height: height * frames, channels, pageHeight: height } })
  }

  #delays(): number[] {
    return Array.from({ length: this.frames }, () => 100)
  }
}
