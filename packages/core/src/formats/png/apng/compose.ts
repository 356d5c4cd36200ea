import sharp from 'sharp'
import type { Frames } from '../../../encoding/frames.ts'
import { BLEND, DISPOSE, frameAsPng } from './read.ts'
import type { Apng, ApngFrame } from './read.ts'

/**
 * Composes the frames as they are seen, one after the other.
 * @throws Error when the pixels of a frame cannot be decoded
 */
export async function composeFrames(apng: Apng): Promise<Frames> {
  const { width, height, frames } = apng
  const size = width * height * 4
  const canvas = Buffer.alloc(size)
  const data = Buffer.allocUnsafe(size * frames.length)
  let before: Buffer | undefined
  for (const [index, frame] of frames.entries()) {
    if (frame.dispose === DISPOSE.previous) before = Buffer.from(canvas)
    put(canvas, width, frame, await decodeFrame(apng, frame))
    canvas.copy(data, index * size)
    if (frame.dispose === DISPOSE.previous) before!.copy(canvas)
    else if (frame.dispose === DISPOSE.background) clear(canvas, width, frame)
  }
  return { data, width, height, count: frames.length }
}

async function decodeFrame(apng: Apng, frame: ApngFrame): Promise<Buffer> {
  return sharp(frameAsPng(apng, frame), { failOn: 'error', limitInputPixels: false })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer()
}

function put(canvas: Buffer, width: number, frame: ApngFrame, pixels: Buffer): void {
  const row = frame.width * 4
  for (let y = 0; y < frame.height; y++) {
    const to = ((frame.top + y) * width + frame.left) * 4
    const line = pixels.subarray(y * row, (y + 1) * row)
    if (frame.blend === BLEND.source) canvas.set(line, to)
    else blendOver(canvas.subarray(to, to + row), line)
  }
}

/** Blends by simple alpha compositing without premultiplied colours (PNG Specification, section 12.5). */
function blendOver(under: Buffer, over: Buffer): void {
  for (let at = 0; at < over.length; at += 4) {
    const alpha = over[at + 3]!
    if (alpha === 0) continue
    const below = under[at + 3]!
    if (alpha === 255 || below === 0) {
      under.set(over.subarray(at, at + 4), at)
      continue
    }
    const share = below * (255 - alpha)
    const whole = alpha * 255 + share
    for (let channel = at; channel < at + 3; channel++) {
      under[channel] = Math.round((over[channel]! * alpha * 255 + under[channel]! * share) / whole)
    }
    under[at + 3] = Math.round(whole / 255)
  }
}

function clear(canvas: Buffer, width: number, { left, top, width: columns, height: rows }: ApngFrame): void {
  for (let y = top; y < top + rows; y++) canvas.fill(0, (y * width + left) * 4, (y * width + left + columns) * 4)
}
