import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { glob } from 'tinyglobby'
import { changeConfiguration } from './configuration.ts'
import { applyEdits, lineAt } from './edits.ts'
import type { Edit } from './edits.ts'
import { changeManifest } from './manifest.ts'
import { changeQueries } from './queries.ts'
import { stringOf, tokenize } from './tokens.ts'
import type { Tool } from './tools.ts'

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

export interface Migration {
  readonly changes: readonly FileChange[]
  /** Options without a successor, with the reason. */
  readonly leftOut: readonly Note[]
  /** What nobody but a person can be certain of. While a configuration is among it, no file changes. */
  readonly byHand: readonly Note[]
}

export const SOURCES: string =
  '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte,astro,html,css,scss,sass,less,styl,md,mdx}'
const SCRIPT = /\.[cm]?[jt]sx?$/
export const FOREIGN: readonly string[] = [
  '**/node_modules/**',
  '**/.git/**',
  '**/dist/**',
  '**/build/**',
  '**/coverage/**',
  '**/.*/**',
]

/** Characters beyond which a text is not written by a person. */
export const LONGEST = 2_000_000

/** What a project has to change, with nothing written. @param version of unplugin-pixpress, as manifests say it */
export async function planMigration(
  folder: string,
  tool: Tool,
  { version, endpoint }: { version: string; endpoint: string | undefined },
): Promise<Migration> {
  const ignore = [...FOREIGN]
  const files = (
    await glob([SOURCES, '**/package.json'], { cwd: folder, ignore, followSymbolicLinks: false })
  ).toSorted()
  const changes: FileChange[] = []
  const leftOut: Note[] = []
  const byHand: Note[] = []
  const manifests: Note[] = []
  let isCertain = true
  let isConfigured = false
  for (const file of files) {
    const text = await readFile(path.join(folder, file), 'utf8')
    if (text.length > LONGEST) continue
    const note = ({ at, text: said }: { at: number; text: string }): Note => ({
      file,
      line: lineAt(text, at),
      text: said,
    })
    const add = (edits: readonly Edit[]): void => {
      if (edits.length > 0) changes.push({ file, before: text, after: applyEdits(text, edits) })
    }
    if (path.basename(file) === 'package.json') {
      const made = changeManifest(text, tool, version)
      if (made === undefined) continue
      manifests.push({ file, line: 1, text: '' })
      if (made.text === undefined)
        byHand.push(note({ at: 0, text: "put 'unplugin-pixpress' in place of the packages" }))
      else changes.push({ file, before: text, after: made.text })
      for (const name of made.companions) {
        leftOut.push(note({ at: text.indexOf(`"${name}"`), text: `'${name}' may go where nothing else uses it` }))
      }
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
    add(made.edits)
    leftOut.push(...made.leftOut.map(note))
    byHand.push(...made.byHand.map(note))
  }
  if (!isConfigured && isCertain) {
    isCertain = false
    byHand.push(
      ...manifests.map((each) => ({ ...each, text: 'no script imports the package: add pixpress() where it was' })),
    )
  }
  // Queries and dependencies are those of the plugin that the configuration names: all of it changes, or nothing does.
  return { changes: isCertain ? changes : [], leftOut, byHand }
}

/** Places of a script that name a package in another way: in a list of modules, say, or in a `require()` amid code. */
function mentions(text: string, { packages }: Tool): { at: number; text: string; isType: boolean }[] {
  const names = [...new Set(Object.keys(packages).map((specifier) => specifier.split('/')[0]!))]
  if (!names.some((name) => text.includes(name))) return []
  const tokens = tokenize(text)
  return tokens.flatMap((token, index) => {
    const name = stringOf(token)?.split('/')[0]
    if (name === undefined || !names.includes(name)) return []
    const start = tokens.findLastIndex(({ value }, at) => at < index && value === 'import')
    const isType = tokens[index - 1]?.value === 'from' && tokens[start + 1]?.value === 'type'
    return [{ at: token.start, text: `'${name}' is used in a way that is not known`, isType }]
  })
}
