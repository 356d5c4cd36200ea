import type { Candidate, Refused, Scorer } from '../../encoding/request.ts'
import { PixpressError } from '../../base/errors.ts'
import { codecOf, releaseCodecs, writableCodecOf } from '../../formats/index.ts'
import { factsOf, isImageType } from '../../base/formats.ts'
import { repeatsLittle } from '../../formats/png/photograph.ts'
import { isFirstInFewColours } from '../../formats/webp/others.ts'
import type { ImageType, InputType, ProbeResult } from '../../base/types.ts'
import { encodeAnimation } from '../animation/candidates.ts'
import { fitBytes } from '../steps/fit-bytes.ts'
import type { Job } from '../steps/job.ts'
import type { Picture } from '../../encoding/picture.ts'
import { stripMetadata } from '../steps/metadata.ts'
import { inputMayStay } from '../steps/result.ts'
import type { Attempt } from '../steps/result.ts'
import { closeScorer, openScorer } from '../steps/held-scorer.ts'
import type { PictureScorer } from '../steps/scorer.ts'
import { chooseCandidate, isUsable, mostBytesInOwnType } from '../steps/selection.ts'
import { isSmallestWanted, wantedTypes } from '../steps/wanted-types.ts'
import { withHigher } from './from-higher.ts'
import { holdToGuards } from './guarded.ts'
import { LEAST_OF_GRAIN, hasSmallest, isSmallestAsAvif, typesForDrawing, typesInOrder } from './type-order.ts'
import { openSource } from './upright-source.ts'
import type { OpenedSource } from './upright-source.ts'
import type { Size } from '../../resample/size.ts'
import type { ResolvedEncoderSettings } from '../../operations/encoder-settings.ts'

/** If a conversion takes more than this share of the source's bytes, the own type is tried as well. */
const CLEAR_WIN = 0.7

/**
 * How many times larger AVIF has to become by the guards for other types to be tried for a photograph: in photographs
 * they take about a fifth more, and would be raised as well.
 */
const MUCH_LARGER = 1.25

/** A decoded picture, with the data for its encoders. */
interface Still {
  readonly picture: Picture
  readonly scorer: Scorer
  /** The source's own bytes, if they show the picture. */
  readonly source: Uint8Array | undefined
  /** The size that browsers give the picture by EXIF, if it is not that of its pixels. */
  readonly shownAt: Size | undefined
  /** Bytes of the smallest result in other types: a larger one is of no use. */
  readonly rival?: number
  /** Receives the bytes of lossy results in the own type that are not made. */
  readonly decline: (bytes: number) => void
  /** Receives lossy results that a guard refuses. */
  readonly refuse: (refused: Refused) => void
  /** See `EncodeRequest.rivalled`. */
  readonly rivalled?: true | undefined
}

/** The work on one still image: its opened source, the limits of its results, and what encoders have found. */
interface Work extends Omit<Still, 'source' | 'rival'> {
  readonly scorer: PictureScorer
  readonly job: Job
  readonly probe: ProbeResult
  readonly opened: OpenedSource
  readonly types: readonly InputType[]
  readonly mayStay: boolean
  /** Only the forms are made that can be expected to be the smallest. */
  readonly smallest: boolean
  /** See `isSmallestAsAvif`. */
  readonly leastPixels: number | undefined
  /** Bytes of the input if it may be the result, because a larger one is of no use; otherwise `Infinity`. */
  bytesOfInput: number
  /** Approximate bytes of the smallest lossy result in the own type that was not made. */
  declined: number
  readonly refused: Refused[]
  /** Makes results in the types that were skipped because another is always smallest. A guard may refuse that one. */
  untried: (() => Promise<Candidate[]>) | undefined
}

