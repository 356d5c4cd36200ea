import type { PngOptions, Sharp } from 'sharp'
import { withProcessLock } from '../concurrency/process-lock.ts'

/** Options of `quantisePng`. */
export interface QuantiserOptions {
  /** 2 to 256. Default: 256. */
  readonly colours?: number
  /** Quality of libimagequant, 0 to 100. Default: 100. */
  readonly quality?: number
  /** Error diffusion, 0 to 1. Default: 1. */
  readonly dither?: number
  /** Effort of sharp, 1 to 10. libimagequant's speed is 11 minus the effort. */
  readonly effort: number
}

/**
 * Encodes a PNG of few colours with libimagequant. Its error diffusion draws from the one random state of the C
 * library, which it first sets to a fixed seed. Two calls at once would take numbers from each other, and the bytes
 * would differ from run to run, so a lock lets one picture be dithered at a time.
 */
export function quantisePng(
  pixels: Sharp,
  options: QuantiserOptions,
  { compressionLevel }: Pick<PngOptions, 'compressionLevel'>,
): Promise<Buffer> {
  const encode = (): Promise<Buffer> => pixels.png({ palette: true, compressionLevel, ...options }).toBuffer()
  return options.dither === 0 ? encode() : withProcessLock(encode)
}
