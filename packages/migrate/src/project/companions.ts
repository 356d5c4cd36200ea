import path from 'node:path'
import { stringOf, tokenize } from '../script/tokens.ts'
import type { Tool } from '../tools/tool.ts'
import { isManifest, SCRIPT } from './files.ts'

/** A text of the project. */
export interface Source {
  /** Relative to the folder of the project. */
  readonly file: string
  readonly text: string
}

/** A manifest that named the tool. */
export interface Installed extends Source {
  /** Packages that it names besides the tool. */
  readonly others: readonly string[]
}

/**
 * The packages that served the tool alone as far as the project's texts tell: those that many install for it, and those
 * that its options named, without the ones that something else names.
 * @param named names that the options had which are gone
 * @param sources texts as they are without the tool
 */
export function idleCompanions(
  { file, others }: Installed,
  { companions }: Tool,
  named: readonly string[],
  sources: readonly Source[],
): readonly string[] {
  const isCandidate = (name: string): boolean => named.includes(name) || companions.some((each) => isOf(each, name))
  const candidates = [...new Set(others)].filter(isCandidate)
  const folder = path.posix.dirname(file)
  const own = sources.filter((each) => folder === '.' || each.file.startsWith(`${folder}/`))
  return candidates.filter((name) => own.every((source) => !names(source, name)))
}

/** A name, or a beginning with `*` behind it. */
const isOf = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name

/** True if a text names a package or a module of it: as a string of a script, or as a word of a manifest's scripts. */
function names({ file, text }: Source, name: string): boolean {
  if (!text.includes(name)) return false
  const isName = (value: string | undefined): boolean => value === name || value?.startsWith(`${name}/`) === true
  if (isManifest(file))
    return commandsOf(text)
      .flatMap((command) => command.split(/[\s;&|"']+/))
      .some(isName)
  if (SCRIPT.test(file)) return tokenize(text).some((token) => isName(stringOf(token)))
  return [...text.matchAll(/(["'`])([^"'`\s]+)\1/g)].some(([, , value]) => isName(value))
}

function commandsOf(manifest: string): readonly string[] {
  try {
    const { scripts = {} } = JSON.parse(manifest) as { scripts?: Readonly<Record<string, string>> }
    return Object.values(scripts)
  } catch {
    // It names nothing for certain, so every name in it may be a use.
    return [manifest]
  }
}