/** Encodes a still image in the requested types, and in its own type if that may be smaller. */
export async function attemptStill(job: Job, probe: ProbeResult): Promise<Attempt> {
  const work = await beginWork(job, probe)
  const { scorer, mayStay, opened } = work
  const { picture, resized, placeholder } = opened
  const { maxBytes, score: promise, effort, lossless } = job.operations
  try {
    const choose = (from: readonly Candidate[]): Candidate | undefined => chooseCandidate(from, job, mayStay)
    const made = await fitBytes((score) => encode(work, score), promise, maxBytes)
    const judging = {
      choose,
      scorer,
      promise,
      untried: work.untried,
      ...(work.smallest && { untriedFrom: MUCH_LARGER }),
      stepsBack: effort !== 'fast',
    }
    const held = made.length === 0 ? made : await holdToGuards(made, judging)
    const mayRise = held.length > 0 && maxBytes === null
    const candidates = mayRise ? await withHigher(held, judging, (type, score) => encode(work, score, type)) : held
    if (lossless === true && candidates.length === 0 && !mayStay) throw cannotBeLossless(job)
    const { declined, refused } = work
    const { width, height, channels } = picture
    const hasAlpha = channels === 4
    const shown = { width, height, hasAlpha, crop: opened.crop }
    return { ...shown, picture, candidates, inputMayStay: mayStay, declined, refused, notes: [], placeholder }
  } finally {
    closeScorer(picture, scorer, resized)
    releaseCodecs()
  }
}

async function beginWork(job: Job, probe: ProbeResult): Promise<Work> {
  const opened = await openSource(job, probe)
  const { picture, untouched } = opened
  const { width, height, channels } = picture
  const mayStay = inputMayStay(job, untouched)
  const inputCounts = mayStay && job.operations.maxBytes === null
  const refused: Refused[] = []
  const smallest = isSmallestWanted(job.operations)
  const work: Work = {
    job,
    probe,
    opened,
    picture,
    mayStay,
    refused,
    types: wantedTypes(job, { animated: false, transparent: channels === 4, width, height }),
    smallest,
    leastPixels: smallest && repeatsLittle(picture) ? LEAST_OF_GRAIN : undefined,
    rivalled: smallest && isFirstInFewColours(picture) && job.type !== 'image/jpeg' ? true : undefined,
    scorer: openScorer(picture),
    shownAt: opened.resized ? undefined : codecOf(job.type).shownSize?.read(job.source),
    bytesOfInput: inputCounts ? stripMetadata(job.source, job.type).length : Infinity,
    declined: Infinity,
    decline: (bytes) => void (work.declined = Math.min(work.declined, bytes)),
    refuse: (each) => void refused.push(each),
    untried: undefined,
  }
  return work
}

/**
 * Encodes the picture for a score. If EXIF rotates the source, its losslessly rotated version is used. If there is
 * none, or no result of it may be used, the pixels are encoded upright. If no such result may be used either, the
 * source's own bytes are used with their tag, unless an upright result takes the bytes of the source's metadata as well
 * and no more.
 */
async function encode(work: Work, score: number, only?: InputType): Promise<Candidate[]> {
  const { job, probe, mayStay } = work
  const { upright } = work.opened
  if (probe.orientation === 1) return encodeFrom(upright, work, score, only)
  const mayBeUsed = (made: readonly Candidate[]): boolean => made.some((each) => isUsable(each, score, job))
  if (upright !== undefined) {
    const made = await encodeFrom(upright, work, score, only)
    // The rotated source is a candidate too, like the input if EXIF does not rotate it.
    const rotated = [...made, { data: upright, type: job.type, score: 100 }]
    if (mayBeUsed(rotated)) return rotated
  }
  const again = await encodeFrom(undefined, work, score, only)
  const keepsTag = mayStay && codecOf(job.type).keepsOrientation === true
  if (!keepsTag || mayBeUsed(again)) return again
  const larger = await encodeUprightWithin(bytesWithMetadata(job), work, score, only)
  const withTag = await encodeFrom(job.source, work, score, only)
  // A guard may still refuse what is larger.
  return mayBeUsed(larger) ? [...larger, ...withTag] : withTag
}

/** Returns the bytes of the source, less those of the gain map, which is carried over. */
const bytesWithMetadata = ({ source, type }: Job): number =>
  source.length - (codecOf(type).extras?.(source).gainMap?.file?.length ?? 0)

/** Encodes the pixels upright where results may take more bytes than the input without its metadata. */
async function encodeUprightWithin(
  bytes: number,
  work: Work,
  score: number,
  only: InputType | undefined,
): Promise<Candidate[]> {
  const { bytesOfInput } = work
  if (bytes <= bytesOfInput) return []
  work.bytesOfInput = bytes
  try {
    return await encodeFrom(undefined, work, score, only)
  } finally {
    work.bytesOfInput = bytesOfInput
  }
}

