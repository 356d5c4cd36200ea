import { indentAt } from '../script/edits.ts'
import type { Edit } from '../script/edits.ts'
import { findImports } from '../script/imports.ts'
import type { Import } from '../script/imports.ts'
import { readEntries } from '../script/literals.ts'
import type { Entry } from '../script/literals.ts'
import { closerOf, isPunctuator, openerOf, partsOf, stringOf, tokenize } from '../script/tokens.ts'
import type { Piece, Stretch } from '../script/tokens.ts'
import type { Tool } from '../tools/tool.ts'

/** Something to tell a person, at an offset of the text. */
export interface Remark {
  readonly at: number
  readonly text: string
}

/** The change of a script that uses the tool's plugin. It has no edits if anything is left to do by hand. */
export interface ConfigurationChange {
  readonly edits: readonly Edit[]
  /** Options that have no successor because they need none. */
  readonly leftOut: readonly Remark[]
  readonly byHand: readonly Remark[]
}

/** Characters of a line beyond which options are written one below the other. */
const LINE = 100

/**
 * The change of a script that imports the plugin: its import, and its one call.
 * @param file name, which tells webpack's from Rspack's configuration
 * @param endpoint of a service that images go on being sent to
 * @returns `undefined` where the script does not import the plugin
 */
export function changeConfiguration(
  code: string,
  file: string,
  tool: Tool,
  endpoint: string | undefined,
): ConfigurationChange | undefined {
  if (!Object.keys(tool.packages).some((specifier) => code.includes(specifier))) return undefined
  const tokens = tokenize(code)
  const imports = findImports(tokens).filter(({ specifier }) => Object.hasOwn(tool.packages, specifier))
  const [only, ...others] = imports
  if (only === undefined) return undefined
  // A type leaves nothing behind that runs, also where nothing but its name says that it is one.
  if (others.length === 0 && tool.types?.includes(only.imported ?? '') === true) return undefined
  const name = only.local
  const expected = tool.packages[only.specifier]
  const ours = findImports(tokens).find((each) => each.specifier.startsWith('unplugin-pixpress/'))
  if (others.length > 0 || name === undefined || only.imported !== expected) {
    return stop(only.start, `'${only.specifier}' is imported in a way that is not known`)
  }
  if (ours === undefined && tokens.some(({ value }) => value === 'pixpress'))
    return stop(only.start, "'pixpress' is a name in this file already")
  const found = onlyCall(code, tokens, only)
  if ('at' in found)
    return stop(found.at, `'${name}' is not called once with its options written out: use pixpress() in its place`)
  const { call } = found
  const mapped = mapOptions(call.entries, tool, endpoint)
  if (ours !== undefined) {
    const joined =
      mapped.byHand.length > 0
        ? { byHand: mapped.byHand }
        : joinCalls(code, tokens, { only, call, ours }, mapped.options)
    return 'edits' in joined
      ? { edits: joined.edits, leftOut: mapped.leftOut, byHand: [] }
      : { edits: [], leftOut: [], byHand: joined.byHand }
  }
  const target = bundlerOf(only.specifier, file, tool)
  const made = `pixpress(${writeOptions(mapped.options, indentAt(code, call.start))})`
  const placed = tool.place === 'minimizer' ? moveToPlugins(code, tokens, call, made) : [replace(call, made)]
  if (placed === undefined) mapped.byHand.push({ at: call.start, text: "add pixpress() to 'plugins' in its place" })
  if (placed === undefined || mapped.byHand.length > 0) return { edits: [], leftOut: [], byHand: mapped.byHand }
  return { edits: [importEdit(only, target, code), ...placed], leftOut: mapped.leftOut, byHand: [] }
}

const stop = (at: number, text: string): ConfigurationChange => ({ edits: [], leftOut: [], byHand: [{ at, text }] })

