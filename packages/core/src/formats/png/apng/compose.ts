import sharp from 'sharp'
import { copyFrames } from '../../../encoding/frame-source.ts'
import type { FrameSource } from '../../../encoding/frame-source.ts'
import type { Frames } from '../../../encoding/frames.ts'
import { BLEND, DISPOSE, frameAsPng } from './read.ts'
import type { Apng, ApngFrame } from './read.ts'

/**
 * Composes all frames as they are seen.
 * @throws Error when the pixels of a frame cannot be decoded
 */
export function composeFrames(apng: Apng): Promise<Frames> {
  return copyFrames(openApng(apng))
}

/** Composes the frames as they are seen, in their order on one canvas. An earlier one is composed from the first on. */
export function openApng(apng: Apng): FrameSource {
  const { width, height, frames } = apng
  const canvas = Buffer.alloc(width * height * 4)
  const before = frames.some(({ dispose }) => dispose === DISPOSE.previous) ? Buffer.alloc(canvas.length) : canvas
  let shown = -1
  const dispose = (frame: ApngFrame): void => {
    if (frame.dispose === DISPOSE.previous) before.copy(canvas)
    else if (frame.dispose === DISPOSE.background) clear(canvas, width, frame)
  }
  const draw = async (frame: ApngFrame): Promise<void> => {
    if (frame.dispose === DISPOSE.previous) canvas.copy(before)
    put(canvas, width, frame, await decodeFrame(apng, frame))
  }
  return {
    width,
    height,
    count: frames.length,
    atOnce: 1,
    async frame(index) {
      if (index < shown) {
        canvas.fill(0)
        shown = -1
      }
      while (shown < index) {
        if (shown >= 0) dispose(frames[shown]!)
        await draw(frames[++shown]!)
      }
      return canvas
    },
  }
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
