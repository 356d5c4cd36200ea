import type { InputType } from '@pixpress/core'
import { factsOf } from '@pixpress/core/internal'
import type { ResolvedBudget } from '@pixpress/core/internal'
import { formatBytes, formatChange, overEach } from '@pixpress/core/report'
import type { Why } from '@pixpress/core/report'
import type { Finding } from './findings.ts'
import type { KnownWork } from './known-work.ts'

/** One file of the selection. */
export interface CheckedImage {
  /** Relative to the root, with forward slashes. */
  readonly source: string
  /** Size of the file, or of what a build delivers of it. */
  readonly bytes: number
  /** Bytes of the file itself, where `bytes` are those that are delivered. */
  readonly file?: number
  /** Equal for images that are shipped as one file. */
  readonly id?: string
  /** Outcome of compressing it; absent if it was not asked for (`--changed`) or is unknown. */
  readonly outcome?: Outcome
}

/** Outcome of compressing an image. */
export interface Outcome {
  readonly bytes: number
  readonly type: InputType
  readonly inputType: InputType
  readonly score?: number
  /** True if `compress` would leave the file alone: it holds the result, or would lose detail a second time. */
  readonly isDone: boolean
  /** Why it is no smaller; absent where nothing kept it from that, or nobody has said. */
  readonly why?: Why
}

/** Bytes that the image would have after `compress`. */
export function possibleBytes({ bytes, outcome }: CheckedImage): number {
  return outcome === undefined || outcome.isDone ? bytes : Math.min(bytes, outcome.bytes)
}

/** Returns whether an image would shrink by more than some percent. */
export function savesMore(bytes: number, possible: number, percent: number): boolean {
  return (bytes - possible) * 100 > bytes * percent
}

/** @param minSaving percent that an image may shrink by before it is a finding */
export function shrinking(image: CheckedImage, minSaving: number): Finding | undefined {
  const { source, bytes, outcome } = image
  const possible = possibleBytes(image)
  if (outcome === undefined || !savesMore(bytes, possible, minSaving)) return undefined
  const score = outcome.score === undefined ? '' : ` at a score of ${outcome.score}`
  const message = `${formatBytes(bytes)} could be ${formatBytes(possible)} (${formatChange(bytes, possible)})${asType(outcome)}${score}.`
  return { rule: 'could-shrink', source, message, bytes, possible }
}

/** @param known work that was done before, on this image */
export async function overBudget(
  image: CheckedImage,
  budget: ResolvedBudget,
  known: KnownWork,
): Promise<Finding | undefined> {
  const { source, bytes, outcome, file } = image
  const { name, image: limit = Infinity } = budget
  if (bytes <= limit) return undefined
  const remedy =
    file !== undefined
      ? `; ${deliveredRemedy(file, outcome, limit)}`
      : outcome === undefined
        ? ''
        : `; ${await remedyFor(image, outcome, limit, known)}`
  const message = `${overEach(bytes, budget)}${remedy}.`
  const possible = outcome === undefined ? {} : { possible: possibleBytes(image) }
  return { rule: 'image-budget', source, budget: name, message, bytes, limit, ...possible }
}

async function remedyFor(image: CheckedImage, outcome: Outcome, limit: number, known: KnownWork): Promise<string> {
  const possible = possibleBytes(image)
  const how = asType(outcome).trimStart() || 'compressed'
  if (possible <= limit) return `${how} it takes ${formatBytes(possible)}`
  const other = (await known(image.source)).find(({ bytes }) => bytes <= limit)
  if (other !== undefined) return `${other.how} it takes ${formatBytes(other.bytes)}`
  const promise =
    possible < image.bytes
      ? `${how} it still takes ${formatBytes(possible)}`
      : 'it is as small as its promise lets it be'
  const hint = `a smaller size or a lower quality makes it fit, as '--max-bytes ${limit}' does`
  return factsOf(outcome.type).lossy && limit > 0 ? `${promise}: ${hint}` : promise
}

/** @param file bytes of the source */
function deliveredRemedy(file: number, outcome: Outcome | undefined, limit: number): string {
  const shipped = `the source has ${formatBytes(file)}`
  if (outcome === undefined) return shipped
  const isLossy = factsOf(outcome.type).lossy && limit > 0
  const hint = isLossy ? `: a smaller width or a lower quality makes it fit, as 'maxBytes: ${limit}' does` : ''
  return `${shipped}, and a build ships it${asType(outcome)}${hint}`
}

/**
 * Returns a sentence about what a build would ship of an image, or `undefined` if no build ships it.
 * @param outcome of an image that was checked
 */
export function shippedSentence({ bytes, file, outcome }: CheckedImage): string | undefined {
  if (file === undefined || outcome === undefined) return undefined
  const score = outcome.score === undefined ? '' : ` at a score of ${outcome.score}`
  return `A build would ship ${formatBytes(bytes)} of its ${formatBytes(file)}${asType(outcome)}${score}.`
}

const asType = ({ type, inputType }: Outcome): string => (type === inputType ? '' : ` as ${factsOf(type).label}`)
