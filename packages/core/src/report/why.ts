import { factsOf } from '../base/formats.ts'
import type { InputType, KeptReason } from '../base/types.ts'
import { formatBytes, formatChange } from './units.ts'
import type { OptimizeResult } from '../optimizer/result.ts'
import type { RefusedResult } from '../work/steps/job.ts'

/** An alternative to the delivered image, which some rule or guard excludes. */
export interface Otherwise {
  readonly type: InputType
  /** Approximate bytes. */
  readonly bytes: number
}

/**
 * The reason for which an image is delivered as it is, rather than smaller or in another type:
 * - a `KeptReason`: its source's own pixels are kept;
 * - `texture`: a rule makes it lossless because it holds data for a program; `rule` says which;
 * - `own-type`: it was to be converted and stays in its own type; `rule` says why.
 */
export interface Why {
  readonly because: KeptReason | 'texture' | 'own-type'
  /** For `guarded`: the guard, and the left and top of the damaged place in pixels of the result. */
  readonly guard?: RefusedResult['guard']
  readonly x?: number
  readonly y?: number
  /** One plain sentence that names the rule. */
  readonly rule?: string
  /** Absent if nothing else was made. */
  readonly otherwise?: Otherwise
}

/** The members of a result that decide its reason, whether the result was made in this run or read from a report. */
interface Kept {
  readonly type: InputType
  readonly reason?: KeptReason | undefined
  readonly refused?: RefusedResult | undefined
  readonly declined?: number | undefined
}

/** Damage that each guard finds, in the words of a report. */
const DAMAGE: Readonly<Record<RefusedResult['guard'], string>> = {
  alpha: 'wrong transparency',
  flat: 'a changed flat colour',
  means: 'a changed colour',
  colours: 'a changed hue',
  band: 'bands or dots',
  jag: 'lost antialiasing',
  gone: 'lost detail',
  edges: 'jagged edges',
  twice: 'damage on 2× screens',
}

/** One or two sentences for each reason: first the fact, then the remedy. All reports take their words from here. */
const SENTENCES: Readonly<Record<Why['because'], (why: Why, after: number) => string>> = {
  finished: () => 'An earlier run of pixpress made this file.',
  compressed: () => 'Its colours were reduced before. Start from the original to save more.',
  smallest: () => 'Nothing clearly smaller looks the same.',
  'second-loss': ({ otherwise }, after) =>
    `It was compressed before, and ${lessOf(otherwise, after)} is too little to lose detail again. Start from the original to save more.`,
  guarded: ({ otherwise, guard, ...place }) =>
    `${otherwise === undefined ? 'A smaller one' : `A smaller one (${factsOf(otherwise.type).label}, about ${formatBytes(otherwise.bytes)})`} shows ${damageOf(guard, place)}.`,
  credentials: () => 'It stays byte for byte, as its content credentials hold for no other bytes.',
  unsupported: () => 'Images of this kind are not changed.',
  little: ({ otherwise }, after) => `${capital(lessOf(otherwise, after))} is below what '--min-saving' asks for.`,
  texture: ({ rule = 'It is lossless, as a program reads it.' }) => rule,
  'own-type': ({ rule = 'It is in its own type.' }) => rule,
}

/** The same sentences for several images, without figures. */
const TOGETHER: Readonly<Record<Why['because'], string>> = {
  finished: 'Earlier runs of pixpress made these files.',
  compressed: 'Their colours were reduced before. Start from the originals to save more.',
  smallest: 'Nothing clearly smaller looks the same.',
  'second-loss':
    'They were compressed before, and what they would save is too little to lose detail again. Start from the originals to save more.',
  guarded: 'Smaller ones show damage.',
  credentials: 'They stay byte for byte, as their content credentials hold for no other bytes.',
  unsupported: 'Images of these kinds are not changed.',
  little: "What they would save is below what '--min-saving' asks for.",
  texture: 'They are lossless, as programs read them.',
  'own-type': 'They are in their own types.',
}

/** All reasons, in the order of their sentences. */
export const WHY_NAMES = Object.keys(SENTENCES) as readonly Why['because'][]

/** All guards that can refuse a result. */
export const GUARD_NAMES = Object.keys(DAMAGE) as readonly RefusedResult['guard'][]

/**
 * Returns the reason for which a result is no smaller; `undefined` if the engine gave none.
 */
export function whyOf({ type, reason, refused, declined }: Kept): Why | undefined {
  // A result that replaces a refused one has no `reason` if its pixels are not the source's.
  const because = reason ?? (refused === undefined ? undefined : 'guarded')
  if (because === undefined) return undefined
  if (refused !== undefined && because === 'guarded') {
    const { guard, x, y, size } = refused
    return { because, guard, x, y, otherwise: { type: refused.type, bytes: size } }
  }
  return { because, ...(declined !== undefined && { otherwise: { type, bytes: declined } }) }
}

/** The reason of a result that was made now. */
export const whyOfResult = ({ info, reason, refused, declined }: OptimizeResult): Why | undefined =>
  whyOf({ type: info.type, reason, refused, declined })

/**
 * Renders the reason for a person, as one or two sentences.
 * @param after bytes of the delivered image
 */
export const describeWhy = (why: Why, after: number): string => SENTENCES[why.because](why, after)

/** Renders the alternative: `would be 41.0 kB as AVIF`. */
export const describeOther = ({ type, bytes }: Otherwise): string =>
  `would be ${formatBytes(bytes)} as ${factsOf(type).label}`

/** Renders the reason without figures, for images that share it. */
export const describeKind = ({ because, rule }: Why): string =>
  SENTENCES[because]({ because, ...(rule !== undefined && { rule }) }, 0)

/** Renders the reason for several images that share it. */
export const describeTogether = ({ because, rule }: Why): string => rule ?? TOGETHER[because]

/** Renders a damaged place: `lost detail at 12, 480`. The place is left out if it is not known, or for `twice`. */
export function damageOf(guard: RefusedResult['guard'] | undefined, { x, y }: { x?: number; y?: number }): string {
  const damage = guard === undefined ? 'damage' : DAMAGE[guard]
  return guard === 'twice' || x === undefined || y === undefined ? damage : `${damage} at ${x}, ${y}`
}

/** Renders the saving of an alternative: `about 14% less`. */
function lessOf(otherwise: Otherwise | undefined, after: number): string {
  if (otherwise === undefined || otherwise.bytes >= after) return 'what it would save'
  return `about ${formatChange(after, otherwise.bytes).slice(1)} less`
}

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`
