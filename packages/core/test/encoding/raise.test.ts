import { describe, expect, it } from 'vitest'
import { createPicture } from '../../src/encoding/picture.ts'
import { raisable } from '../../src/encoding/raise.ts'
import type { Raising } from '../../src/encoding/raise.ts'

const DRAWING = createPicture({ data: Buffer.alloc(48), width: 4, height: 4, channels: 3 })

/** One point of the score and ten bytes for each setting. */
const LINEAR: Raising = {
  type: 'image/webp',
  picture: DRAWING,
  max: 99,
  curve: [
    [0, 0],
    [128, 128],
  ],
  encode: async (quality) => new Uint8Array(10 * quality).fill(quality),
  score: async ([quality]) => quality!,
}
const at = (quality: number) => ({ data: new Uint8Array(10 * quality).fill(quality), quality, score: quality })

const within = (mostBytes: number) => raisable(at(50), { ...LINEAR, mostBytes })

describe('a better result', () => {
  it('is so many points above the one before', async () => {
    const better = await raisable(at(50), LINEAR).raise!(6)
    expect(better).toMatchObject({ type: 'image/webp', kind: 'block', score: 56 })
    expect((await better!.raise!(4))?.score).toBe(60)
  })

  it('is that of a photograph where the picture is one', async () => {
    const photograph = raisable(at(50), { ...LINEAR, picture: { ...DRAWING, graphic: false } })
    expect([photograph.kind, (await photograph.raise!(6))?.kind]).toEqual(['photograph', 'photograph'])
  })

  it('is at least one setting above', async () => {
    expect((await raisable(at(50), LINEAR).raise!(0.1))?.score).toBe(51)
  })

  it('ends at the highest setting, with what lies beyond it', async () => {
    const last = await raisable(at(97), LINEAR).raise!(8)
    expect(last?.score).toBe(99)
    expect(await last!.raise!(8)).toBeUndefined()
    const lossless = { data: new Uint8Array(1), type: 'image/webp', score: 100 } as const
    expect(await raisable(at(99), { ...LINEAR, beyond: async () => lossless }).raise!(8)).toBe(lossless)
  })

  it('is fewer points above where it would take more bytes than are of use', async () => {
    expect((await within(560).raise!(6))?.score).toBe(56)
    expect((await within(540).raise!(6))?.score).toBe(53)
    expect((await within(510).raise!(6))?.score).toBe(51)
    expect(await within(509).raise!(6)).toBeUndefined()
    const again = await within(540).raise!(3)
    expect(await again!.raise!(6)).toBeUndefined()
  })

  it('can be had half-way back to the one before, where a setting lies between them', async () => {
    const better = await raisable(at(50), LINEAR).raise!(6)
    expect(await better!.halfway!()).toMatchObject({ type: 'image/webp', kind: 'block', score: 53 })
    expect((await raisable(at(50), LINEAR).raise!(1))!.halfway).toBeUndefined()
    expect(raisable(at(50), LINEAR).halfway).toBeUndefined()
  })
})
