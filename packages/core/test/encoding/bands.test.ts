import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { decodedBands } from '../../src/encoding/bands.ts'
import { createReference } from '../../src/quality/metric/ssimulacra2.ts'
import { open, photo } from '../images.ts'

/** Rows of which more than one band is made. */
const TALL = { width: 3000, height: 4800 }

describe('bands of a picture', () => {
  it('are all of its rows, each but the last of a multiple of 32', async () => {
    const jpeg = await open(photo(100, 160))
      .resize({ ...TALL, kernel: 'nearest', fit: 'fill' })
      .jpeg()
      .toBuffer()
    const whole = await sharp(jpeg).raw().toBuffer()
    const bands: Buffer[] = []
    for await (const band of decodedBands(() => sharp(jpeg), TALL)) bands.push(Buffer.from(band))
    expect(bands.length).toBeGreaterThan(1)
    for (const band of bands.slice(0, -1)) expect((band.length / TALL.width / 3) % 32).toBe(0)
    expect(Buffer.concat(bands).equals(whole)).toBe(true)
  })

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
    await expect(reference.scoreBands(half())).rejects.toThrow('are no image of 200')
    reference.dispose()
  })
})
