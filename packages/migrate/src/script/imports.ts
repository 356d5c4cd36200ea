import { closerOf, isPunctuator, partsOf, stringOf } from './tokens.ts'
import type { Piece } from './tokens.ts'

/** A whole statement that imports one name of a package. */
export interface Import {
  readonly specifier: string
  /** `default`, or the exported name; `undefined` where several or none are imported. */
  readonly imported: string | undefined
  /** Its name in the file. */
  readonly local: string | undefined
  readonly isRequire: boolean
  /** UTF-16 offsets of the statement, its semicolon included. */
  readonly start: number
  readonly end: number
  readonly hasSemicolon: boolean
  /** Index of the token behind it. */
  readonly next: number
}

/** `import X from 'a'`, `import { X as Y } from 'a'`, `const X = require('a')`, `const { X } = require('a')`. */
export function findImports(tokens: readonly Piece[]): readonly Import[] {
  const found: Import[] = []
  for (let at = 0; at < tokens.length; at++) {
    const made = importAt(tokens, at) ?? requireAt(tokens, at)
    if (made === undefined) continue
    found.push(made)
    at = made.next - 1
  }
  return found
}

function importAt(tokens: readonly Piece[], at: number): Import | undefined {
  if (tokens[at]!.value !== 'import' || isPunctuator(tokens[at - 1], '.')) return undefined
  // Types leave nothing behind that runs.
  if (tokens[at + 1]?.value === 'type' && tokens[at + 2]?.value !== 'from') return undefined
  // The names of an import are a handful of tokens.
  const from = tokens.findIndex((each, index) => index > at && (each.value === 'from' || each.value === ';'))
  const specifier = from === -1 ? undefined : stringOf(tokens[from + 1] ?? tokens[from]!)
  if (specifier === undefined) return undefined
  return statement(tokens, at, from + 2, { specifier, isRequire: false, ...namesOf(tokens, at + 1, from) })
}

function requireAt(tokens: readonly Piece[], at: number): Import | undefined {
  if (!/^(?:const|let|var)$/.test(tokens[at]!.value)) return undefined
  const isPattern = isPunctuator(tokens[at + 1], '{')
  const equals = isPattern ? (closerOf(tokens, at + 1) ?? at) + 1 : at + 2
  if (!isPunctuator(tokens[equals], '=') || tokens[equals + 1]?.value !== 'require') return undefined
  const specifier = tokens[equals + 3] && stringOf(tokens[equals + 3]!)
  if (specifier === undefined || !isPunctuator(tokens[equals + 4], ')')) return undefined
  const isDefault = isPunctuator(tokens[equals + 5], '.') && tokens[equals + 6]?.value === 'default'
  const names = namesOf(tokens, at + 1, equals)
  return statement(tokens, at, equals + (isDefault ? 7 : 5), { specifier, isRequire: true, ...names })
}

function statement(
  tokens: readonly Piece[],
  first: number,
  behind: number,
  said: Pick<Import, 'specifier' | 'isRequire' | 'imported' | 'local'>,
): Import {
  const hasSemicolon = isPunctuator(tokens[behind], ';')
  const next = hasSemicolon ? behind + 1 : behind
  return { ...said, start: tokens[first]!.start, end: tokens[next - 1]!.end, hasSemicolon, next }
}

/** `X`, `{ X }`, `{ X as Y }` or `{ X: Y }`; anything else is more than one name. */
function namesOf(tokens: readonly Piece[], from: number, to: number): Pick<Import, 'imported' | 'local'> {
  const nothing = { imported: undefined, local: undefined }
  if (to - from === 1) return { imported: 'default', local: tokens[from]!.value }
  if (!isPunctuator(tokens[from], '{') || closerOf(tokens, from) !== to - 1) return nothing
  const [only, ...others] = partsOf(tokens, from, to - 1)
  if (only === undefined || others.length > 0) return nothing
  const [imported, between, local] = tokens.slice(only.from, only.to)
  if (between === undefined) return { imported: imported!.value, local: imported!.value }
  return /^(?:as|:)$/.test(between.value) ? { imported: imported!.value, local: local?.value } : nothing
}

/**
 * The imports that a change of a script left without a use: their name stands nowhere else any more.
 * @param before tokens of the script as it was
 */
export function idleImports(before: readonly Piece[], after: readonly Piece[]): readonly Import[] {
  return findImports(after).filter(
    ({ local }) => local !== undefined && countIn(after, local) === 1 && countIn(before, local) > 1,
  )
}

const countIn = (tokens: readonly Piece[], name: string): number =>
  tokens.filter(({ type, value }) => type === 'IdentifierName' && value === name).length
