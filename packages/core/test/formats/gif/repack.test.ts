import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { repackGif } from '../../../src/formats/gif/repack.ts'
import { readGifFrames } from '../../../src/formats/gif/read.ts'
import type { GifFrame } from '../../../src/formats/gif/read.ts'
import { gifOf, load, loopBlock, randomNumbers, shownFrames } from './gifs.ts'
import type { HandFrame } from './gifs.ts'

const SIDE = 24

/** Frames of rectangles anywhere, of few colours, that stay, go, or bring back what was there. */
function randomFrames(seed: number, disposals: readonly number[]): HandFrame[] {
  const random = randomNumbers(seed)
  return Array.from({ length: 7 }, (_, frame) => {
    const [width, height] = frame === 0 ? [SIDE, SIDE] : [1 + random(SIDE - 1), 1 + random(SIDE - 1)]
    const colours = 1 + random(6)
    const base = random(200)
    return {
      left: random(SIDE - width + 1),
      top: random(SIDE - height + 1),
      width,
      height,
      indices: Array.from({ length: width * height }, () => (random(4) === 0 ? 255 : base + random(colours))),
      disposal: disposals[random(disposals.length)]!,
      delay: random(60),
      ...(random(3) > 0 && { transparent: 255 }),
    }
  })
}

const timesOf = ({ delay, waits }: GifFrame): unknown => [delay, waits]

describe('a GIF that is packed anew', () => {
  it.each([
    ['frames that stay', [0, 1]],
    ['frames that are removed', [0, 2]],
    ['frames that give way to what was there', [1, 3]],
    ['frames of all kinds', [0, 1, 2, 3]],
  ])('shows the same at each moment, with fewer bytes: %s', async (_, disposals) => {
    for (let seed = 1; seed <= 40; seed++) {
      const source = gifOf(SIDE, SIDE, randomFrames(seed, disposals))
      const packed = repackGif(source, 'default')!
      expect(packed.length).toBeLessThan(source.length)
      const [before, after] = [await framesByTheRules(source), await framesByTheRules(packed)]
      expect([seed, before.equals(after)]).toEqual([seed, true])
      expect(readGifFrames(packed).frames.map(timesOf)).toEqual(readGifFrames(source).frames.map(timesOf))
    }
  })

  it.each(['spinner', 'meaning/disp1', 'meaning/disp2', 'meaning/disp3', 'meaning/dups'])(
    'shows the same by other readers: %s',
    async (name) => {
      const source = load(`${name}.gif`)
      const packed = repackGif(source, 'default')!
      expect(packed.length).toBeLessThan(source.length)
      expect((await shownFrames(packed)).equals(await shownFrames(source))).toBe(true)
      const [before, after] = await Promise.all(
        [source, packed].map((each) => sharp(each, { animated: true }).metadata()),
      )
      expect([after!.delay, after!.loop, after!.pages]).toEqual([before!.delay, before!.loop, before!.pages])
    },
  )

  it('comes out the same each time, and cannot be packed once more', () => {
    const source = load('spinner.gif')
    const once = repackGif(source, 'default')!
    expect(Buffer.compare(once, repackGif(source, 'default')!)).toBe(0)
    expect(repackGif(once, 'default')?.length ?? once.length).toBeGreaterThan(once.length * 0.99)
  })

  it('takes no more bytes where more is tried', () => {
    const [fast, thorough, most] = (['fast', 'default', 'max'] as const).map(
      (effort) => repackGif(load('spinner.gif'), effort)!.length,
    )
    expect(thorough).toBeLessThan(fast!)
    expect(most).toBeLessThanOrEqual(thorough! * 1.01)
  })

  it('has one palette for all frames where that holds them, and what changes of each', () => {
    const palette = Array.from({ length: 768 }, (_, at) => at & 255)
    const still = Array.from({ length: SIDE * SIDE }, (_, at) => at % 3)
    const moved = still.map((index, at) => (at === 5 * SIDE + 7 ? 9 : index))
    const frame = { width: SIDE, height: SIDE, palette }
    const source = gifOf(SIDE, SIDE, [
      { ...frame, indices: still },
      { ...frame, indices: moved },
      { ...frame, indices: moved },
    ])
    const { frames } = readGifFrames(repackGif(source, 'default')!)
    expect(frames.map(({ left, top, width, height }) => [left, top, width, height])).toEqual([
      [0, 0, SIDE, SIDE],
      [7, 5, 1, 1],
      [0, 0, 1, 1],
    ])
    expect(frames.map((each) => each.palette)).toEqual(Array.from(frames, () => frames[0]!.palette))
    expect(frames[0]!.palette).toHaveLength(3 * 4)
  })

  it('keeps how often it is shown, and no comment', () => {
    const comment = [0x21, 0xfe, 5, ...Buffer.from('hello'), 0]
    const frames = randomFrames(3, [0])
    const packed = Buffer.from(repackGif(gifOf(SIDE, SIDE, frames, [...loopBlock(4), ...comment]), 'default')!)
    expect(packed.includes(Buffer.from(loopBlock(4)))).toBe(true)
    expect(packed.includes('hello')).toBe(false)
  })

  it('is none where readers may disagree, or the pixels are damaged', () => {
    const [frame] = randomFrames(1, [0])
    const text = [0x21, 0x01, 12, ...Array.from({ length: 12 }, () => 0), 0]
    expect(repackGif(gifOf(SIDE, SIDE, [{ ...frame!, disposal: 5 }]), 'default')).toBeUndefined()
    expect(repackGif(gifOf(SIDE, SIDE, [frame!], text), 'default')).toBeUndefined()
    expect(repackGif(gifOf(SIDE - 1, SIDE, [frame!]), 'default')).toBeUndefined()
    const whole = gifOf(SIDE, SIDE, [frame!, frame!])
    expect(repackGif(whole.subarray(0, -1), 'default')).toBeUndefined()
    const damaged = Buffer.from(whole)
    damaged.fill(0xff, readGifFrames(whole).frames[1]!.start + 1, readGifFrames(whole).frames[1]!.start + 9)
    expect(repackGif(damaged, 'default')).toBeUndefined()
  })
})

/** All frames drawn by the rules of browsers, pixel by pixel and without code of the product but its decoder. */
async function framesByTheRules(gif: Uint8Array): Promise<Buffer> {
  const { decodeLzw } = await import('../../../src/formats/gif/lzw.ts')
  const { compressedPixels } = await import('../../../src/formats/gif/read.ts')
  const { width, height, frames } = readGifFrames(gif)
  const canvas = Buffer.alloc(width * height * 4)
  const shown: Buffer[] = []
  for (const frame of frames) {
    const before = Buffer.from(canvas)
    const indices = decodeLzw(compressedPixels(gif, frame), frame.minimum, frame.width * frame.height)
    const each = (draw: (to: number, from: number) => void): void => {
      for (let at = 0; at < indices.length; at++) {
        const [x, y] = [frame.left + (at % frame.width), frame.top + Math.floor(at / frame.width)]
        draw((y * width + x) * 4, at)
      }
    }
    each((to, from) => {
      const index = indices[from]!
      if (index !== frame.transparent) canvas.set([...frame.palette.subarray(index * 3, index * 3 + 3), 255], to)
    })
    shown.push(Buffer.from(canvas))
    if (frame.disposal === 2) each((to) => canvas.fill(0, to, to + 4))
    if (frame.disposal === 3) before.copy(canvas)
  }
  return Buffer.concat(shown)
}
