import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { changeConfiguration } from './configuration.ts'
import { applyEdits, lineAt, removeLines } from '../script/edits.ts'
import type { Edit, Remark } from '../script/edits.ts'
import { idleImports } from '../script/imports.ts'
import { idleCompanions } from './companions.ts'
import type { Installed, Source } from './companions.ts'
import { isManifest, LONGEST, projectFiles, SCRIPT } from './files.ts'
import { changeManifest } from './manifest.ts'
import { changeQueries } from './queries.ts'
import { stringOf, tokenize } from '../script/tokens.ts'
import type { Tool } from '../tools/tool.ts'

/** One file that changes. */
export interface FileChange {
  /** Relative to the folder, with forward slashes. */
  readonly file: string
  readonly before: string
  readonly after: string
}

/** A sentence about a place. */
export interface Note {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** The change of a project, with nothing written. */
export interface Migration {
  readonly changes: readonly FileChange[]
  /** Options without a successor, with the reason. */
  readonly leftOut: readonly Note[]
  /** Work that only a person can do for certain. While a configuration is among it, no file changes. */
  readonly byHand: readonly Note[]
}

interface Planning {
  /** Version of unplugin-pixpress for manifests. */
  readonly version: string
  /** URL of a service that images go on being sent to. */
  readonly endpoint: string | undefined
}

/** Plans the changes for several tools, one after the other. Nothing is written. */
export async function planMigrations(folder: string, tools: readonly Tool[], planning: Planning): Promise<Migration> {
  const changed = new Map<string, FileChange>()
  const read = async (file: string): Promise<string> =>
    changed.get(file)?.after ?? (await readFile(path.join(folder, file), 'utf8'))
  const leftOut: Note[] = []
  const byHand: Note[] = []
  for (const tool of tools) {
    const made = await planMigration(folder, tool, planning, read)
    for (const { file, before, after } of made.changes)
      changed.set(file, { file, before: changed.get(file)?.before ?? before, after })
    leftOut.push(...made.leftOut)
    byHand.push(...made.byHand)
  }
  const changes = [...changed.values()].toSorted((a, b) => (a.file < b.file ? -1 : 1))
  return { changes, leftOut, byHand }
}

const OURS = /^(?:unplugin-pixpress|@pixpress)\//

/** Tells whether a script names the plugin outside of comments, as it was migrated before, or by hand. */
const namesOurs = (text: string): boolean =>
  text.includes('pixpress') && tokenize(text).some((token) => OURS.test(stringOf(token) ?? ''))

/** Plans the changes for one tool. @param read returns the text of a file with the changes so far */
async function planMigration(
  folder: string,
  tool: Tool,
  { version, endpoint }: Planning,
  read: (file: string) => Promise<string>,
): Promise<Migration> {
  const files = await projectFiles(folder)
  const changes: FileChange[] = []
  const leftOut: Note[] = []
  const byHand: Note[] = []
  const manifests: Installed[] = []
  const named: string[] = []
  let isCertain = true
  let isConfigured = false
  let hasOurs = false
  for (const file of files) {
    const text = await read(file)
    if (text.length > LONGEST) continue
    hasOurs ||= SCRIPT.test(file) && namesOurs(text)
    const note = ({ at, text: said }: Remark): Note => ({ file, line: lineAt(text, at), text: said })
    const add = (edits: readonly Edit[]): void => {
      if (edits.length > 0) changes.push({ file, before: text, after: applyEdits(text, edits) })
    }
    if (isManifest(file)) {
      const made = changeManifest(text, tool, version)
      if (made === undefined) continue
      manifests.push({ file, text, others: made.others })
      if (made.text === undefined)
        byHand.push(note({ at: 0, text: "put 'unplugin-pixpress' in place of the packages" }))
      else changes.push({ file, before: text, after: made.text })
      continue
    }
    const made = SCRIPT.test(file) ? changeConfiguration(text, file.split('/').at(-1)!, tool, endpoint) : undefined
    if (made === undefined) {
      const queries = changeQueries(text, tool)
      add(queries.edits)
      const mentioned = SCRIPT.test(file) ? mentions(text, tool) : []
      // Types leave nothing behind that runs.
      if (mentioned.some(({ isType }) => !isType)) isCertain = false
      byHand.push(...queries.byHand.map(note), ...mentioned.map(note))
      continue
    }
    isConfigured = true
    if (made.byHand.length > 0) isCertain = false
    const { after, idle } = withoutIdleImports(text, applyEdits(text, made.edits))
    if (made.edits.length > 0) changes.push({ file, before: text, after })
    named.push(...made.named, ...idle)
    leftOut.push(...made.leftOut.map(note))
    byHand.push(...made.byHand.map(note))
  }
  if (!isConfigured && isCertain && !hasOurs) {
    isCertain = false
    const text = "no script imports the package: add pixpress() to the build's plugins"
    byHand.push(...manifests.map((each) => ({ file: each.file, line: 1, text })))
  }
  // Queries and dependencies are those of the plugin that the configuration names: all of it changes, or nothing does.
  if (!isCertain) return { changes: [], leftOut, byHand }
  const sources = await sourcesOf(files, changes, read)
  leftOut.push(...manifests.flatMap((each) => noteCompanions(each, tool, named, sources)))
  return { changes, leftOut, byHand }
}

function noteCompanions(
  installed: Installed,
  tool: Tool,
  named: readonly string[],
  sources: readonly Source[],
): readonly Note[] {
  const { file, text } = installed
  return idleCompanions(installed, tool, named, sources).map((name) => {
    const line = lineAt(text, text.indexOf(`"${name}"`))
    return { file, line, text: `'${name}' may go where nothing else uses it` }
  })
}

/** Texts as they are with their changes. */
async function sourcesOf(
  files: readonly string[],
  changes: readonly FileChange[],
  read: (file: string) => Promise<string>,
): Promise<readonly Source[]> {
  const afterwards = new Map(changes.map(({ file, after }) => [file, after]))
  const sources: Source[] = []
  for (const file of files) {
    const text = afterwards.get(file) ?? (await read(file))
    if (text.length <= LONGEST) sources.push({ file, text })
  }
  return sources
}

/** Takes the imports of packages out that a change left without a use, and names these packages. */
function withoutIdleImports(before: string, after: string): { after: string; idle: readonly string[] } {
  // A file of the project may do something where it is loaded.
  const idle = idleImports(tokenize(before), tokenize(after)).filter(({ specifier }) => !/^[./]/.test(specifier))
  const edits = idle.map(({ start, end }) => removeLines(after, start, end))
  const packages = idle.map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0])
  return { after: applyEdits(after, edits), idle: packages }
}

