import sharp from 'sharp'
import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createReference } from '../../../src/quality/metric/ssimulacra2.ts'
import { open, photo } from '../../images.ts'

describe('bands of a picture', () => {
  it.each([0, undefined])('have the score of the whole (prepared bytes: %s)', async (maxBytes) => {
    const picture = photo(300, 200)
    const data = await sharp(await open(picture).jpeg({ quality: 40 }).toBuffer())
      .raw()
      .toBuffer()
    const reference = createReference(picture, maxBytes === undefined ? {} : { maxBytes })
    async function* bands(): AsyncGenerator<Buffer> {
      const rows = 64 * 300 * 3
      for (let at = 0; at < data.length; at += rows) yield data.subarray(at, at + rows)
    }
    expect(await reference.scoreBands(bands())).toBe(reference.score({ ...picture, data }))
    async function* half(): AsyncGenerator<Buffer> {
      yield data.subarray(0, data.length / 2)
    }
    await expect(reference.scoreBands(half())).rejects.toThrow(failure('INTERNAL', '200'))
    reference.dispose()
  })
})
