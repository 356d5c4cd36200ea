import { indentAt } from '../script/edits.ts'
import type { Edit, Remark } from '../script/edits.ts'
import { findImports } from '../script/imports.ts'
import type { Import } from '../script/imports.ts'
import { isPunctuator, stringOf, tokenize } from '../script/tokens.ts'
import type { Piece } from '../script/tokens.ts'
import type { Tool } from '../tools/tool.ts'
import { onlyCall } from './call.ts'
import type { Call } from './call.ts'
import { joinCalls } from './join-calls.ts'
import { isAmongPlugins, moveToPlugins } from './move-to-plugins.ts'
import { mapOptions, writeOptions } from './options.ts'

/** The change of a script that uses the tool's plugin. It has no edits if anything is left to do by hand. */
export interface ConfigurationChange {
  readonly edits: readonly Edit[]
  /** Options that have no successor because they need none. */
  readonly leftOut: readonly Remark[]
  readonly byHand: readonly Remark[]
  /** Names in quotes of the call that goes, some of which may be packages. */
  readonly named: readonly string[]
}

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
    return stop(only.start, "'pixpress' is a name in this file already: rename it, and run the command again")
  const found = onlyCall(code, tokens, only)
  if ('at' in found)
    return stop(found.at, `'${name}' is not called once with its options written out: use pixpress() in its place`)
  const { call } = found
  const mapped = mapOptions(call, tool, endpoint)
  const named = namesIn(tokens, call)
  if (ours !== undefined) {
    const joined =
      mapped.byHand.length > 0 ? { byHand: mapped.byHand } : joinCalls(code, tokens, { only, call, ours }, mapped)
    return 'edits' in joined
      ? { edits: joined.edits, leftOut: mapped.leftOut, byHand: [], named }
      : { edits: [], leftOut: [], byHand: joined.byHand, named: [] }
  }
  const target = bundlerOf(only.specifier, file, tool)
  const make = (indent: string): string => `pixpress(${writeOptions(mapped, indent)})`
  const isMinimizer = tool.place === 'minimizer' && !isAmongPlugins(tokens, call)
  const placed = isMinimizer
    ? moveToPlugins(code, tokens, call, make)
    : [{ start: call.start, end: call.end, text: make(indentAt(code, call.start)) }]
  if (placed === undefined) mapped.byHand.push({ at: call.start, text: "add pixpress() to 'plugins' in its place" })
  if (placed === undefined || mapped.byHand.length > 0)
    return { edits: [], leftOut: [], byHand: mapped.byHand, named: [] }
  const leftOut = [...mapped.leftOut, ...(isMinimizer ? restInDevelopment(tokens) : [])]
  return { edits: [importEdit(only, target, code), ...placed], leftOut, byHand: [], named }
}

/** Webpack runs minimizers in `mode: 'development'` only where `minimize` says so; a plugin works in every mode. */
function restInDevelopment(tokens: readonly Piece[]): readonly Remark[] {
  const valuesOf = (key: string): readonly Piece[] =>
    tokens.flatMap((token, at) => {
      const isKey = token.value === key || stringOf(token) === key
      return isKey && isPunctuator(tokens[at + 1], ':') ? tokens.slice(at + 2, at + 3) : []
    })
  const [mode, ...others] = valuesOf('mode')
  const isAlone = mode !== undefined && others.length === 0 && stringOf(mode) === 'development'
  if (!isAlone || valuesOf('minimize').some(({ value }) => value !== 'false')) return []
  const said = "that minimizers rest in mode 'development': pixpress() works there too, unless 'plugins' is without it"
  return [{ at: mode.start, text: said }]
}

const stop = (at: number, text: string): ConfigurationChange => ({
  edits: [],
  leftOut: [],
  byHand: [{ at, text }],
  named: [],
})

const namesIn = (tokens: readonly Piece[], { from, to }: Call): readonly string[] =>
  tokens.slice(from, to).flatMap((token) => stringOf(token) ?? [])

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
