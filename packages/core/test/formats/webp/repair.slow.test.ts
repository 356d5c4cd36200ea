import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Candidate, EncodeRequest, Scorer } from '../../../src/encoding/request.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { encodeWebp } from '../../../src/formats/webp/encode.ts'
import { isLossyWebp } from '../../../src/formats/webp/lossy.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'

const TARGET = 80

const COFFEE = fileURLToPath(new URL('../../quality/metric/fixtures/coffee.png', import.meta.url))

/**
 * Draws a few saturated blue outlines on white into a photograph of weak colours. They are too few for the encoder to
 * convert chroma with care from the start.
 */
async function outlined(width: number, height: number): Promise<Picture> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width / 4}" height="${height / 4}" fill="#fff"/><circle cx="${width / 8}" cy="${height / 8}" r="${height / 12}" fill="none" stroke="#00f"/></svg>`
  const drawn = await sharp(COFFEE)
    .resize(width, height, { fit: 'fill' })
    .modulate({ saturation: 0.3 })
    .composite([{ input: Buffer.from(svg) }])
    .removeAlpha()
    .raw()
    .toBuffer()
  return createPicture({ data: drawn, width, height, channels: 3 })
}

/** Returns the first candidate of an encoder that has the real scores, and guards that judge lossy results as given. */
async function first(
  picture: Picture,
  judge: (encoded: Uint8Array, score: number, scorer: Scorer) => Promise<number>,
  follow: (found: Candidate) => Promise<void>,
  effort: EncodeRequest['effort'] = 'default',
): Promise<void> {
  const real = createScorer(picture)
  const scorer: Scorer = {
    ...real,
    promiseKeptBy: async (encoded, _, score) => ({ score, kept: await judge(encoded, score, real) }),
  }
  try {
    const [found] = await encodeWebp({ picture, scorer, target: TARGET, effort, source: undefined })
    await follow(found!)
  } finally {
    real.dispose()
  }
}

const byGuards = async (encoded: Uint8Array, score: number, scorer: Scorer): Promise<number> =>
  (await scorer.promiseKeptBy(encoded, 'photograph', score)).kept

async function blueOf(encoded: Uint8Array, { width, height }: Picture): Promise<number> {
  const part = { left: 0, top: 0, width: Math.floor(width / 4), height: Math.floor(height / 4) }
  const { data } = await sharp(encoded).extract(part).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let strongest = 0
  for (let at = 0; at < data.length; at += 3) strongest = Math.max(strongest, data[at + 2]! - data[at]!)
  return strongest
}

describe('a lossy result that is refused', () => {
  it('is made with careful conversion of colours at the same setting, which keeps thin blue lines', async () => {
    const picture = await outlined(480, 360)
    await first(
      picture,
      async () => TARGET,
      async (found) => {
        const better = await found.raise!(4)
        expect(isLossyWebp(better!.data)).toBe(true)
        expect(await blueOf(better!.data, picture)).toBeGreaterThan((await blueOf(found.data, picture)) + 10)
        expect(better!.data.length).toBeLessThan(found.data.length * 1.1)
      },
    )
  })

  it('goes on without such care where that mends nothing', async () => {
    const picture = await outlined(480, 360)
    await first(
      picture,
      async () => TARGET - 10,
      async (found) => {
        const better = await found.raise!(4)
        expect(await blueOf(better!.data, picture)).toBeLessThan((await blueOf(found.data, picture)) + 10)
        expect(better!.score).toBeGreaterThan(found.score + 1)
      },
    )
  })

  it.each(['fast', 'default'] as const)(
    'becomes near-lossless, and at last lossless, where no setting passes: %s',
    async (effort) => {
      const picture = await outlined(480, 360)
      const seen: Candidate[] = []
      await first(
        picture,
        async () => TARGET - 5,
        async (found) => {
          for (let next: Candidate | undefined = found; next !== undefined; next = await next.raise?.(8))
            seen.push(next)
        },
        effort,
      )
      const near = seen.filter(({ kind }) => kind === 'palette')
      expect(near).toHaveLength(4)
      expect(seen.findIndex(({ kind }) => kind === 'palette')).toBeGreaterThan(1)
      expect(seen.at(-1)).toMatchObject({ score: 100 })
      expect(near[0]!.data.length).toBeLessThan(seen.at(-1)!.data.length)
    },
  )

  it('is passed over for what takes fewer bytes than the next setting', async () => {
    const picture = await outlined(480, 360)
    const sizes: number[] = []
    await first(
      picture,
      async () => TARGET - 5,
      async (found) => {
        for (let next: Candidate | undefined = found; next !== undefined; next = await next.raise?.(4)) {
          if (next.score >= TARGET) sizes.push(next.data.length)
        }
      },
    )
    expect(sizes.slice(0, 4)).toEqual(sizes.slice(0, 4).toSorted((a, b) => a - b))
  })

  it('of a small picture is the lowest setting that passes', async () => {
    const small = await sharp(COFFEE).resize(64, 64).removeAlpha().raw().toBuffer()
    const picture = createPicture({ data: small, width: 64, height: 64, channels: 3 })
    await first(picture, byGuards, async (found) => {
      const scorer = createScorer(picture)
      const keptBy = async ({ data, score }: Candidate): Promise<number> =>
        (await scorer.promiseKeptBy(data, 'photograph', score)).kept
      try {
        if ((await keptBy(found)) >= TARGET) return
        const better = await found.raise!(4)
        expect(await keptBy(better!)).toBeGreaterThanOrEqual(TARGET)
        expect(await keptBy(better!)).toBeLessThan(TARGET + 3)
      } finally {
        scorer.dispose()
      }
    })
  })
})
