import { commentsAbove } from '../script/comments.ts'
import { applyEdits, indentAt } from '../script/edits.ts'
import type { Edit } from '../script/edits.ts'
import { findImports } from '../script/imports.ts'
import { closerOf, commentsIn, isPunctuator, partsOf, stringOf, tokenize } from '../script/tokens.ts'
import type { Piece, Stretch } from '../script/tokens.ts'
import { findConfigObject } from './config-object.ts'
import type { HostEdit, HostModule } from './hosts.ts'
import type { ScriptKind } from './script-kind.ts'

/** A configuration with the plugin in it, the news that it is there, or why it is not changed. */
export type Addition =
  | { readonly state: 'added'; readonly text: string }
  | { readonly state: 'present' }
  | { readonly state: 'unclear'; readonly why: string }

const unclear = (why: string): Addition => ({ state: 'unclear', why })

/** Adds one item to a list of the configuration, and its import. Code that is not understood stays as it is. */
export function addPlugin(code: string, host: HostEdit, module: HostModule | undefined): Addition {
  const { list, item, at, before = [] } = host
  const tokens = tokenize(code)
  if (tokens.some((token) => isOurs(stringOf(token)))) return { state: 'present' }
  if (tokens.some(({ value }) => value === 'pixpress')) return unclear("'pixpress' is a name in it already")
  const found = findConfigObject(tokens)
  if (found === undefined) return unclear('it does not export one object that is written out')
  const script = { code, tokens, ...styleOf(code, tokens) }
  const written = item.replaceAll("'", script.quote)
  const edit = listEdit(script, found.open, list.split('.'), { code: written, at, before: namesOf(tokens, before) })
  if (edit === undefined) return unclear(`it does not write '${list}' out as one list`)
  const edits = module === undefined ? [edit] : [edit, importEdit(script, module, found.kind)]
  return { state: 'added', text: applyEdits(code, edits) }
}

const isOurs = (text: string | undefined): boolean =>
  text !== undefined && /^(?:unplugin-pixpress|@pixpress\/(?:astro|nuxt))(?:\/|$)/.test(text)

/** A configuration that is changed. */
interface Script {
  readonly code: string
  readonly tokens: readonly Piece[]
  /** The quotes and semicolons that it is written with. */
  readonly quote: string
  readonly semicolon: string
}

/** An item for a list, and where in the list it goes. */
interface Item extends Pick<HostEdit, 'at'> {
  readonly code: string
  /** Names and strings in items that have to stand behind it. */
  readonly before: ReadonlySet<string>
}

/** The modules, and the names that a script gives to what it loads from them. */
function namesOf(tokens: readonly Piece[], modules: readonly string[]): ReadonlySet<string> {
  const imports = findImports(tokens).filter(({ specifier }) => modules.includes(specifier))
  return new Set([...modules, ...imports.flatMap(({ local }) => local ?? [])])
}

function styleOf(code: string, tokens: readonly Piece[]): Pick<Script, 'quote' | 'semicolon'> {
  const strings = tokens.filter(({ type }) => type === 'StringLiteral')
  const double = strings.filter(({ value }) => value.startsWith('"')).length
  return { quote: double * 2 > strings.length ? '"' : "'", semicolon: /;[ \t]*(?:\/\/.*)?$/m.test(code) ? ';' : '' }
}

/**
 * Adds an item to the list of this name in an object, or in an object within it.
 * @param open index of the object's bracket
 * @param path names of the members on the way to the list, its own last
 */
