import { INPUT_TYPES } from '@pixpress/core/internal'
import type { InputType } from '@pixpress/core'
import { GUARD_NAMES, WHY_NAMES } from '@pixpress/core/report'
import type { Why } from '@pixpress/core/report'

/*
 * The reason of an outcome as one word of the index of outcomes, without spaces:
 *
 *   -                                                  none is known
 *   <because>                                          nothing else was made
 *   <because>,<type>,<bytes>                           with what it would be otherwise
 *   <because>,<type>,<bytes>,<guard>,<left>,<top>      with the place that a guard refuses
 *
 * Sentences of rules do not stand there: only builds know them.
 */

const NONE = '-'

/** Reasons without figures, which most images have: one object for all of them. */
const PLAIN: ReadonlyMap<string, Why> = new Map(WHY_NAMES.map((because) => [because, { because }]))

const TYPES: ReadonlyMap<string, InputType> = new Map(INPUT_TYPES.map((type) => [type, type]))

const GUARDS: ReadonlyMap<string, NonNullable<Why['guard']>> = new Map(GUARD_NAMES.map((name) => [name, name]))

const FIGURE = /^\d+$/

/** Writes a reason as one word. */
export function whyToken(why: Why | undefined): string {
  if (why === undefined || why.rule !== undefined) return NONE
  const { because, otherwise, guard, x, y } = why
  if (otherwise === undefined) return because
  const place = guard === undefined || x === undefined || y === undefined ? [] : [guard, x, y]
  return [because, otherwise.type, otherwise.bytes, ...place].join(',')
}

/** @returns `undefined` for no reason, `null` for what is no such word */
export function parseWhyToken(token: string): Why | undefined | null {
  if (token === NONE) return undefined
  const plain = PLAIN.get(token)
  if (plain !== undefined) return plain
  const [name = '', typeName = '', bytes = '', guardName, x = '', y = '', ...more] = token.split(',')
  const { because } = PLAIN.get(name) ?? {}
  const type = TYPES.get(typeName)
  if (because === undefined || type === undefined || !FIGURE.test(bytes) || more.length > 0) return null
  const otherwise = { type, bytes: Number(bytes) }
  if (guardName === undefined) return { because, otherwise }
  const guard = GUARDS.get(guardName)
  if (guard === undefined || !FIGURE.test(x) || !FIGURE.test(y)) return null
  return { because, guard, x: Number(x), y: Number(y), otherwise }
}
