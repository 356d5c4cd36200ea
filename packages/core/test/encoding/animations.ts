import sharp from 'sharp'
import { decodeFrames } from '../../src/encoding/frames.ts'
import type { Frames } from '../../src/encoding/frames.ts'

/** A file in which a block moves over stripes, and its frames as sharp decodes all of them at once. */
export async function animationOf(
  type: 'gif' | 'webp',
  { width, height, count }: { width: number; height: number; count: number },
): Promise<{ data: Buffer; frames: Frames }> {
  const delay = Array.from({ length: count }, (_, index) => 40 + 10 * index)
  const pixels = new Uint32Array(width * height * count)
  for (let index = 0; index < count; index++) {
    for (let y = 0; y < height; y++) {
      const row = (index * height + y) * width
      pixels.fill(y % 8 < 4 ? 0xff_40_80_c0 : 0xff_c0_80_40, row, row + width)
      if (y > 9 && y < 30) pixels.fill(0xff_20_20_e0, row + 12 * index, row + 12 * index + 20)
    }
  }
  const raw = { width, height: height * count, channels: 4 as const, pageHeight: height }
  const opened = sharp(Buffer.from(pixels.buffer), { raw, limitInputPixels: false })
  const data = await (
    type === 'gif' ? opened.gif({ delay, effort: 1 }) : opened.webp({ lossless: true, effort: 0, delay })
  ).toBuffer()
  const frames = await decodeFrames(sharp(data, { animated: true, limitInputPixels: false }))
  return { data, frames: { ...frames, delays: delay } }
}