/** Places of a script that name a package in another way: in a list of modules, say, or in a `require()` amid code. */
function mentions(text: string, { packages, types = [] }: Tool): { at: number; text: string; isType: boolean }[] {
  const names = [...new Set(Object.keys(packages).map((specifier) => specifier.split('/')[0]!))]
  if (!names.some((name) => text.includes(name))) return []
  const tokens = tokenize(text)
  return tokens.flatMap((token, index) => {
    const name = stringOf(token)?.split('/')[0]
    if (name === undefined || !names.includes(name)) return []
    const start = tokens.findLastIndex(({ value }, at) => at < index && value === 'import')
    const isImport = tokens[index - 1]?.value === 'from'
    const named = isImport ? tokens.slice(start + 1, index - 1) : tokens.slice(index + 2, index + 4)
    // `import { Picture } from`, `import('…').Picture`
    const known = types.find((type) => named.some(({ value }) => value === type))
    if (known !== undefined && named.every(({ value }) => /^(?:type|[{},.])$/.test(value) || types.includes(value))) {
      const said = `write Pixpress.${known}, a global type of 'unplugin-pixpress/client', in place of ${known}`
      return [{ at: token.start, text: said, isType: true }]
    }
    const isType = isImport && tokens[start + 1]?.value === 'type'
    return [{ at: token.start, text: `'${name}' is used in a way that is not known`, isType }]
  })
}
