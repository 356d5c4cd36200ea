import { scoreOfWhole } from '../../encoding/result-kind.ts'
import type { Picture } from '../../encoding/picture.ts'
import type { Candidate, Refused } from '../../encoding/request.ts'
import { isOfBlocks } from '../../quality/guards/limits.ts'
import { INPUT_ONLY, isImageType } from '../../base/formats.ts'
import { readMetadata, readOrientation, selectMetadata, stripMetadata, writeMetadata } from './metadata.ts'
import type { InputType, KeptReason, ProbeResult } from '../../base/types.ts'
import type { CropFrame } from '../../crop/crop-frame.ts'
import type { Placeholder } from '../../placeholder/kinds.ts'
import { infoOf, mayKeepType } from './job.ts'
import { isFinished, isKnownAsOurs, marked } from './selection.ts'
import type { Job, JobResult, RefusedResult } from './job.ts'

/** Result of the work on one image, before it is compared with the input. */
export interface Attempt {
  readonly candidates: readonly Candidate[]
  /** Size of the candidates in pixels. */
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
  /** The decoded picture. Absent for animations, and if none was decoded. */
  readonly picture?: Picture
  /** `true` if the input itself would be a valid result. */
  readonly inputMayStay: boolean
  /**
   * Approximate bytes of the smallest lossy result in the own type that was not made because it could not be selected.
   */
  readonly declined?: number
  /** Results that a guard refuses and that are no candidates. */
  readonly refused?: readonly Refused[]
  /** The image is of a kind that is not worked on. */
  readonly unsupported?: true
  /** The placeholder of the decoded pixels. Absent if none were decoded, or if none was requested. */
  readonly placeholder?: Placeholder | undefined
  /** The crop that made the candidates. Absent if they show all of the picture. */
  readonly crop?: CropFrame | undefined
  readonly notes: readonly string[]
}

/** Returns the attempt for an image that stays unchanged. */
export function unchanged({ width, height, hasAlpha }: ProbeResult): Attempt {
  return { candidates: [], width, height, hasAlpha, inputMayStay: true, notes: [] }
}

/** Returns `true` if no pixel was to be changed, so that the source's own bytes show the picture. */
export function isUntouched({ operations }: Job, probe: ProbeResult, isResized: boolean): boolean {
  return !isResized && operations.adjust === undefined && !(operations.background !== null && probe.hasAlpha)
}

/**
 * Returns `true` if the input may be the result.
 * @param untouched `true` if no pixel was to be changed
 */
export const inputMayStay = (job: Job, untouched: boolean): boolean => untouched && mayKeepType(job)

/** Makes the result: the selected candidate with the metadata to preserve, or the input. */
export function finish(job: Job, probe: ProbeResult, attempt: Attempt, best: Candidate | undefined): JobResult {
  if (best === undefined) {
    const kept = keptInput(job, probe, attempt.notes)
    return {
      ...kept,
      ...whyKept(job, attempt, best),
      notes: [...kept.notes, ...tooLarge(job, kept.data), ...stillRotated(kept.data, job.type)],
    }
  }
  const input = infoOf(probe)
  const isSame = attempt.inputMayStay && best.type === job.type
  const data = preserved(job, marked(best, job, isSame), best.type)
  const { width, height, hasAlpha } = attempt
  const { type, frames = input.frames } = best
  const info = { type, width, height, size: data.length, frames, hasAlpha }
  const notes = [...attempt.notes, ...remarks(job, best, data), ...stillRotated(data, type)]
  const damage = best.damaged === true && best.plain !== true && { damaged: true as const }
  const score = best.isUnscored === true ? {} : { score: wholeScore(best, attempt) }
  return { data, info, input, kept: 'output', ...whyKept(job, attempt, best), ...score, ...damage, notes }
}

/** Returns the SSIMULACRA2 score: block codecs' results are scored by the seen pixels of drawings. */
function wholeScore({ score, kind, plain }: Candidate, { picture }: Attempt): number {
  const isSeen = plain === true || (kind !== undefined && isOfBlocks(kind))
  return isSeen && picture !== undefined ? scoreOfWhole(score, picture) : score
}

/**
 * An estimated lossy encoding is reported only if it has less than this share of the bytes. For JPEG files of 18
 * photographs, the estimates of searches that were given up were right in the median, and 17% too low at the tenth
 * percentile.
 */
const CLEARLY_LESS = 0.9

/** Explains a result that has the source's own pixels. */
function whyKept(
  job: Job,
  attempt: Attempt,
  best: Candidate | undefined,
): Pick<JobResult, 'reason' | 'refused' | 'declined'> {
  const refused = refusedFor(job, attempt, best)
  const declined = declinedIn(job, attempt)
  const reason = reasonFor(job, attempt, best, declined)
  return {
    reason: reason === 'smallest' && refused !== undefined ? 'guarded' : reason,
    ...(refused && { refused }),
    ...(reason === 'second-loss' && { declined: Math.round(declined) }),
  }
}

/** Points above the score asked for from which a result is said to be raised. */
const RAISED = 3

