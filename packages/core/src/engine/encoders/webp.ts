import type { Candidate } from '../job.ts'
import { WEBP_EFFORT_4, WEBP_EFFORT_6_SHARP_YUV } from '../curves.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import { searchQuality } from '../search.ts'
import type { EncodeRequest, Encoder } from './encoder.ts'
import { WINDOW } from './encoder.ts'

/** Bytes per pixel below which a lossless result cannot be beaten by a margin that is worth a search. */
const HARDLY_ANYTHING = 0.01

/** Lossless where the picture is a graphic, and lossy by search. The smaller one wins later. */
export const encodeWebp: Encoder = async (request) => {
  const { picture, target } = request
  const candidates = picture.graphic ? [await lossless(picture)] : []
  const bytes = candidates[0]?.data.length ?? Infinity
  if (bytes < picture.width * picture.height * HARDLY_ANYTHING) return candidates
  const searched = await lossy(request)
  candidates.push(searched)
  // Halved chroma cannot keep every promise, on small pictures least of all.
  if (searched.score < target && !picture.graphic) candidates.push(await lossless(picture))
  return candidates
}

/** Effort 6 packs an alpha plane by brute force: sixty times the time of effort 5 for one byte in a hundred. */
const finalEffort = (picture: Picture): number => (picture.channels === 4 ? 5 : 6)

/**
 * Probes at effort 4, which takes less than a third of the final's time, then the final effort with sharp chroma conversion from
 * the setting found: it scores a little higher at the same setting, so one or two encodes end it.
 */
async function lossy({ picture, scorer, target }: EncodeRequest): Promise<Candidate> {
  const score = (data: Uint8Array): Promise<number> => scorer.score(data)
  const probe = await searchQuality({
    target,
    window: 1.2,
    min: 11,
    max: 99,
    curve: WEBP_EFFORT_4,
    encode: (quality) => fromPicture(picture).webp({ quality, effort: 4 }).toBuffer(),
    score,
  })
  const final = await searchQuality({
    target,
    window: WINDOW,
    min: Math.max(11, probe.quality - 6),
    max: 99,
    curve: WEBP_EFFORT_6_SHARP_YUV,
    start: probe.quality - 1,
    encode: (quality) =>
      fromPicture(picture)
        .webp({ quality, effort: finalEffort(picture), smartSubsample: true })
        .toBuffer(),
    score,
  })
  const found =
    final.score >= target && final.data.length <= probe.data.length ? final : probe.score >= target ? probe : final
  return { data: found.data, type: 'image/webp', score: found.score }
}

async function lossless(picture: Picture): Promise<Candidate> {
  const data = await fromPicture(picture).webp({ lossless: true, effort: 4, exact: false }).toBuffer()
  return { data, type: 'image/webp', score: 100 }
}
