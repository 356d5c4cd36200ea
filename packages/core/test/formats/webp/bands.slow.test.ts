import { describe, expect, it } from 'vitest'
import { openWebpBands } from '../../../src/formats/webp/bands.ts'
import type { Bands } from '../../../src/encoding/bands.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { encodeLossy } from '../../../src/formats/webp/repair.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { colourPhoto, cutout, graphic, open } from '../../images.ts'

const [width, height] = [1000, 840]

function bandsOf(picture: Picture, smartSubsample: boolean): { bands: Bands | undefined; close: () => void } {
  const scorer = createScorer(picture)
  const request = { picture, scorer, target: 80, effort: 'default', source: undefined } as const
  const bands = openWebpBands(request, smartSubsample)
  return {
    bands,
    close() {
      bands?.close()
      scorer.dispose()
    },
  }
}

describe('openWebpBands', () => {
  it.each([
    [4, 82, false],
    [4, 90, false],
    [4, 86, true],
    [2, 86, false],
  ])('foretells the score of the whole without its filter at effort %i and setting %i', async (...settings) => {
    const [effort, quality, smartSubsample] = settings
    const data = await open(colourPhoto(width, height)).blur(1).raw().toBuffer()
    const picture = createPicture({ data, width, height, channels: 3 })
    const coding = { effort, smartSubsample, isUnfiltered: true }
    const scorer = createScorer(picture)
    const whole = await scorer.score(await encodeLossy(picture, coding, quality))
    scorer.dispose()
    const { bands, close } = bandsOf(picture, smartSubsample)
    const { picture: rows, scorer: ofRows } = bands!.request
    expect(rows.height).toBe(3 * 64)
    const foretold = await ofRows.score(await encodeLossy(rows, coding, quality))
    close()
    expect(Math.abs(foretold - whole)).toBeLessThan(2)
  })

  it.each([
    ['a drawing', createPicture(graphic(width, height))],
    ['a picture with alpha', { ...createPicture(cutout(width, height)), graphic: false }],
    ['a picture of few pixels', createPicture(colourPhoto(600, 700))],
    ['a picture of few rows', createPicture(colourPhoto(2000, 400))],
  ])('finds none in %s', (_, picture) => {
    const { bands, close } = bandsOf(picture, false)
    close()
    expect(bands).toBeUndefined()
  })
})