/** The one call of what an import names; else where it is named in another way. */
function onlyCall(code: string, tokens: readonly Piece[], only: Import): { call: Call } | { at: number } {
  const uses = tokens.flatMap(({ value, start, end }, index) =>
    value === only.local && !isPunctuator(tokens[index - 1], '.') && !(start >= only.start && end <= only.end)
      ? [index]
      : [],
  )
  const call = uses[0] === undefined ? undefined : callAt(code, tokens, uses[0])
  // Its own options may name it: `implementation: ImageMinimizerPlugin.sharpMinify`.
  const outside = uses.filter((index) => call === undefined || index < call.from || index >= call.to)
  if (call !== undefined && outside.length === 0) return { call }
  return { at: tokens[outside[1] ?? outside[0] ?? -1]?.start ?? only.start }
}

/**
 * Adds the options to the call of pixpress that a file has already, and takes the other plugin out: a file that used
 * two plugins has one in the end.
 */
function joinCalls(
  code: string,
  tokens: readonly Piece[],
  { only, call, ours }: { only: Import; call: Call; ours: Import },
  options: readonly string[],
): { edits: readonly Edit[] } | { byHand: readonly Remark[] } {
  const own = ours.imported === 'default' ? onlyCall(code, tokens, ours) : { at: ours.start }
  if ('at' in own)
    return { byHand: [{ at: own.at, text: 'pixpress() is not called once with its options written out' }] }
  const open = openerOf(tokens, call.from)
  const close = open === undefined || !isPunctuator(tokens[open], '[') ? undefined : closerOf(tokens, open)
  const isItem =
    close !== undefined && partsOf(tokens, open!, close).some(({ from, to }) => from === call.from && to === call.to)
  if (!isItem)
    return { byHand: [{ at: call.start, text: 'it is no item of a list: take it out, pixpress() is there already' }] }
  const written = own.call.entries.map(({ key, value }) => (value.text === key ? key : `${key}: ${value.text}`))
  const added = options.filter((option) => !written.includes(option))
  const twice = added.find((option) => own.call.entries.some(({ key }) => key === option.split(':')[0]))
  if (twice !== undefined)
    return {
      byHand: [{ at: call.start, text: `'${twice}' stands against what pixpress() has already: write it yourself` }],
    }
  const filter = oneSidedFilter(written, options)
  if (filter !== undefined)
    return {
      byHand: [{ at: call.start, text: `'${filter}' would hold for the images of both plugins: write it yourself` }],
    }
  const removed = partWithComma(tokens, { close }, { from: call.from, to: call.to })
  const indent = indentAt(code, own.call.start)
  const name = ours.local!
  return {
    edits: [
      wholeLines(code, only.start, only.end),
      ...(added.length === 0 ? [] : [replace(own.call, `${name}(${writeOptions([...written, ...added], indent)})`)]),
      wholeLines(code, tokens[removed.from]!.start, tokens[removed.to - 1]!.end),
    ],
  }
}

const names = (options: readonly string[]): readonly string[] => options.map((option) => option.split(':')[0]!)

/** A filter that one of two calls has alone: joined, it would leave out images that the other took. */
const oneSidedFilter = (a: readonly string[], b: readonly string[]): string | undefined =>
  ['include', 'exclude'].find((key) => names(a).includes(key) !== names(b).includes(key))

/** A call with its `new`, by UTF-16 offsets, and where its first token is. */
interface Call {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
  readonly entries: readonly Entry[]
}

/** `name()`, `name({ … })`, either with `new`. */
function callAt(code: string, tokens: readonly Piece[], at: number): Call | undefined {
  const close = isPunctuator(tokens[at + 1], '(') ? closerOf(tokens, at + 1) : undefined
  if (close === undefined) return undefined
  const from = tokens[at - 1]?.value === 'new' ? at - 1 : at
  const [argument, ...others] = partsOf(tokens, at + 1, close)
  const entries = argument === undefined ? [] : readEntries(code, tokens, argument)
  if (others.length > 0 || entries === undefined) return undefined
  return { start: tokens[from]!.start, end: tokens[close]!.end, from, to: close + 1, entries }
}

