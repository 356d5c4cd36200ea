import type { WebpOptions } from 'sharp'
import type { Candidate, EncodeRequest } from '../../encoding/request.ts'
import { fromPicture } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { raisable } from '../../encoding/raise.ts'
import { blockKindOf } from '../../encoding/result-kind.ts'
import type { Raising } from '../../encoding/raise.ts'
import { lowestKept } from '../../encoding/lowest-kept.ts'
import type { Curve, Found } from '../../encoding/search.ts'
import { isSmall } from '../../encoding/picture.ts'
import { withLoopFilter } from './loop-filter.ts'
import { smallerOf } from './others.ts'
import type { Others } from './others.ts'
import { alphaQualityOf } from './transparency.ts'

/** The highest lossy setting. */
export const HIGHEST = 99

/** Settings of libwebp besides its quality. */
export interface Settings extends Pick<WebpOptions, 'effort' | 'smartSubsample' | 'alphaQuality'> {
  /** `true` if the loop filter is taken out of what libwebp writes, see `chooseFilter`. Default: `false`. */
  readonly isUnfiltered?: boolean
}

/** Encodes a picture lossily. */
export async function encodeLossy(
  picture: Picture,
  { isUnfiltered = false, ...settings }: Settings,
  quality: number,
): Promise<Uint8Array> {
  const data = await fromPicture(picture)
    .webp({ alphaQuality: alphaQualityOf(picture, settings.effort), ...settings, quality })
    .toBuffer()
  return isUnfiltered ? (withLoopFilter(data, 0) ?? data) : data
}

/** The means to improve lossy results of a picture. */
export interface Repair {
  readonly request: EncodeRequest
  /** Typical scores, with careful conversion of colours or without. */
  readonly curveOf: (smartSubsample: boolean) => Curve
  readonly others: Others
}

/**
 * Returns a lossy result that knows what takes its place where a guard refuses it: the same with careful conversion of
 * colours ("sharp YUV"), then higher settings, and as soon as they take fewer bytes palettes and near-lossless coding.
 * Halved chroma turns a blue outline navy at every setting.
 */
export function repairable(found: Found, settings: Settings, repair: Repair): Candidate {
  const { request, others } = repair
  const { picture, mostBytes = Infinity } = request
  const how = raising(settings, repair)
  const next = async (points: number): Promise<Candidate | undefined> => {
    const maySharpen = settings.smartSubsample !== true && !picture.grey
    const careful = maySharpen ? raising({ ...settings, smartSubsample: true }, repair) : undefined
    const again = careful && (await withCare(found, points, careful, request))
    if (careful === undefined || again === undefined) return higher(found, points, how, request)
    return again.passes ? raisable(again, careful) : higher(again, points, careful, request)
  }
  return { ...raisable(found, how), raise: async (points) => withOthers(await next(points), others, mostBytes) }
}

function raising(settings: Settings, { request, curveOf }: Repair): Raising {
  const { picture, scorer, mostBytes } = request
  return {
    picture,
    type: 'image/webp',
    max: HIGHEST,
    curve: curveOf(settings.smartSubsample === true),
    mostBytes,
    encode: (quality) => encodeLossy(picture, settings, quality),
    score: (data) => scorer.score(data),
  }
}

/**
 * The share of a guard's miss that careful conversion must mend to be gone on with: where blocks are the damage, it
 * mends nothing.
 */
const MENDED = 0.5

/** Points that a guard misses for each point by which `holdToGuards` asks for a better result. */
const MISSING_PER_POINT = 2

/** Returns the same setting with careful conversion of colours; `undefined` where that mends too little. */
async function withCare(
  { quality }: Found,
  points: number,
  careful: Raising,
  { picture, scorer, target, mostBytes = Infinity }: EncodeRequest,
): Promise<(Found & { passes: boolean }) | undefined> {
  const data = await careful.encode(quality)
  if (data.length > mostBytes) return undefined
  const score = await careful.score(data)
  const { kept } = await scorer.promiseKeptBy(data, blockKindOf(picture), score)
  if (kept < target - (1 - MENDED) * MISSING_PER_POINT * points) return undefined
  return { data, quality, score, passes: kept >= target }
}

/**
 * Returns the next lossy result. A small picture's is the lowest setting that passes the guards, as trying takes little
 * time.
 */
async function higher(
  found: Found,
  points: number,
  how: Raising,
  request: EncodeRequest,
): Promise<Candidate | undefined> {
  return isSmall(request.picture) ? lowestKept(found, points, how, request) : raisable(found, how).raise?.(points)
}

/** Returns the smaller of a lossy result and the others, which are made where they may be smaller. */
async function withOthers(
  lossy: Candidate | undefined,
  others: Others,
  mostBytes: number,
): Promise<Candidate | undefined> {
  if ((await others.least()) >= (lossy?.data.length ?? mostBytes)) {
    if (lossy === undefined) return undefined
    return { ...lossy, raise: async (points) => withOthers(await lossy.raise?.(points), others, mostBytes) }
  }
  return smallerOf(lossy, await others.make())
}
