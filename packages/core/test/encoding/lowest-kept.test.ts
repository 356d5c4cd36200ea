import { describe, expect, it } from 'vitest'
import { createPicture } from '../../src/encoding/picture.ts'
import { lowestKept } from '../../src/encoding/lowest-kept.ts'
import type { Raising } from '../../src/encoding/raise.ts'
import type { Scorer } from '../../src/encoding/request.ts'

const picture = createPicture({ data: Buffer.alloc(16 * 16 * 3), width: 16, height: 16, channels: 3 })

/** One point of the score and ten bytes for each setting. */
const LINEAR: Raising = {
  type: 'image/avif',
  picture,
  max: 99,
  curve: [
    [0, 0],
    [128, 128],
  ],
  encode: async (quality) => new Uint8Array(10 * quality).fill(quality),
  score: async ([quality]) => quality!,
}

/** A guard by which every setting keeps a promise that is so many points below its score. */
const guarding = (less: number) => ({
  picture,
  target: 80,
  scorer: { promiseKeptBy: async (_, __, score) => ({ score, kept: score - less }) } as Partial<Scorer> as Scorer,
})

describe('the lowest setting that passes the guards', () => {
  it.each([1, 4, 11])('is found by what they say, not by the score: %d points below it', async (less) => {
    const found = await lowestKept({ quality: 80 }, 2, LINEAR, guarding(less))
    expect(found).toMatchObject({ type: 'image/avif', score: 80 + less })
    expect((await found!.raise!(1))?.score).toBe(81 + less)
  })

  it('is none where the highest fails, or takes more bytes than are of use', async () => {
    expect(await lowestKept({ quality: 80 }, 2, LINEAR, guarding(25))).toBeUndefined()
    expect(await lowestKept({ quality: 80 }, 2, { ...LINEAR, mostBytes: 700 }, guarding(10))).toBeUndefined()
    expect(await lowestKept({ quality: 99 }, 2, LINEAR, guarding(0))).toBeUndefined()
  })
})