function mapOptions(
  entries: readonly Entry[],
  { options, added = [] }: Tool,
  endpoint: string | undefined,
): { options: readonly string[]; leftOut: readonly Remark[]; byHand: Remark[] } {
  const taken: string[] = [...added]
  const engine: string[] = []
  const leftOut: Remark[] = []
  const byHand: Remark[] = []
  for (const { key, start, value } of entries) {
    const rule = Object.hasOwn(options, key) ? options[key] : undefined
    const answer = rule?.(value) ?? { hand: 'this option is not known' }
    if ('take' in answer) taken.push(answer.take)
    else if ('hand' in answer) byHand.push({ at: start, text: `'${key}': ${answer.hand}` })
    else if ('leave' in answer) leftOut.push({ at: start, text: `'${key}': ${answer.leave}` })
    else if (endpoint !== undefined) engine.push(answer.engine)
    else
      leftOut.push({ at: start, text: `'${key}': images are done on this machine; '--endpoint URL' keeps a service` })
  }
  if (engine.length > 0) taken.push(`engine: { endpoint: '${endpoint}', ${engine.join(', ')} }`)
  const twice = names(taken).find((each, index, all) => all.indexOf(each) !== index)
  if (twice !== undefined)
    byHand.push({ at: entries[0]!.start, text: `two options come to '${twice}': write it yourself` })
  return { options: taken, leftOut, byHand }
}

function writeOptions(options: readonly string[], indent: string): string {
  if (options.length === 0) return ''
  const line = `{ ${options.join(', ')} }`
  if (indent.length + line.length < LINE && !line.includes('\n')) return line
  const step = indent.includes('\t') ? '\t' : '  '
  return `{\n${options.map((option) => `${indent}${step}${option},\n`).join('')}${indent}}`
}

function bundlerOf(specifier: string, file: string, { bundler }: Tool): string {
  const own = /\/(vite|rollup|webpack|esbuild)$/.exec(specifier)?.[1] ?? bundler
  if (own === 'webpack') return /rspack/.test(file) ? 'rspack' : own
  return own === 'vite' && file.startsWith('rollup.') ? 'rollup' : own
}

function importEdit({ start, end, isRequire, hasSemicolon }: Import, target: string, code: string): Edit {
  const quote = code.slice(start, end).includes('"') ? '"' : "'"
  const specifier = `${quote}unplugin-pixpress/${target}${quote}`
  const statement = isRequire ? `const pixpress = require(${specifier})` : `import pixpress from ${specifier}`
  return { start, end, text: hasSemicolon ? `${statement};` : statement }
}

const replace = ({ start, end }: Pick<Edit, 'start' | 'end'>, text: string): Edit => ({ start, end, text })

/**
 * Takes the plugin out of `optimization: { minimizer: [ … ] }`, the whole of it where `'...'` is all that is left, and
 * puts ours at the end of the list `plugins` of the same object, or makes one. `undefined` where that is not clear.
 */