function listEdit(script: Script, open: number, path: readonly string[], item: Item): Edit | undefined {
  const { tokens } = script
  const [name, ...inner] = path
  const close = closerOf(tokens, open)
  if (close === undefined) return undefined
  const members = partsOf(tokens, open, close)
  const nameOf = ({ from }: Stretch): string => stringOf(tokens[from]!) ?? tokens[from]!.value
  const own = members.filter((member) => nameOf(member) === name)
  if (own.length > 1) return undefined
  if (own[0] !== undefined) {
    const { from, to } = own[0]
    const isObject = isPunctuator(tokens[from + 1], ':') && closerOf(tokens, from + 2) === to - 1
    if (inner.length > 0 && isObject && isPunctuator(tokens[from + 2], '{'))
      return listEdit(script, from + 2, inner, item)
    // craco takes the list itself for an object that has it as `add`.
    return inner.length > 1 ? undefined : itemEdit(script, own[0], item)
  }
  // A spread, a computed name or a getter may hold the list.
  const mayHold = ({ from }: Stretch): boolean =>
    /^(?:\.\.\.|\[)$/.test(tokens[from]!.value) || tokens[from + 1]?.value === name
  if (members.some(mayHold)) return undefined
  const value = inner.reduceRight((text, each) => `{ ${each}: ${text} }`, `[${item.code}]`)
  return memberEdit(script, { from: open, to: close }, members[0], `${name}: ${value}`)
}

/** Into `key: [ … ]`, or `key: [ … ].filter(Boolean)`. */
function itemEdit({ code, tokens }: Script, { from, to }: Stretch, item: Item): Edit | undefined {
  const open = from + 2
  const close =
    isPunctuator(tokens[from + 1], ':') && isPunctuator(tokens[open], '[') ? closerOf(tokens, open) : undefined
  if (close === undefined) return undefined
  const behind = tokens.slice(close + 1, to).map(({ value }) => value)
  if (behind.length > 0 && behind.join('') !== '.filter(Boolean)') return undefined
  const items = partsOf(tokens, open, close)
  const isLater = (part: Stretch): boolean =>
    tokens.slice(part.from, part.to).some((token) => item.before.has(stringOf(token) ?? token.value))
  const next = item.at === 'start' ? items[0] : items.find(isLater)
  if (next !== undefined) return insertBefore(code, tokens, next, item.code)
  const last = items.at(-1)
  if (last === undefined) return insertion(tokens[open]!.end, item.code)
  const place = tokens[last.from]!.start
  const isBelow = code.slice(tokens[open]!.end, place).includes('\n')
  return insertion(tokens[last.to - 1]!.end, (isBelow ? `,\n${indentAt(code, place)}` : ', ') + item.code)
}

/** Inserts an item before another, and above the comments of that one. */
function insertBefore(code: string, tokens: readonly Piece[], next: Stretch, item: string): Edit {
  const own = tokens[next.from]!.start
  const place = commentsAbove(code, commentsIn(code), own)[0]?.start ?? own
  const isBelow = code.slice(tokens[next.from - 1]!.end, own).includes('\n')
  return insertion(place, item + (isBelow ? `,\n${indentAt(code, own)}` : ', '))
}

/** Inserts a member as the first one of the object. */
function memberEdit({ code, tokens }: Script, object: Stretch, first: Stretch | undefined, member: string): Edit {
  const { start, end } = tokens[object.from]!
  const place = first === undefined ? tokens[object.to]!.start : tokens[first.from]!.start
  const isBelow = code.slice(end, place).includes('\n')
  if (!isBelow) {
    const gap = code.slice(end, place)
    return insertion(
      end,
      first === undefined ? ` ${member}${gap === '' ? ' ' : ''}` : ` ${member},${gap === '' ? ' ' : ''}`,
    )
  }
  const indent = first === undefined ? `${indentAt(code, start)}  ` : indentAt(code, place)
  return insertion(end, `\n${indent}${member},`)
}

const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text })

/** Inserts the import after the last one, or at the top, below comments that are for the whole file. */
function importEdit({ code, tokens, quote, semicolon }: Script, module: HostModule, kind: ScriptKind): Edit {
  const loading = module[kind].replaceAll("'", quote)
  const isCommonJs = kind === 'commonjs'
  const last = isCommonJs ? undefined : lastImport(tokens)
  if (last !== undefined) return insertion(last, `\n${loading}${code[last - 1] === ';' ? ';' : ''}`)
  const statement = loading + semicolon
  const head = /^(?:#!.*\n)?(?:[ \t]*\/\/.*\n)*(?:(['"])use strict\1;?[ \t]*\n)?/.exec(code)![0]
  const isApart =
    !/^\r?\n/.test(code.slice(head.length)) && !(isCommonJs && /^(?:const|let|var)\b/.test(code.slice(head.length)))
  return insertion(head.length, `${statement}\n${isApart ? '\n' : ''}`)
}

/** Where the last import statement ends, its semicolon included. */
function lastImport(tokens: readonly Piece[]): number | undefined {
  let end: number | undefined
  for (const [at, { value }] of tokens.entries()) {
    const isStatement = value === 'import' && !isPunctuator(tokens[at + 1], '(') && !isPunctuator(tokens[at + 1], '.')
    if (!isStatement || isPunctuator(tokens[at - 1], '.')) continue
    const named = tokens.findIndex((each, index) => index > at && stringOf(each) !== undefined)
    if (named === -1) continue
    // `import x from 'y' with { type: 'json' }`
    const isWith = /^(?:with|assert)$/.test(tokens[named + 1]?.value ?? '') && isPunctuator(tokens[named + 2], '{')
    const behind = isWith ? (closerOf(tokens, named + 2) ?? named) : named
    end = isPunctuator(tokens[behind + 1], ';') ? tokens[behind + 1]!.end : tokens[behind]!.end
  }
  return end
}
