import { describe, expect, it } from 'vitest'
import { blocksOf } from '../../src/encoding/blocks.ts'

/** Grey pixels, 8 rows of blocks side by side: `level` by block, column and row. */
function blocks(count: number, level: (block: number, x: number, y: number) => number): Parameters<typeof blocksOf>[0] {
  const width = count * 8
  const data = new Uint8Array(width * 8 * 3)
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < width; x++) data.fill(level(x >> 3, x & 7, y), (y * width + x) * 3, (y * width + x + 1) * 3)
  }
  return { data, width, height: 8, channels: 3 }
}

describe('blocksOf', () => {
  it('counts quiet blocks that differ a little from the one before', () => {
    expect(blocksOf(blocks(4, (block) => 100 + 2 * block))).toEqual({ slopes: 0.75, textures: 0, lines: 0 })
  })

  it('counts neither equal blocks nor edges between flat ones', () => {
    expect(blocksOf(blocks(4, (block) => (block < 2 ? 20 : 200)))).toEqual({ slopes: 0, textures: 0, lines: 0 })
  })

  it('counts a line on a ground', () => {
    const lined = blocks(2, (block, x) => (x === 3 && block === 1 ? 0 : 255))
    expect(blocksOf(lined)).toEqual({ slopes: 0, textures: 0, lines: 0.5 })
  })

  it('counts texture, weak or strong', () => {
    const textured = blocks(2, (block, x, y) => 100 + ((x * 5 + y * 3) % 8) * (block === 0 ? 2 : 20))
    expect(blocksOf(textured)).toEqual({ slopes: 0, textures: 1, lines: 0 })
  })

  it('sees a line in the alpha channel', () => {
    const data = new Uint8Array(8 * 8 * 4).fill(255)
    for (let y = 0; y < 8; y++) data[(y * 8 + 3) * 4 + 3] = 0
    expect(blocksOf({ data, width: 8, height: 8, channels: 4 })).toMatchObject({ lines: 1 })
  })

  it('finds nothing in a picture without a whole block', () => {
    expect(blocksOf({ data: new Uint8Array(7 * 7 * 3), width: 7, height: 7, channels: 3 })).toEqual({
      slopes: 0,
      textures: 0,
      lines: 0,
    })
  })
})
