import { describe, expect, it } from 'vitest'
import {
  PIECE_BYTES,
  copyFrames,
  heldFrames,
  openAnimationFile,
  readInPieces,
  whileHeld,
} from '../../src/encoding/frame-source.ts'
import type { Part } from '../../src/encoding/frames.ts'
import { animationOf } from './animations.ts'

const [width, height] = [512, 512]
const BYTES = width * height * 4
const AT_ONCE = PIECE_BYTES / BYTES

/** Frames of one level each, and what was decoded of them. */
function levels(count: number) {
  const parts: Part[] = []
  const source = readInPieces({ width, height, count }, (part) => {
    parts.push(part)
    const frames = Array.from({ length: part.pages }, (_, at) => Buffer.alloc(BYTES, part.page + at))
    return Promise.resolve({ data: Buffer.concat(frames) })
  })
  return { source, parts }
}

describe('frames that are read in pieces', () => {
  it('are decoded in pieces of 32 MiB, each once in a pass', async () => {
    const count = 2 * AT_ONCE + 3
    const { source, parts } = levels(count)
    for (let index = 0; index < count; index++) {
      const frame = await source.frame(index)
      expect([frame.length, frame[0], frame.at(-1)]).toEqual([BYTES, index, index])
    }
    expect(parts).toEqual([
      { page: 0, pages: AT_ONCE },
      { page: AT_ONCE, pages: AT_ONCE },
      { page: 2 * AT_ONCE, pages: 3 },
    ])
  })

  it('are decoded once in all where they are one piece', async () => {
    const { source, parts } = levels(AT_ONCE)
    for (let pass = 0; pass < 3; pass++) for (let index = 0; index < AT_ONCE; index++) await source.frame(index)
    expect(parts).toEqual([{ page: 0, pages: AT_ONCE }])
  })

  it('are decoded one by one where each is larger than a piece', async () => {
    const parts: Part[] = []
    const size = { width: 4096, height: 4096, count: 2 }
    const source = readInPieces(size, (part) => {
      parts.push(part)
      return Promise.resolve({ data: Buffer.alloc(0) })
    })
    await source.frame(0)
    await source.frame(1)
    expect(parts.map(({ pages }) => pages)).toEqual([1, 1])
  })
})

describe('copyFrames', () => {
  it('holds the frames that are wanted, or all', async () => {
    const { source } = levels(5)
    const some = await copyFrames(source, [1, 4])
    expect([some.count, some.data[0], some.data[BYTES], some.data.length]).toEqual([2, 1, 4, 2 * BYTES])
    const all = heldFrames(await copyFrames(source))
    expect(all.count).toBe(5)
    expect((await all.frame(3)).every((level) => level === 3)).toBe(true)
  })
})

describe('whileHeld', () => {
  it('frees the memory of copies, and copies nothing that is held', async () => {
    const { source } = levels(5)
    const copied = await whileHeld(source, (frames) => {
      expect([frames.data.length, frames.data.at(-1)]).toEqual([5 * BYTES, 4])
      return Promise.resolve(frames)
    })
    expect(copied.data.length).toBe(0)
    const held = await copyFrames(source)
    expect(await whileHeld(heldFrames(held), (frames) => Promise.resolve(frames))).toBe(held)
    expect(held.data.length).toBe(5 * BYTES)
  })
})

describe('openAnimationFile', () => {
  it.each(['gif', 'webp'] as const)(
    'gives the frames of a %s of several pieces as they are decoded at once',
    async (type) => {
      const { data, frames } = await animationOf(type, { width: 700, height: 600, count: 22 })
      const source = await openAnimationFile(data)
      expect([source.width, source.height, source.count, source.delays]).toEqual([700, 600, 22, frames.delays])
      expect(source.count).toBeGreaterThan(PIECE_BYTES / (700 * 600 * 4))
      expect((await copyFrames(source)).data.equals(frames.data)).toBe(true)
    },
  )
})
