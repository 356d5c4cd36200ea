import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { hasBands, openJpegBands } from '../../../src/formats/jpeg/bands.ts'
import { encode } from '../../../src/formats/jpeg/coding.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { colourPhoto, graphic, open } from '../../images.ts'

const [width, height] = [1000, 840]

describe('openJpegBands', () => {
  it.each([70, 85])('foretells the score of the whole at setting %i from a quarter of the rows', async (quality) => {
    // A photograph as it comes from a JPEG, whose blocks an encode of it meets again.
    const jpeg = await open(colourPhoto(width, height)).blur(1).jpeg({ quality: 90 }).toBuffer()
    const picture = createPicture({ data: await sharp(jpeg).raw().toBuffer(), width, height, channels: 3 })
    const options = { quality, progressive: false, quantisationTable: 5 }
    const scorer = createScorer(picture)
    const whole = await scorer.score(await encode(picture, options))
    const bands = openJpegBands({ picture, scorer, target: 80, effort: 'default', source: undefined })!
    const { request } = bands
    const foretold = await request.scorer.score(await encode(request.picture, options))
    bands.close()
    scorer.dispose()
    expect(request.picture.height).toBe(3 * 96)
    expect(Math.abs(foretold - whole)).toBeLessThan(2)
  })
})

describe('hasBands', () => {
  it.each([
    ['a drawing', graphic(width, height)],
    ['a picture of few pixels', colourPhoto(600, 700)],
    ['a picture of few rows', colourPhoto(2000, 400)],
  ])('finds none in %s', (_, raw) => {
    expect(hasBands(createPicture(raw))).toBe(false)
  })
})
