import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { OPERATIONS } from '@pixpress/core/internal'
import type { BuiltImages } from './built-images.ts'
import { CONFIG_FILES } from '../base/config.ts'
import { HOSTS } from '@pixpress/migrate/init'
import { findImports, closerOf, isPunctuator, partsOf, stringOf, tokenize } from '@pixpress/migrate/script'
import type { Import, Piece, Stretch } from '@pixpress/migrate/script'

/** Options of the plugin that decide what builds ship, and stand in a bundler's configuration. */
export interface HiddenOptions {
  /** The configuration's name in the folder. */
  readonly file: string
  /** Names of the options; empty where they cannot be read there. */
  readonly names: readonly string[]
}

/** Options that change what becomes of an image that no directive speaks of. */
const DECIDING: ReadonlySet<string> = new Set([
  ...Object.keys(OPERATIONS),
  'include',
  'exclude',
  'overrides',
  'publicDir',
  'compat',
])

const BUNDLER_CONFIGS: ReadonlySet<string> = new Set(Object.values(HOSTS).flatMap(({ files }) => files))

/** Next's wrapper takes the options of Next. */
const OF_PLUGIN = /^(?:unplugin-pixpress(?!\/next$)(?:\/.*)?|@pixpress\/(?:astro|nuxt))$/

/** Matches imports of `pixpress.config`. */
const SHARED = new RegExp(`(?:^|/)(?:${CONFIG_FILES.join('|').replaceAll('.', String.raw`\.`)}|pixpress\\.config)$`)

/**
 * Looks for options that the command does not know, in the configurations of a folder. Nothing of them is run.
 * @param known names of the options that `pixpress.config` has
 */
export function findHiddenOptions(folder: string, known: ReadonlySet<string>): HiddenOptions | undefined {
  for (const file of namesIn(folder)) {
    if (!BUNDLER_CONFIGS.has(file)) continue
    const code = readFileSync(path.join(folder, file), 'utf8')
    if (!code.includes('pixpress')) continue
    const tokens = tokenize(code)
    const imports = findImports(tokens)
    const shared = new Set(imports.flatMap(({ specifier, local }) => (SHARED.test(specifier) && local ? [local] : [])))
    for (const given of optionsIn(tokens, imports)) {
      const names = decidingIn(tokens, given, shared)
      const unknown = names?.filter((name) => !known.has(name))
      if (unknown === undefined || unknown.length > 0) return { file, names: unknown ?? [] }
    }
  }
  return undefined
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Finds the options of the plugin: `pixpress(…)`, `addPlugin(pixpress, …)`, `pixpress: …` of Nuxt. */
function optionsIn(tokens: readonly Piece[], imports: readonly Import[]): readonly Stretch[] {
  const locals = imports.flatMap(({ specifier, local }) => (OF_PLUGIN.test(specifier) && local ? [local] : []))
  const isModule = tokens.some((each) => stringOf(each) === '@pixpress/nuxt')
  return tokens.flatMap(({ value, type, start }, at) => {
    if (type !== 'IdentifierName' || isPunctuator(tokens[at - 1], '.')) return []
    if (isModule && value === 'pixpress' && isPunctuator(tokens[at + 1], ':')) return stretchAt(tokens, at + 2)
    if (!locals.includes(value) || imports.some((each) => each.start <= start && start < each.end)) return []
    if (isPunctuator(tokens[at + 1], ',')) return stretchAt(tokens, at + 2)
    const call = isPunctuator(tokens[at + 1], '.') ? at + 3 : at + 1
    return isPunctuator(tokens[call], '(') ? stretchAt(tokens, call + 1) : []
  })
}

/** One value: an object that is written out, or a name. */
function stretchAt(tokens: readonly Piece[], from: number): readonly Stretch[] {
  if (tokens[from] === undefined || isPunctuator(tokens[from], ')')) return []
  const close = isPunctuator(tokens[from], '{') ? closerOf(tokens, from) : from
  return close === undefined ? [] : [{ from, to: close + 1 }]
}

/** Names of the options that decide; `undefined` where they cannot be read. */
function decidingIn(
  tokens: readonly Piece[],
  { from, to }: Stretch,
  shared: ReadonlySet<string>,
): readonly string[] | undefined {
  const isShared = (at: number): boolean => shared.has(tokens[at]?.value ?? '')
  if (!isPunctuator(tokens[from], '{')) return isShared(from) ? [] : undefined
  const names: string[] = []
  for (const part of partsOf(tokens, from, to - 1)) {
    if (isPunctuator(tokens[part.from], '...')) {
      if (!isShared(part.from + 1)) return undefined
      continue
    }
    const name = tokens[part.from]!
    names.push(stringOf(name) ?? name.value)
  }
  return names.filter((name) => DECIDING.has(name))
}

/** Returns a sentence that warns of images judged without such options. @param count images */
export function hiddenSentence(count: number, { file, names }: HiddenOptions): string {
  const images = count === 1 ? '1 image was' : `${count} images were`
  const without = names.length === 0 ? 'the options of the plugin' : names.map((name) => `'${name}'`).join(' and ')
  const stand = names.length === 1 ? 'stands' : 'stand'
  return `${images} judged without ${without}, which ${stand} in ${file} alone: move ${names.length === 1 ? 'it' : 'them'} to ${CONFIG_FILES[0]}, and import that file in ${file}.`
}

interface Told {
  readonly built: Pick<BuiltImages, 'folderOf'>
  /** Names of the options that `pixpress.config` has. */
  readonly options: ReadonlySet<string>
  readonly tell: (message: string) => void
}

/** Says of images whose delivery was worked out which options that was done without. @param files absolute */
export function tellHiddenOptions(files: readonly string[], { built, options, tell }: Told): void {
  const counts = new Map<string, number>()
  for (const file of files) {
    const folder = built.folderOf(file)
    if (folder !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  for (const [folder, count] of counts) {
    const hidden = findHiddenOptions(folder, options)
    if (hidden !== undefined) tell(hiddenSentence(count, hidden))
  }
}