function moveToPlugins(code: string, tokens: readonly Piece[], call: Call, made: string): readonly Edit[] | undefined {
  const lists = listsOf(tokens).filter(({ at }) => at < call.from || at >= call.to)
  const from = lists.findLast(({ key, open, close }) => key === 'minimizer' && open < call.from && close >= call.to)
  const optimization = from === undefined ? undefined : keyOf(tokens, openerOf(tokens, from.at))
  if (from === undefined || optimization === undefined || tokens[optimization]!.value !== 'optimization')
    return undefined
  const parts = partsOf(tokens, from.open, from.close)
  const own = parts.findIndex((part) => part.from === call.from && part.to === call.to)
  if (own === -1) return undefined
  const rest = parts.filter((_, index) => index !== own)
  // Without '...' there were no minimizers but these, and an empty list keeps it so.
  const isUsual = rest.length > 0 && rest.every((part) => isUsualMinimizers(tokens, part))
  const removed = isUsual ? minimizerOf(tokens, from) : partWithComma(tokens, from, parts[own]!)
  const [start, end] = [tokens[removed.from]!.start, tokens[removed.to - 1]!.end]
  const configuration = openerOf(tokens, optimization)
  const to = lists.find(({ key, at }) => key === 'plugins' && openerOf(tokens, at) === configuration)
  if (to === undefined) {
    const members =
      configuration === undefined ? [] : partsOf(tokens, configuration, closerOf(tokens, configuration) ?? 0)
    const isPlain = members.every((part) => !/^(?:\.\.\.|plugins|\[)$/.test(tokens[part.from]!.value))
    if (!isPlain || members.length === 0) return undefined
    const list = `plugins: [${made}],`
    if (removed.from === optimization) return [{ start, end, text: list }]
    const at = tokens[optimization]!.start
    return [wholeLines(code, start, end), { start: at, end: at, text: `${list}\n${indentAt(code, at)}` }]
  }
  const last = partsOf(tokens, to.open, to.close).at(-1)
  const behind = last === undefined ? tokens[to.open]!.end : tokens[last.to - 1]!.end
  const isBelow = last !== undefined && code.slice(tokens[to.open]!.end, tokens[last.from]!.start).includes('\n')
  const before = isBelow ? `,\n${indentAt(code, tokens[last.from]!.start)}` : last === undefined ? '' : ', '
  return [wholeLines(code, start, end), { start: behind, end: behind, text: before + made }]
}

interface List {
  readonly key: string
  /** Indexes of the key and of the brackets. */
  readonly at: number
  readonly open: number
  readonly close: number
}

/** Every `key: [ … ]`. */
function listsOf(tokens: readonly Piece[]): readonly List[] {
  return tokens.flatMap(({ value }, at) => {
    const close =
      isPunctuator(tokens[at + 1], ':') && isPunctuator(tokens[at + 2], '[') ? closerOf(tokens, at + 2) : undefined
    return close === undefined ? [] : [{ key: value, at, open: at + 2, close }]
  })
}

/** The key whose value the object at `open` is. */
const keyOf = (tokens: readonly Piece[], open: number | undefined): number | undefined =>
  open !== undefined && isPunctuator(tokens[open - 1], ':') ? open - 2 : undefined

/** `'...'` */
const isUsualMinimizers = (tokens: readonly Piece[], { from, to }: Stretch): boolean =>
  to - from === 1 && stringOf(tokens[from]!) === '...'

/** The property `minimizer` with its comma, or `optimization` around it where it holds nothing else. */
function minimizerOf(tokens: readonly Piece[], { at, close }: List): Stretch {
  const behind = isPunctuator(tokens[close + 1], ',') ? close + 2 : close + 1
  const isAlone = isPunctuator(tokens[at - 1], '{') && isPunctuator(tokens[behind], '}')
  if (!isAlone) return { from: at, to: behind }
  return { from: at - 3, to: isPunctuator(tokens[behind + 1], ',') ? behind + 2 : behind + 1 }
}

/** An item of a list with the comma behind it, or else the one before it. */
function partWithComma(tokens: readonly Piece[], { close }: Pick<List, 'close'>, { from, to }: Stretch): Stretch {
  if (to < close) return { from, to: to + 1 }
  return { from: isPunctuator(tokens[from - 1], ',') ? from - 1 : from, to }
}

/** A removal, with the line break where nothing else stands on its lines. */
function wholeLines(code: string, start: number, end: number): Edit {
  const lineStart = code.lastIndexOf('\n', start - 1) + 1
  const lineEnd = code.indexOf('\n', end)
  const isAlone = code.slice(lineStart, start).trim() === '' && lineEnd !== -1 && code.slice(end, lineEnd).trim() === ''
  return isAlone ? { start: lineStart, end: lineEnd + 1, text: '' } : { start, end, text: '' }
}
