import type { Sharp } from 'sharp'
import { ssimulacra2 } from '../metric/ssimulacra2.ts'

/** The frames of an animation as they are seen: interleaved RGBA of 8 bits, one below the other. */
export interface Frames {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly count: number
}

/** When each frame is shown, and how often all of them. */
export interface Timing {
  /** Seconds, as a fraction, of each frame. */
  readonly delays: readonly (readonly [numerator: number, denominator: number])[]
  /** 0 for ever. */
  readonly plays: number
}

export async function decodeFrames(pipeline: Sharp): Promise<Frames> {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const height = info.pageHeight ?? info.height
  return { data, width: info.width, height, count: Math.max(1, Math.round(info.height / height)) }
}

/**
 * The lowest score of some frames, spread evenly; frames of another number or size than the original's score below every
 * target.
 */
export function worstFrame(original: Frames, written: Frames, compared: number): number {
  if (written.count !== original.count || written.width !== original.width || written.height !== original.height)
    return -Infinity
  let worst = 100
  const step = Math.max(1, original.count / compared)
  for (let at = 0; Math.floor(at) < original.count; at += step) {
    const a = frameOf(original, Math.floor(at))
    const b = frameOf(written, Math.floor(at))
    if (!a.data.equals(b.data)) worst = Math.min(worst, ssimulacra2(a, b))
  }
  return worst
}

function frameOf(frames: Frames, index: number): { data: Buffer; width: number; height: number; channels: 4 } {
  const bytes = frames.width * frames.height * 4
  return {
    data: frames.data.subarray(index * bytes, (index + 1) * bytes),
    width: frames.width,
    height: frames.height,
    channels: 4,
  }
}
