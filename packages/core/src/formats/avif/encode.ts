import type { Effort, ResolvedSettings } from '../../types.ts'
import { fromPicture, fromPictureIn16Bits } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { raisable } from '../../encoding/raise.ts'
import { PATIENCE, WINDOWS, searchQuality } from '../../encoding/search.ts'
import type { Curve, Forecast, Searched } from '../../encoding/search.ts'
import type { Candidate, EncodeRequest, Encoder } from '../../encoding/request.ts'
import { encodeExactAlpha } from './alpha.ts'
import { AVIF_EFFORT_3_10_BIT } from './curves.ts'

/** libaom's effort of the result. Beyond 3 each step takes several times as long for a few bytes in a hundred. */
const FINAL_EFFORT = { fast: 2, default: 3, max: 4 } as const satisfies Record<Effort, number>
const PROBE_EFFORT = 2

/** The highest lossy setting that is tried: beyond, files grow several times for a point. */
const HIGHEST = 95

/** Points that effort 2 scores below effort 3 at the same setting, in the median; photographs it scores a little above. */
const PROBE_OFFSET = { graphic: 0.75, photograph: -0.2 } as const

/** Of a probe's bytes, the least that a result of the same score takes. */
const FINAL_SHARE = { default: 0.85, max: 0.8 } as const

/** Its settings are close together: a result one setting away says as much as one at the very setting. */
const FORECAST: Forecast = { most: 9, near: 1, aim: 0.32 }

const below = (curve: Curve, points: number): Curve =>
  curve.map(([quality, score]) => [quality, score - points] as const)

/**
 * 10 bit, full chroma. Probes at effort 2, the final at effort 3: a quarter of effort 4's time at no more bytes, as 10
 * bits pay for the effort saved.
 */
export const encodeAvif: Encoder = async ({ picture, scorer, target, effort, mostBytes = Infinity, decline }) => {
  const candidates = (found: Searched): Candidate[] => {
    if (found.tooLarge) {
      decline?.(found.estimate)
      return []
    }
    const raised = {
      type: 'image/avif',
      max: HIGHEST,
      curve: AVIF_EFFORT_3_10_BIT,
      mostBytes,
      encode: (quality: number) => encodeExactAlpha(picture, quality, FINAL_EFFORT[effort]),
      score: (data: Uint8Array) => scorer.score(data),
    } as const
    return [raisable(found, raised)]
  }
  const search = (
    libaomEffort: number,
    options: {
      target: number
      window: number
      curve: Curve
      patience: number
      mostBytes: number
      forecast?: Forecast | undefined
    },
    probed?: Searched,
  ): Promise<Searched> =>
    searchQuality({
      ...options,
      start: probed?.expected,
      slope: probed?.slope,
      // Blurred at once, so only for scores that need it.
      min: target < 40 ? 1 : 10,
      max: HIGHEST,
      encode: (quality) => encodeExactAlpha(picture, quality, libaomEffort),
      score: (data) => scorer.score(data),
    })
  const offset = PROBE_OFFSET[picture.graphic ? 'graphic' : 'photograph']
  const probeCurve = below(AVIF_EFFORT_3_10_BIT, offset)
  const finish = (probed?: Searched): Promise<Searched> => {
    const curve = effort === 'fast' ? probeCurve : AVIF_EFFORT_3_10_BIT
    const settings = { target, patience: PATIENCE.final[effort], window: WINDOWS[effort], curve, mostBytes }
    return search(FINAL_EFFORT[effort], settings, probed)
  }
  if (effort === 'fast') return candidates(await finish())
  const probe = await search(PROBE_EFFORT, {
    target: target - offset,
    window: 0.8,
    curve: probeCurve,
    patience: PATIENCE.probe[effort],
    forecast: effort === 'max' ? undefined : FORECAST,
    mostBytes: mostBytes / FINAL_SHARE[effort],
  })
  return candidates(probe.tooLarge ? probe : await finish(probe))
}

export function encodePlainAvif(
  picture: Picture,
  { lossless, ...settings }: ResolvedSettings<'avif'>,
): Promise<Uint8Array> {
  return (lossless ? fromPicture(picture) : fromPictureIn16Bits(picture))
    .avif({ ...settings, lossless, bitdepth: lossless ? 8 : 10 })
    .toBuffer()
}

export async function encodeLosslessAvif({
  picture,
  effort,
}: Pick<EncodeRequest, 'picture' | 'effort'>): Promise<readonly Uint8Array[]> {
  const settings = { lossless: true, quality: 100, chromaSubsampling: '4:4:4', effort: FINAL_EFFORT[effort] } as const
  return [await encodePlainAvif(picture, settings)]
}
