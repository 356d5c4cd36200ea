import { readFile, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { EXTENSION_PATTERN } from '@pixpress/core/internal'

/** An import of an image with a query, as it is written. */
export interface FoundImport {
  /** Absolute path of the script. */
  readonly importer: string
  /** From 1. */
  readonly line: number
  /** Without its query. */
  readonly specifier: string
  /** Without its `?`. */
  readonly query: string
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx)$/
const DECLARATIONS = /\.d\.[cm]?ts$/

/** Folders that hold what others wrote, or what was made. */
const FOREIGN = /^(?:node_modules|dist|build|coverage|out|\..*)$/

/** `from '…'`, `import '…'`, `import('…')` and `require('…')`, in scripts and in the scripts of components. */
const IMPORT = new RegExp(
  String.raw`\b(?:from|import|require)\s*\(?\s*(["'\x60])((?:(?!\$\{)[^"'\x60\n?])+${EXTENSION_PATTERN})\?([^"'\x60\n#$]+)\1`,
  'gi',
)

interface Scanned {
  readonly changed: number
  readonly size: number
  readonly imports: readonly FoundImport[]
}

/** Finds the imports below a folder; scripts that have not changed are not read again. */
export function createScanner(root: string): () => Promise<readonly FoundImport[]> {
  let known = new Map<string, Scanned>()
  return async () => {
    const next = new Map<string, Scanned>()
    for (const file of await scriptsOf(root)) next.set(file, await scan(file, known.get(file)))
    known = next
    return [...next.values()].flatMap(({ imports }) => imports)
  }
}

async function scan(file: string, before: Scanned | undefined): Promise<Scanned> {
  const { mtimeMs: changed, size } = await stat(file)
  if (before?.changed === changed && before.size === size) return before
  return { changed, size, imports: findImageImports(await readFile(file, 'utf8'), file) }
}

/** The image imports with queries of a script. */
export function findImageImports(code: string, importer: string): readonly FoundImport[] {
  return [...code.matchAll(IMPORT)].map(({ index, 2: specifier, 3: query }) => ({
    importer,
    line: code.slice(0, index).split('\n').length,
    specifier: specifier!,
    query: query!,
  }))
}

async function scriptsOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files: string[] = []
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = path.join(folder, entry.name)
    if (entry.isDirectory() && !FOREIGN.test(entry.name)) files.push(...(await scriptsOf(inside)))
    else if (entry.isFile() && SCRIPT.test(entry.name) && !DECLARATIONS.test(entry.name)) files.push(inside)
  }
  return files
}

/**
 * Where a specifier may lead: relative ones, those from the root, and the aliases that starters of frameworks set up.
 */
const ALIASES: readonly (readonly [prefix: RegExp, folder: string])[] = [
  [/^\$lib\//, 'src/lib'],
  [/^[@~]\//, 'src'],
  [/^[@~]\//, 'app'],
  [/^[@~]\//, '.'],
  [/^~~\//, '.'],
  [/^\//, '.'],
  [/^\//, 'public'],
  [/^(?=\w)/, 'src'],
  [/^(?=\w)/, '.'],
]

/** The file of a specifier; `undefined` where it leads to none by the usual rules. */
export async function resolveImport({ importer, specifier }: FoundImport, root: string): Promise<string | undefined> {
  const decoded = decode(specifier)
  const candidates = /^\.{1,2}\//.test(decoded)
    ? [path.resolve(path.dirname(importer), decoded)]
    : ALIASES.filter(([prefix]) => prefix.test(decoded)).map(([prefix, folder]) =>
        path.resolve(root, folder, decoded.replace(prefix, '')),
      )
  for (const file of candidates) if ((await stat(file).catch(() => undefined))?.isFile()) return file
  return undefined
}

function decode(specifier: string): string {
  try {
    return decodeURI(specifier)
  } catch {
    return specifier
  }
}
