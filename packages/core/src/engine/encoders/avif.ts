import { AVIF_EFFORT_3_10_BIT } from '../curves.ts'
import type { Curve } from '../search.ts'
import { fromPicture } from '../picture.ts'
import { searchQuality } from '../search.ts'
import type { Encoder } from './encoder.ts'
import { WINDOW } from './encoder.ts'

/** Points that effort 2 scores below effort 3 at the same setting, in the median. */
const PROBE_OFFSET = 0.75

const PROBE_CURVE: Curve = AVIF_EFFORT_3_10_BIT.map(([quality, score]) => [quality, score - PROBE_OFFSET] as const)

/**
 * 10 bit, full chroma. Probes at effort 2, the final at effort 3: a quarter of effort 4's time at no more bytes, as 10
 * bits pay for the effort saved.
 */
export const encodeAvif: Encoder = async ({ picture, scorer, target }) => {
  const encode = (quality: number, effort: number): Promise<Buffer> =>
    fromPicture(picture).avif({ quality, effort, bitdepth: 10, chromaSubsampling: '4:4:4' }).toBuffer()
  const score = (data: Uint8Array): Promise<number> => scorer.score(data)
  const probe = await searchQuality({
    target: target - PROBE_OFFSET - 0.3,
    window: 0.8,
    min: 10,
    max: 95,
    curve: PROBE_CURVE,
    encode: (quality) => encode(quality, 2),
    score,
  })
  const final = await searchQuality({
    target,
    window: WINDOW,
    min: 10,
    max: 95,
    curve: AVIF_EFFORT_3_10_BIT,
    start: probe.quality,
    encode: (quality) => encode(quality, 3),
    score,
  })
  return [{ data: final.data, type: 'image/avif', score: final.score }]
}