/** Encodes in the requested types, or in the type `only`, from the source's own bytes if they show the picture. */
async function encodeFrom(
  source: Uint8Array | undefined,
  work: Work,
  score: number,
  only: InputType | undefined,
): Promise<Candidate[]> {
  const { job, probe, opened } = work
  const { picture, crop, untouched } = opened
  const still = { ...work, source }
  const candidates: Candidate[] = []
  const aimed = { ...job, source: source ?? job.source, crop, operations: { ...job.operations, score } }
  const encodeAs = async (type: InputType): Promise<Candidate[]> => {
    if (!isImageType(type)) return encodeAnimation(aimed, probe, [type], untouched)
    // Guards judge only selected results, so the bytes of a result that may be damaged are no limit yet.
    const whole = candidates.filter((each) => each.kind === undefined && each.score >= score)
    return encodeStill(aimed, type, { ...still, rival: Math.min(work.bytesOfInput, ...whole.map(bytesOf)) })
  }
  const own = only === undefined ? ownTypeToTry(work) : undefined
  let isOwnLeft = own !== undefined
  const encodeOwn = async (type: ImageType): Promise<Candidate[]> => {
    if (!isOwnLeft || !ownTypeMayWin(work, candidates, aimed)) return []
    isOwnLeft = false
    return untouched ? encodeStill(aimed, type, still) : encodeAs(type)
  }
  const turns = only === undefined ? turnsOf(work, own) : [only]
  const isAvifSmallest = work.smallest && turns[0] === 'image/avif' && isSmallestAsAvif(picture, work.leastPixels)
  work.untried = undefined
  for (const [turn, type] of turns.entries()) {
    if (hasSmallest(picture, candidates, score, work.leastPixels)) {
      const left = turns.slice(turn)
      work.untried = () => encodeInTurn(isOwnLeft ? left : left.filter((each) => each !== own), encodeAs)
      break
    }
    // If AVIF is not smaller than the input, no other type is.
    if (turn > 0 && isAvifSmallest && candidates.length === 0) break
    candidates.push(...(await (type === own ? encodeOwn(own) : encodeAs(type))))
  }
  if (own !== undefined) candidates.push(...(await encodeOwn(own)))
  return candidates
}

/**
 * Returns the own type if it may be the result without being requested. A requested own type is tried in the same way
 * if only the smallest forms are made.
 */
function ownTypeToTry({ job, types, smallest }: Work): ImageType | undefined {
  const { type, operations } = job
  if (!isImageType(type)) return undefined
  if (types.includes(type)) return smallest && type !== 'image/avif' ? type : undefined
  return operations.orInput ? type : undefined
}

/** Returns the types in the order in which they are tried. */
function turnsOf({ types, picture, rivalled, smallest }: Work, own: ImageType | undefined): readonly InputType[] {
  if (rivalled === true) return typesForDrawing(types, own, picture)
  const turns = typesInOrder(types, picture.graphic).filter((type) => type !== own)
  return smallest && own !== undefined ? [...turns, own] : turns
}

/** Encodes one type after the other, because they share a scorer that holds the pixels of one result at a time. */
async function encodeInTurn(
  types: readonly InputType[],
  encodeAs: (type: InputType) => Promise<Candidate[]>,
): Promise<Candidate[]> {
  const made: Candidate[] = []
  for (const type of types) made.push(...(await encodeAs(type)))
  return made
}

