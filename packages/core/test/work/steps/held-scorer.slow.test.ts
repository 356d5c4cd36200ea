import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { optimize } from '../../../src/index.ts'
import { closeScorer, dropScorer, openScorer } from '../../../src/work/steps/held-scorer.ts'
import { photo } from '../../images.ts'

const picture = (seed: number): Picture => {
  const { data, width, height } = photo(64, 48, seed)
  return createPicture({ data: Buffer.from(data), width, height, channels: 3 })
}

afterEach(dropScorer)

describe('the scorer of a picture', () => {
  it('is that of the job before where the picture may come again', () => {
    const one = picture(1)
    const first = openScorer(one)
    closeScorer(one, first, true)
    expect(openScorer(one)).toBe(first)
  })

  it('is another one for another picture, for jobs at once, and where none was to come', () => {
    const one = picture(1)
    const first = openScorer(one)
    const beside = openScorer(one)
    expect(beside).not.toBe(first)
    closeScorer(one, beside, false)
    expect(openScorer(one)).not.toBe(beside)
    closeScorer(one, first, true)
    expect(openScorer(picture(1))).not.toBe(first)
  })

  it('scores the same when it is used again', async () => {
    const one = picture(2)
    const webp = await sharp(one.data, { raw: { width: 64, height: 48, channels: 3 } })
      .webp({ quality: 60 })
      .toBuffer()
    const first = openScorer(one)
    const score = await first.score(webp)
    closeScorer(one, first, true)
    expect(await openScorer(one).score(webp)).toBe(score)
  })
})

it('a size has the same bytes in a type, whatever type was made before', async () => {
  const { data, width, height } = photo(240, 180, 3)
  const source = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
  const resize = { method: 'scale', width: 120 } as const
  const alone = await optimize(source, { resize, convert: { type: 'image/webp' } })
  await optimize(source, { resize: { ...resize, width: 100 } })
  await optimize(source, { resize, convert: { type: 'image/avif' } })
  const after = await optimize(source, { resize, convert: { type: 'image/webp' } })
  expect(Buffer.compare(after.data as Buffer, alone.data as Buffer)).toBe(0)
})
