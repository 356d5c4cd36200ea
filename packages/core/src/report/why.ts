import { factsOf } from '../base/formats.ts'
import type { InputType, KeptReason } from '../base/types.ts'
import { formatBytes, formatChange } from './units.ts'
import type { OptimizeResult } from '../optimizer/result.ts'
import type { RefusedResult } from '../work/steps/job.ts'

/** What an image would be, were it not for what keeps it as it is. */
export interface Otherwise {
  readonly type: InputType
  /** Bytes, about. */
  readonly bytes: number
}

/**
 * Why an image is delivered as it is, rather than smaller or in another type:
 * - one of `KeptReason`: its source's own pixels are kept;
 * - `texture`: it is lossless by a rule, as it holds data for a program; `rule` says which;
 * - `own-type`: it was to be converted and is in its own type; `rule` says why.
 */
export interface Why {
  readonly because: KeptReason | 'texture' | 'own-type'
  /** Of `guarded`: the guard, and left and top of the damaged place in pixels of the result. */
  readonly guard?: RefusedResult['guard']
  readonly x?: number
  readonly y?: number
  /** One plain sentence, of what is a rule. */
  readonly rule?: string
  /** Absent where nothing else was made. */
  readonly otherwise?: Otherwise
}

/** What a reason is made of: the members of a result, of this run or of a report that was read. */
interface Kept {
  readonly type: InputType
  readonly reason?: KeptReason | undefined
  readonly refused?: RefusedResult | undefined
  readonly declined?: number | undefined
}

/** What each guard finds, as people call it. */
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

/** One sentence or two for each reason: what is so, then what can be done about it. The only place that has them. */
const SENTENCES: Readonly<Record<Why['because'], (why: Why, after: number) => string>> = {
  finished: () => 'An earlier run of pixpress made this file.',
  compressed: () => 'Its colours were reduced before. Start from the original to save more.',
  smallest: () => 'Nothing clearly smaller looks the same.',
  'second-loss': ({ otherwise }, after) =>
    `It was compressed before, and ${lessOf(otherwise, after)} is too little to lose detail again. Start from the original to save more.`,
  guarded: ({ otherwise, guard, ...place }) =>
    `${otherwise === undefined ? 'A smaller one' : `A smaller one (${factsOf(otherwise.type).label}, about ${formatBytes(otherwise.bytes)})`} shows ${damageOf(guard, place)}.`,
  unsupported: () => 'Images of this kind are not changed.',
  little: ({ otherwise }, after) => `${capital(lessOf(otherwise, after))} is below what '--min-saving' asks for.`,
  texture: ({ rule = 'It is lossless, as a program reads it.' }) => rule,
  'own-type': ({ rule = 'It is in its own type.' }) => rule,
}

/** The same of several images, without their figures. */
const TOGETHER: Readonly<Record<Why['because'], string>> = {
  finished: 'Earlier runs of pixpress made these files.',
  compressed: 'Their colours were reduced before. Start from the originals to save more.',
  smallest: 'Nothing clearly smaller looks the same.',
  'second-loss':
    'They were compressed before, and what they would save is too little to lose detail again. Start from the originals to save more.',
  guarded: 'Smaller ones show damage.',
  unsupported: 'Images of these kinds are not changed.',
  little: "What they would save is below what '--min-saving' asks for.",
  texture: 'They are lossless, as programs read them.',
  'own-type': 'They are in their own types.',
}

export const WHY_NAMES = Object.keys(SENTENCES) as readonly Why['because'][]

export const GUARD_NAMES = Object.keys(DAMAGE) as readonly RefusedResult['guard'][]

/** Why a result has its source's own pixels, or is without loss; `undefined` where it is neither, or nobody said why. */
export function whyOf({ type, reason, refused, declined }: Kept): Why | undefined {
  // A result without loss in place of a refused one need not have kept anything.
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
 * The reason for a person, as one sentence or two.
 * @param after bytes of what is delivered
 */
export const describeWhy = (why: Why, after: number): string => SENTENCES[why.because](why, after)

/** What an image would be in its next type: `would be 41.0 kB as AVIF`. */
export const describeOther = ({ type, bytes }: Otherwise): string =>
  `would be ${formatBytes(bytes)} as ${factsOf(type).label}`

/** The same without figures: for images that have the reason in common. */
export const describeKind = ({ because, rule }: Why): string =>
  SENTENCES[because]({ because, ...(rule !== undefined && { rule }) }, 0)

/** The reason that several images have in common. */
export const describeTogether = ({ because, rule }: Why): string => rule ?? TOGETHER[because]

/** `lost detail at 12, 480`. */
export function damageOf(guard: RefusedResult['guard'] | undefined, { x, y }: { x?: number; y?: number }): string {
  const damage = guard === undefined ? 'damage' : DAMAGE[guard]
  return guard === 'twice' || x === undefined || y === undefined ? damage : `${damage} at ${x}, ${y}`
}

/** `about 14% less`. */
function lessOf(otherwise: Otherwise | undefined, after: number): string {
  if (otherwise === undefined || otherwise.bytes >= after) return 'what it would save'
  return `about ${formatChange(after, otherwise.bytes).slice(1)} less`
}

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`
