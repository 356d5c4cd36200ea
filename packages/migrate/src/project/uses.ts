import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { lineAt } from '../script/edits.ts'
import { findImports } from '../script/imports.ts'
import { isPunctuator, stringOf, tokenize } from '../script/tokens.ts'
import type { Tool } from '../tools/tool.ts'
import { isManifest, LONGEST, packageFiles, projectFiles, SCRIPT } from './files.ts'
import { changeManifest, packageOf } from './manifest.ts'

/** A place of a project that loads a module. */
export interface Use {
  readonly specifier: string
  /** Relative to the folder, with forward slashes. */
  readonly file: string
  /** From 1. */
  readonly line: number
}

/** The tools that a project uses, by its scripts and manifests. */
export async function toolsIn<Name extends string>(
  folder: string,
  tools: Readonly<Record<Name, Tool>>,
): Promise<Name[]> {
  const unused = new Set(Object.keys(tools) as Name[])
  for (const file of await projectFiles(folder)) {
    if (unused.size === 0) break
    if (!SCRIPT.test(file) && !isManifest(file)) continue
    const text = await readFile(path.join(folder, file), 'utf8')
    if (text.length > LONGEST) continue
    for (const name of unused) if (isUsedIn(file, text, tools[name])) unused.delete(name)
  }
  return (Object.keys(tools) as Name[]).filter((name) => !unused.has(name))
}

/** The packages of these tools that the scripts and manifests of a project name, in the order of the tools. */
export async function packagesIn(folder: string, tools: readonly Tool[]): Promise<string[]> {
  const names = [...new Set(tools.flatMap(({ packages }) => Object.keys(packages).map(packageOf)))]
  const found = new Set<string>()
  for (const file of await projectFiles(folder)) {
    if (found.size === names.length) break
    if (!SCRIPT.test(file) && !isManifest(file)) continue
    const text = await readFile(path.join(folder, file), 'utf8')
    if (text.length > LONGEST) continue
    for (const name of names) if (new RegExp(`["']${name}["'/]`).test(text)) found.add(name)
  }
  return names.filter((name) => found.has(name))
}

function isUsedIn(file: string, text: string, tool: Tool): boolean {
  if (isManifest(file)) return changeManifest(text, tool, '') !== undefined
  const specifiers = Object.keys(tool.packages)
  if (!specifiers.some((specifier) => text.includes(specifier))) return false
  return findImports(tokenize(text)).some(({ specifier }) => specifiers.includes(specifier))
}

/** Where the scripts of a package load one of these tools, or nothing: packages in folders below are not looked at. */
export async function toolUse(folder: string, tools: readonly Tool[]): Promise<Use | undefined> {
  const types = new Set(tools.flatMap((each) => each.types ?? []))
  return moduleUse(
    folder,
    tools.flatMap(({ packages }) => Object.keys(packages)),
    types,
  )
}

/**
 * Where the scripts of a package load one of these modules, or nothing.
 * @param types names whose import leaves nothing behind that runs
 */
export async function moduleUse(
  folder: string,
  specifiers: readonly string[],
  types: ReadonlySet<string> = new Set(),
): Promise<Use | undefined> {
  for (const file of await packageFiles(folder)) {
    if (!SCRIPT.test(file)) continue
    const text = await readFile(path.join(folder, file), 'utf8')
    if (text.length > LONGEST || !specifiers.some((specifier) => text.includes(specifier))) continue
    const found = loadsIn(text, types).find(({ specifier }) => specifiers.includes(specifier))
    if (found !== undefined) return { specifier: found.specifier, file, line: lineAt(text, found.start) }
  }
  return undefined
}

/** Imports, and `require()` amid code. */
function loadsIn(text: string, types: ReadonlySet<string>): readonly { specifier: string; start: number }[] {
  const tokens = tokenize(text)
  const imports = findImports(tokens).filter(({ imported }) => imported === undefined || !types.has(imported))
  const calls = tokens.flatMap(({ value, start }, at) => {
    const specifier = value === 'require' && isPunctuator(tokens[at + 1], '(') ? tokens[at + 2] : undefined
    const named = specifier && stringOf(specifier)
    return named === undefined ? [] : [{ specifier: named, start }]
  })
  return [...imports, ...calls]
}
