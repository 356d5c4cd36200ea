import { resolveOperations } from '../operations/index.ts'
import { detectType } from '../base/detect.ts'
import { identity, resultTypes } from '../plan/plan.ts'
import type { LockLine } from './lines.ts'
import type { Plan } from '../plan/plan.ts'
import type { ResolvedOperations } from '../operations/index.ts'

const MEMBERS: ReadonlySet<string> = new Set([
  ...Object.keys(resolveOperations()),
  'svgo',
  'keepElements',
  'lossless',
  'adjust',
])

type Shown = Readonly<Record<string, unknown>>

/** The operations of a request that asks for nothing. The score stands in every line, so it is not among them. */
const QUIET: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(resolveOperations()).flatMap(([name, value]) =>
    name === 'score' ? [] : [[name, JSON.stringify(value)]],
  ),
)

/** Operations that may differ while the picture, its size and its types are the same. */
const DEGREES: ReadonlySet<string> = new Set(['score', 'maxBytes', 'effort', 'encoder', 'preserve'])

/** Operations as a line shows them: without those that ask for nothing. */
export function shownOperations(operations: ResolvedOperations): Shown {
  return Object.fromEntries(
    Object.entries(operations).filter(([name, value]) => QUIET[name] === undefined || !isQuiet(name, value)),
  )
}

const isQuiet = (name: string, value: unknown): boolean => QUIET[name] === JSON.stringify(value)

/**
 * Returns a text that is equal for operations that only differ in quality, effort, bytes, settings of encoders and
 * metadata.
 */
export function slotOf(shown: Shown): string {
  return JSON.stringify(Object.entries(shown).filter(([name]) => !DEGREES.has(name)))
}

/**
 * The work of a line as this engine would do it; `undefined` where it asks for what this version does not know, or the
 * source is no image.
 */
export function planOfLine({ operations, source: name }: LockLine, source: Uint8Array): Plan | undefined {
  const whole = { ...resolveOperations(), ...operations } as ResolvedOperations & Shown
  const type = detectType(source)
  if (type === undefined || !Object.keys(whole).every((member) => MEMBERS.has(member))) return undefined
  return { key: identity(source, whole), type, operations: whole, types: resultTypes(type, whole), source, file: name }
}
