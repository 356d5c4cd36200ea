import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { composeGif } from '../../../src/formats/gif/compose.ts'

/** One frame of a GIF that is put together by hand. */
export interface HandFrame {
  readonly left?: number
  readonly top?: number
  readonly width: number
  readonly height: number
  /** Indices, line after line. */
  readonly indices: readonly number[]
  readonly disposal?: number
  readonly delay?: number
  readonly transparent?: number
  readonly palette?: readonly number[]
}

export const load = (name: string): Buffer => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url))

const uint16 = (value: number): number[] => [value & 255, value >> 8]

/** Returns codes of nine bits with a clear code before each index, so that every decoder reads them in the same way. */
function plainCodes(indices: readonly number[]): number[] {
  const codes = [...indices.flatMap((index) => [256, index]), 257]
  const bytes: number[] = []
  let [held, bits] = [0, 0]
  for (const code of codes) {
    held |= code << bits
    for (bits += 9; bits >= 8; bits -= 8, held >>>= 8) bytes.push(held & 255)
  }
  return bits > 0 ? [...bytes, held] : bytes
}

function blocksOf(bytes: readonly number[]): number[] {
  const blocks: number[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  return [...blocks, 0]
}

/** A GIF with a palette of 256 colours, index and colour related by `colourOf`, for all frames without their own. */
export function gifOf(
  width: number,
  height: number,
  frames: readonly HandFrame[],
  extra: readonly number[] = [],
): Buffer {
  const bytes = [...Buffer.from('GIF89a'), ...uint16(width), ...uint16(height), 0xf7, 0, 0]
  for (let index = 0; index < 256; index++) bytes.push(...colourOf(index))
  bytes.push(...extra)
  for (const { left = 0, top = 0, palette, disposal = 0, delay = 10, transparent, indices, ...size } of frames) {
    const control = (disposal << 2) | (transparent === undefined ? 0 : 1)
    bytes.push(0x21, 0xf9, 4, control, ...uint16(delay), transparent ?? 0, 0)
    bytes.push(0x2c, ...uint16(left), ...uint16(top), ...uint16(size.width), ...uint16(size.height))
    bytes.push(palette === undefined ? 0 : 0x87, ...(palette ?? []), 8, ...blocksOf(plainCodes(indices)))
  }
  return Buffer.from([...bytes, 0x3b])
}

export const colourOf = (index: number): [number, number, number] => [index, (index * 7) & 255, 255 - index]

/** The block that makes an animation loop. */
export const loopBlock = (plays: number): number[] => [
  0x21,
  0xff,
  11,
  ...Buffer.from('NETSCAPE2.0'),
  3,
  1,
  ...uint16(plays),
  0,
]

/** Numbers that look random and are the same each time, below a bound. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 16) % below
  }
}

/**
 * Returns the pixels of all frames, from our reader that composes whole animations, or from sharp's if that is right.
 */
export async function shownFrames(gif: Uint8Array): Promise<Buffer> {
  const composed = await composeGif(gif)
  const data =
    composed === undefined || !('frames' in composed)
      ? await sharp(gif, { animated: true }).ensureAlpha().raw().toBuffer()
      : composed.frames.data
  const shown = Buffer.from(data)
  for (let at = 0; at < shown.length; at += 4) if (shown[at + 3] === 0) shown.fill(0, at, at + 3)
  return shown
}
