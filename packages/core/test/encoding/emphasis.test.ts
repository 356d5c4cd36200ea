import path from 'node:path'
import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import { emphasiseRefused } from '../../src/encoding/emphasis.ts'
import { findFewestColours } from '../../src/encoding/fewest-colours.ts'
import { Tried, Trials } from '../../src/encoding/palette-trials.ts'
import type { PaletteRequest } from '../../src/encoding/palette-trials.ts'
import { createPicture } from '../../src/encoding/picture.ts'
import { createQuantiser } from '../../src/encoding/quantiser.ts'
import type { Effort } from '../../src/base/types.ts'
import { createScorer } from '../../src/work/steps/scorer.ts'

const CUTOUT = path.join(import.meta.dirname, '../fixtures/cutouts/composites/trim-1.png')

const held: { dispose(): void }[] = []
afterEach(() => {
  for (const one of held.splice(0)) one.dispose()
})

/** A search for a picture of which a guard refuses palettes with fewer colours than pass. */
async function searched(effort: Effort) {
  const { data, info } = await sharp(CUTOUT)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const picture = createPicture({ data, width: info.width, height: info.height, channels: 4 })
  const scorer = createScorer(picture)
  const quantiser = createQuantiser(picture)!
  held.push(scorer, quantiser)
  const request: PaletteRequest = { picture, scorer, target: 80, effort }
  const tried = new Tried(quantiser, scorer)
  const trials = new Trials(request, tried)
  findFewestColours(trials)
  return { request, tried, found: trials.best }
}

describe('palettes that are trained again', () => {
  it('pass with the colours that a guard refused before, in fewer bytes', async () => {
    const { request, tried, found } = await searched('default')
    const refused = tried.refusedBelow(found!.colours, 80)!
    const best = emphasiseRefused(request, tried, found)!
    expect(refused.colours).toBeLessThan(found!.colours)
    expect(best.trainings).toBeGreaterThan(0)
    expect(best.rated).toBeGreaterThanOrEqual(80)
    expect(best.draft().length).toBeLessThan(found!.draft().length)
  })

  it('pass where no palette did', async () => {
    const { request, tried, found } = await searched('default')
    expect(found).toBeDefined()
    expect(emphasiseRefused(request, tried, undefined)).toMatchObject({ trainings: expect.any(Number) })
  })

  it('are made at most twice for one picture', async () => {
    const { request, tried, found } = await searched('default')
    emphasiseRefused(request, tried, found)
    const { trainings, count } = tried
    expect(emphasiseRefused(request, tried, found)).toBe(found)
    expect(trainings).toBeLessThanOrEqual(2)
    expect(tried).toMatchObject({ trainings, count })
  })

  it('are not made for effort fast', async () => {
    const { request, tried, found } = await searched('fast')
    expect(emphasiseRefused(request, tried, found)).toBe(found)
    expect(tried.trainings).toBe(0)
  })
})
