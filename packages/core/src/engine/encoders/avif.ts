import type { Effort } from '../../types.ts'
import { AVIF_EFFORT_3_10_BIT } from '../curves.ts'
import { fromPicture } from '../picture.ts'
import { searchQuality } from '../search.ts'
import type { Curve, Searched } from '../search.ts'
import type { Candidate } from '../job.ts'
import type { Encoder } from './encoder.ts'
import { PATIENCE, WINDOWS } from './encoder.ts'

/** libaom's effort of the result. Beyond 3 each step takes several times as long for a few bytes in a hundred. */
const FINAL_EFFORT = { fast: 2, default: 3, max: 4 } as const satisfies Record<Effort, number>
const PROBE_EFFORT = 2

/** Points that effort 2 scores below effort 3 at the same setting, in the median. */
const PROBE_OFFSET = 0.75

/** Of a probe's bytes, the least that a result of the same score takes. */
const FINAL_SHARE = { default: 0.85, max: 0.8 } as const

const PROBE_CURVE: Curve = AVIF_EFFORT_3_10_BIT.map(([quality, score]) => [quality, score - PROBE_OFFSET] as const)

/**
 * 10 bit, full chroma. Probes at effort 2, the final at effort 3: a quarter of effort 4's time at no more bytes, as 10
 * bits pay for the effort saved.
 */
export const encodeAvif: Encoder = async ({ picture, scorer, target, effort, mostBytes = Infinity }) => {
  const search = (
    libaomEffort: number,
    options: { target: number; window: number; curve: Curve; patience: number; mostBytes: number; start?: number },
  ): Promise<Searched> =>
    searchQuality({
      ...options,
      // Blurred at once, so only for scores that need it.
      min: target < 40 ? 1 : 10,
      max: 95,
      encode: (quality) =>
        fromPicture(picture)
          .avif({ quality, effort: libaomEffort, bitdepth: 10, chromaSubsampling: '4:4:4' })
          .toBuffer(),
      score: (data) => scorer.score(data),
    })
  const finish = (start?: number): Promise<Searched> => {
    const curve = effort === 'fast' ? PROBE_CURVE : AVIF_EFFORT_3_10_BIT
    return search(FINAL_EFFORT[effort], {
      target,
      patience: PATIENCE.final[effort],
      window: WINDOWS[effort],
      curve,
      mostBytes,
      ...(start !== undefined && { start }),
    })
  }
  if (effort === 'fast') return candidates(await finish())
  const probe = await search(PROBE_EFFORT, {
    target: target - PROBE_OFFSET - 0.3,
    window: 0.8,
    curve: PROBE_CURVE,
    patience: PATIENCE.probe[effort],
    mostBytes: mostBytes / FINAL_SHARE[effort],
  })
  return probe.tooLarge ? [] : candidates(await finish(probe.expected))
}

const candidates = ({ data, score, tooLarge }: Searched): Candidate[] =>
  tooLarge ? [] : [{ data, type: 'image/avif', score }]
