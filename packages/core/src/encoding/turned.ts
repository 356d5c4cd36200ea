import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { Frames } from './frames.ts'

/**
 * Turns stored pixels upright by an orientation of EXIF (Exif 2.32 section 4.6.4). sharp's own reader turns more
 * pictures than browsers. It mirrors before it turns, but only where no resize is asked for later: see `upright`.
 */
export function turnUpright(stored: Sharp, orientation: number): Sharp {
  const [angle, flip, flop] = TURNS[orientation - 1] ?? [0, false, false]
  return (angle === 0 ? stored : stored.rotate(angle)).flip(flip).flop(flop)
}

/** Turns stored pixels upright, and opens them for a resize, which sharp would do before it turns them. */
export async function upright(stored: Sharp, orientation: number): Promise<Sharp> {
  if (orientation === 1) return stored
  const isGrey = (await stored.metadata()).channels < 3
  const opened = isGrey ? stored.toColourspace('b-w') : stored
  const { data, info } = await turnUpright(opened, orientation).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
}

/** Degrees clockwise, then whether top and bottom change places, then left and right, for orientations 1 to 8. */
const TURNS: readonly (readonly [angle: number, flip: boolean, flop: boolean])[] = [
  [0, false, false],
  [0, false, true],
  [180, false, false],
  [0, true, false],
  [90, true, false],
  [90, false, false],
  [90, false, true],
  [270, false, false],
]

/** Turns every frame of an animation upright: browsers turn an animated PNG by its EXIF as any other. */
export async function turnedFrames(frames: Frames, orientation: number): Promise<Frames> {
  if (orientation === 1) return frames
  const { width, height, count } = frames
  const bytes = width * height * 4
  const made: Buffer[] = []
  for (let index = 0; index < count; index++) {
    const stored = sharp(frames.data.subarray(index * bytes, (index + 1) * bytes), {
      raw: { width, height, channels: 4 },
      limitInputPixels: false,
    })
    made.push(await turnUpright(stored, orientation).raw().toBuffer())
  }
  const isSideways = orientation >= 5
  const size = { width: isSideways ? height : width, height: isSideways ? width : height }
  return { ...frames, ...size, data: Buffer.concat(made) }
}
