import { closerOf, isPunctuator, openerOf, partsOf } from '../script/tokens.ts'
import type { Piece } from '../script/tokens.ts'
import type { ScriptKind } from './script-kind.ts'

/** Where the options of a configuration are written. */
export interface ConfigObject {
  /** Index of the token `{`. */
  readonly open: number
  /** CommonJS if the file exports by `module.exports`. */
  readonly kind: ScriptKind
}

/**
 * Finds the object literal that a configuration exports: by itself, within `defineConfig()`, as the result of a
 * function, or as a variable. Returns `undefined` for anything else, and for several configurations.
 */
export function findConfigObject(tokens: readonly Piece[]): ConfigObject | undefined {
  const exported = tokens.flatMap(({ value }, at): readonly { from: number; kind: ScriptKind }[] => {
    if (openerOf(tokens, at) !== undefined) return []
    if (value === 'export' && tokens[at + 1]?.value === 'default') return [{ from: at + 2, kind: 'esm' }]
    const isModule = value === 'module' && isPunctuator(tokens[at + 1], '.') && tokens[at + 2]?.value === 'exports'
    return isModule && isPunctuator(tokens[at + 3], '=') ? [{ from: at + 4, kind: 'commonjs' }] : []
  })
  const [only, ...others] = exported
  if (only === undefined || others.length > 0) return undefined
  const open = objectAt(tokens, only.from, true)
  return open === undefined ? undefined : { open, kind: only.kind }
}

/** @param mayBeName whether a variable is followed to where it is declared */
function objectAt(tokens: readonly Piece[], from: number, mayBeName: boolean): number | undefined {
  const first = tokens[from]
  if (first === undefined) return undefined
  if (isPunctuator(first, '{')) return from
  if (first.value === 'async') return objectAt(tokens, from + 1, false)
  if (first.value === 'function') return returnedBy(tokens, from)
  if (isPunctuator(tokens[from + 1], '=>')) return bodyAt(tokens, from + 2)
  if (isPunctuator(first, '(')) {
    const close = closerOf(tokens, from)
    if (close === undefined) return undefined
    if (isPunctuator(tokens[close + 1], '=>')) return bodyAt(tokens, close + 2)
    return objectAt(tokens, from + 1, false)
  }
  if (first.type !== 'IdentifierName') return undefined
  if (isPunctuator(tokens[from + 1], '(')) {
    const close = closerOf(tokens, from + 1)
    const [argument, ...others] = close === undefined ? [] : partsOf(tokens, from + 1, close)
    // Another function may make anything of its options.
    const isKnown = /^(?:define|with)[A-Z]/.test(first.value) && argument !== undefined && others.length === 0
    return isKnown ? objectAt(tokens, argument.from, true) : undefined
  }
  return mayBeName ? declared(tokens, first.value) : undefined
}

/** The body of an arrow function. */
const bodyAt = (tokens: readonly Piece[], at: number): number | undefined =>
  isPunctuator(tokens[at], '{') ? returnedIn(tokens, at) : objectAt(tokens, at, false)

function returnedBy(tokens: readonly Piece[], at: number): number | undefined {
  const parameters = tokens.findIndex((each, index) => index > at && isPunctuator(each, '('))
  const close = parameters === -1 ? undefined : closerOf(tokens, parameters)
  return close !== undefined && isPunctuator(tokens[close + 1], '{') ? returnedIn(tokens, close + 1) : undefined
}

/** The object of the only `return`, where it is one of this very function. */
function returnedIn(tokens: readonly Piece[], open: number): number | undefined {
  const close = closerOf(tokens, open) ?? open
  const returns = tokens.flatMap(({ value }, at) => (at > open && at < close && value === 'return' ? [at] : []))
  const [only, ...others] = returns
  if (only === undefined || others.length > 0 || openerOf(tokens, only) !== open) return undefined
  return objectAt(tokens, only + 1, false)
}

/** The object of `const name = { … }`, where the name is used for nothing but the export. */
function declared(tokens: readonly Piece[], name: string): number | undefined {
  const uses = tokens.flatMap(({ value, type }, at) => (type === 'IdentifierName' && value === name ? [at] : []))
  const at = uses.find((use) => /^(?:const|let|var)$/.test(tokens[use - 1]?.value ?? ''))
  if (at === undefined || uses.length !== 2) return undefined
  const equals = tokens.findIndex((each, index) => index > at && (isPunctuator(each, '=') || isPunctuator(each, ';')))
  // Between them stands a type, which has no braces where it is only named.
  const isPlain = tokens.slice(at, equals).every((each) => !isPunctuator(each, '{') && !isPunctuator(each, '('))
  return equals !== -1 && isPlain && isPunctuator(tokens[equals], '=') ? objectAt(tokens, equals + 1, false) : undefined
}