/** Encodes a still picture in one type, by search or with settings that the caller chose. */
async function encodeStill(
  job: Job,
  type: ImageType,
  { picture, scorer, source, shownAt, rival = Infinity, decline, refuse, rivalled }: Still,
): Promise<Candidate[]> {
  const { score, effort, encoder } = job.operations
  const plain = await encodePlain(picture, type, encoder)
  const own = type === job.type ? source : undefined
  const mostBytes = Math.min(rival, (own === undefined ? undefined : mostBytesInOwnType(job)) ?? Infinity)
  const codec = writableCodecOf(type)
  const exact =
    job.operations.lossless === true ? await codec.encodeLossless({ picture, source: own, effort }) : undefined
  const candidates: Candidate[] =
    exact !== undefined
      ? exact.map((data) => ({ data, type, score: 100 }))
      : plain === undefined
        ? await codec.encode({
            picture,
            scorer,
            target: score,
            effort,
            source: own,
            refuse,
            ...(own === undefined && { rivalled }),
            ...(mostBytes < Infinity && { mostBytes }),
            ...(own !== undefined && { decline }),
          })
        : [{ data: plain, type, score: await scorer.score(plain), plain: true }]
  const size = codec.shownSize && shownAt
  const isWide = picture.space !== 'srgb' && codec.inDisplayP3 !== undefined
  if (!isWide && size === undefined) return candidates
  const tag = (data: Uint8Array): Uint8Array => {
    const coloured = isWide ? codec.inDisplayP3!(data, picture) : data
    return size === undefined ? coloured : codec.shownSize!.write(coloured, size)
  }
  return candidates.map((each) => tagged(each, tag))
}

/** Adds the colour space and the shown size to a candidate, and to every better one that is made from it. */
function tagged(candidate: Candidate, tag: (data: Uint8Array) => Uint8Array): Candidate {
  const { raise, halfway, instead } = candidate
  const alike = async (other: Promise<Candidate | undefined>): Promise<Candidate | undefined> => {
    const made = await other
    return made === undefined ? undefined : tagged(made, tag)
  }
  return {
    ...candidate,
    data: tag(candidate.data),
    scored: candidate.scored ?? candidate.data,
    ...(raise !== undefined && { raise: (points: number) => alike(raise(points)) }),
    ...(halfway !== undefined && { halfway: () => alike(halfway()) }),
    ...(instead !== undefined && { instead: () => alike(instead()) }),
  }
}

const bytesOf = ({ data }: Candidate): number => data.length

/** Encodes the picture with the given settings for a type; `undefined` if there are none. */
async function encodePlain(
  picture: Picture,
  type: ImageType,
  given: ResolvedEncoderSettings | null,
): Promise<Uint8Array | undefined> {
  const settings = given?.[type]
  return settings === undefined ? undefined : writableCodecOf(type).encodePlain(picture, settings)
}

function cannotBeLossless({ type, operations: { types }, file }: Job): PixpressError {
  const asked = (types ?? [type]).map((each) => factsOf(each).label).join(' or ')
  return new PixpressError('UNSUPPORTED_OPERATION', `${asked} cannot hold the image without loss.`, { file })
}

/**
 * From this size on, WebP takes fewer bytes than PNG for the same palette. For 61 icons and logos, PNG was smaller
 * below 500 bytes.
 */
const SMALLER_AS_WEBP = 1024

/**
 * Returns `true` if the own type may be smallest. A drawing's palette in its own type often beats every other type,
 * even if the drawing has too many colours for a lossless palette. A photograph's own type does so only if conversion
 * saves little, and hardly ever if AVIF saves anything.
 */
function ownTypeMayWin(work: Work, candidates: readonly Candidate[], job: Job): boolean {
  const { picture, smallest: isWanted, leastPixels, bytesOfInput } = work
  const kept = candidates.filter(({ score }) => score >= job.operations.score)
  const smallest = Math.min(...kept.map(({ data }) => data.length))
  const hasPalette = picture.graphic && kept.some(({ type, kind }) => type === 'image/webp' && kind === undefined)
  if (job.type === 'image/png' && hasPalette && smallest >= SMALLER_AS_WEBP) return false
  const isBeatenByAvif = hasSmallest(picture, kept, job.operations.score, leastPixels)
  if (isWanted && isBeatenByAvif) return smallest >= bytesOfInput
  // Muted photographs repeat pixels as drawings do. Their own type won where it was JPEG, and no AVIF was made.
  const isBeaten = job.type === 'image/png' || isBeatenByAvif
  const isPhotograph = repeatsLittle(picture) || (picture.muted && picture.channels === 3 && isBeaten)
  return picture.graphic || !isPhotograph || smallest > bytesOfSource(work) * CLEAR_WIN
}

/** Returns the bytes of the source, or of the share of its pixels that a smaller picture has beside one type. */
function bytesOfSource({ job, types, picture, probe }: Work): number {
  const share = types.length === 1 ? (picture.width * picture.height) / (probe.width * probe.height) : 1
  return job.source.length * Math.min(1, share)
}