/**
 * Returns the best result that a guard refuses, if the final result is lossless or scores more than was asked for, and
 * would otherwise be clearly smaller.
 */
function refusedFor(job: Job, attempt: Attempt, best: Candidate | undefined): RefusedResult | undefined {
  if (best !== undefined && best.score < Math.min(100, job.operations.score + RAISED)) return undefined
  const bytes = best?.data.length ?? stripMetadata(job.source, job.type).length
  const candidates = attempt.candidates.flatMap(({ data, type, refusal }) =>
    refusal === undefined ? [] : [{ type, bytes: data.length, refusal }],
  )
  let nearest: Refused | undefined
  for (const each of [...(attempt.refused ?? []), ...candidates]) {
    const isNearer = nearest === undefined || each.refusal.share < nearest.refusal.share
    if (isNearer && each.bytes < bytes * CLEARLY_LESS) nearest = each
  }
  if (nearest === undefined) return undefined
  const { type, bytes: size, refusal } = nearest
  return { type, size, guard: refusal.guard, x: refusal.x, y: refusal.y }
}

/** Returns the reason for which the source's own pixels are kept; `undefined` if they are not. */
function reasonFor(job: Job, attempt: Attempt, best: Candidate | undefined, declined: number): KeptReason | undefined {
  if (attempt.unsupported === true) return 'unsupported'
  if (best !== undefined && (best.score < 100 || best.type !== job.type || !attempt.inputMayStay)) return undefined
  if (best === undefined && isKnownAsOurs(job)) return 'finished'
  const bytes = best?.data.length ?? stripMetadata(job.source, job.type).length
  if (declined < bytes * CLEARLY_LESS) return 'second-loss'
  if (best !== undefined) return undefined
  return isFinished(job) ? 'compressed' : 'smallest'
}

/**
 * Returns the bytes of the smallest lossy result in the own type that reaches the score; `Infinity` if there is none.
 */
function declinedIn({ type: own, operations }: Job, { candidates, declined = Infinity }: Attempt): number {
  const lossy = candidates.filter(
    ({ type, score, damaged }) => type === own && score >= operations.score && score < 100 && !damaged,
  )
  return lossy.reduce((least, { data }) => Math.min(least, data.length), declined)
}

/**
 * Returns the input as the result, without the metadata that is to be removed. The preserved metadata is written
 * uncompressed and may take more bytes than before. The input itself would be no substitute, because it has the other
 * metadata too.
 */
export function keptInput(job: Job, probe: ProbeResult, notes: readonly string[]): JobResult {
  const data = preserved(job, stripMetadata(job.source, job.type), job.type)
  const input = infoOf(probe)
  const grown = data.length > job.source.length ? [grewForMetadata(job, data)] : []
  return { data, info: { ...input, size: data.length }, input, kept: 'input', notes: [...notes, ...grown] }
}

const grewForMetadata = ({ source }: Job, data: Uint8Array): string =>
  `Grew from ${source.length} to ${data.length} bytes, as the metadata asked for is written without the rest.`

/** Adds the source's metadata that is to be preserved. */
function preserved({ source, type, operations }: Job, data: Uint8Array, outputType: InputType): Uint8Array {
  if (operations.preserve.length === 0 || !isImageType(outputType)) return data
  return writeMetadata(data, outputType, selectMetadata(readMetadata(source, type), operations.preserve))
}

function remarks(job: Job, best: Candidate, data: Uint8Array): string[] {
  const notes: string[] = tooLarge(job, best.data)
  const { maxBytes, score } = job.operations
  const missesScore = notes.length === 0 && best.score < score && best.plain !== true
  if (missesScore && maxBytes !== null) notes.push(`Scores ${best.score.toFixed(1)} to be within ${maxBytes} bytes.`)
  else if (missesScore) {
    notes.push(`The best ${best.type} scores ${best.score.toFixed(1)}, below the ${score} asked for.`)
  }
  if (best.damaged === true) notes.push(`The best ${best.type} still shows damage in small details or smooth areas.`)
  if (best.data.length <= job.source.length && data.length > job.source.length) notes.push(grewForMetadata(job, data))
  else if (data.length > job.source.length) {
    // A framework may have named the type, and nobody else.
    const reason = job.operations.types === null ? ', as its pixels were changed' : ` as ${best.type}`
    notes.push(`Grew from ${job.source.length} to ${data.length} bytes${reason}.`)
  }
  return notes
}

/** Returns a note if browsers rotate the result, because other programs may not. */
function stillRotated(data: Uint8Array, type: InputType): string[] {
  // A file of a type that is never written was not turned because nothing was asked.
  if (INPUT_ONLY.has(type) || readOrientation(data, type) === 1) return []
  return ['EXIF still rotates it, as it would take more bytes upright.']
}

function tooLarge({ operations: { maxBytes } }: Job, { length }: Uint8Array): string[] {
  if (maxBytes === null || length <= maxBytes) return []
  return [`Nothing is within ${maxBytes} bytes; the smallest has ${length}.`]
}
