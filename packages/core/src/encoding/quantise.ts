import type { PngOptions, Sharp } from 'sharp'
import { withProcessLock } from '../concurrency/process-lock.ts'

export interface QuantiserOptions {
  /** 2 to 256; 256 when not given. */
  readonly colours?: number
  /** libimagequant's, 0 to 100; 100 when not given. */
  readonly quality?: number
  /** Error diffusion, 0 to 1; 1 when not given. */
  readonly dither?: number
  /** Of sharp, 1 to 10: libimagequant's speed is 11 less this. */
  readonly effort: number
}

/**
 * A PNG of few colours by libimagequant. Its error diffusion begins with numbers from the C library's one random state,
 * which it sets to a fixed seed and then draws from: two at once take numbers from each other, and the bytes differ from
 * run to run. So one is dithered at a time.
 */
export function quantisePng(
  pixels: Sharp,
  options: QuantiserOptions,
  { compressionLevel }: Pick<PngOptions, 'compressionLevel'>,
): Promise<Buffer> {
  const encode = (): Promise<Buffer> => pixels.png({ palette: true, compressionLevel, ...options }).toBuffer()
  return options.dither === 0 ? encode() : withProcessLock(encode)
}
