import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import type { InputType, ProbeResult } from '@pixpress/core'
import { replaceFile, resolveOperations, resultTypes, typeOfExtension } from '@pixpress/core/internal'
import { parseQuery } from '../directives/query.ts'
import type { ImageQuery } from '../directives/query.ts'
import type { DirectiveRequest } from '../directives/resolve.ts'
import { mergeModules, showType, typeOfModule } from './module-type.ts'
import type { ModuleType } from './module-type.ts'
import { createScanner, resolveImport } from './scan.ts'
import type { FoundImport } from './scan.ts'

/** Describes what decides the types of a project's imports. */
export interface TypesSettings {
  /** Absolute: where scripts are looked for. */
  readonly root: string
  /** Absolute: the file of the types. */
  readonly file: string
  /** The options that they depend on, as JSON, which the file keeps so that they can be checked without a bundler. */
  readonly options: string
  probe(file: string): Promise<ProbeResult>
  /** @throws PixpressError `INVALID_OPTION` */
  resolve(query: ImageQuery, source: ProbeResult, file: string): Promise<DirectiveRequest>
}

/** The result of an update of the file of types. */
export interface TypesResult {
  readonly changed: boolean
  /** Queries that have a module. */
  readonly queries: number
  /** Imports that have none, as sentences with file and line. */
  readonly problems: readonly string[]
}

/** Writes the file of types of a project. */
export interface TypesWriter {
  /**
   * Brings the file up to date. With `check` it is left as it is. One after the other, however often it is asked for.
   */
  update(check?: boolean): Promise<TypesResult>
}

/** The comment before the options in the file of types. */
export const OPTIONS_MARK = '// options: '

const HEAD = `// Written by pixpress (option \`types\`): a module for every query of an image import in use.
// \`npx pixpress types --check\` tells whether it is up to date. Beside it, unplugin-pixpress/client is not needed.
// oxlint-disable
/* eslint-disable */
`

/** Creates a writer, which reads each script again only if it has changed. */
export function createTypesWriter(settings: TypesSettings): TypesWriter {
  const scan = createScanner(settings.root)
  let last: Promise<unknown> = Promise.resolve()
  return {
    update(check = false) {
      const next = last.then(() => update(settings, scan, check))
      last = next.catch(() => undefined)
      return next
    },
  }
}

async function update(
  settings: TypesSettings,
  scan: () => Promise<readonly FoundImport[]>,
  check: boolean,
): Promise<TypesResult> {
  const { modules, problems } = await modulesOf(await scan(), settings)
  const text = render(modules, settings.options)
  const before = await readFile(settings.file, 'utf8').catch(() => undefined)
  const changed = before?.replaceAll('\r\n', '\n') !== text
  if (changed && !check) await replaceFile(settings.file, text)
  return { changed, queries: modules.size, problems }
}

async function modulesOf(
  imports: readonly FoundImport[],
  settings: TypesSettings,
): Promise<{ modules: ReadonlyMap<string, ModuleType>; problems: readonly string[] }> {
  const modules = new Map<string, ModuleType>()
  const problems: string[] = []
  for (const found of imports) {
    try {
      const type = await typeOfImport(found, settings)
      const before = modules.get(found.query)
      if (type !== undefined) modules.set(found.query, before === undefined ? type : mergeModules(before, type))
    } catch (error) {
      if (!(error instanceof PixpressError)) throw error
      const importer = path.relative(settings.root, found.importer).split(path.sep).join('/')
      problems.push(`${importer}:${found.line}: ${error.message}`)
    }
  }
  return { modules: new Map([...modules].toSorted(([a], [b]) => (a < b ? -1 : 1))), problems }
}

const URL_MODULE: ModuleType = { default: { anyOf: ['string'] }, named: new Map() }

/** `undefined` for the queries of others, and for the bundler's own. */
async function typeOfImport(found: FoundImport, settings: TypesSettings): Promise<ModuleType | undefined> {
  const query = parseQuery(found.query)
  if (!query.hasDirectives) return query.original ? URL_MODULE : undefined
  const file = await resolveImport(found, settings.root)
  const source = file === undefined ? assumedSource(found.specifier) : await settings.probe(file)
  const request = await settings.resolve(query, source, file ?? path.resolve(settings.root, found.specifier))
  const types = request.variants.map(({ operations }) => resultTypes(source.type, resolveOperations(operations)))
  const { namedExports: named = true } = JSON.parse(settings.options || '{}') as { namedExports?: boolean }
  return typeOfModule({ request, source, types, named })
}

/** A large photograph, where an alias of the project's own hides the file. */
function assumedSource(specifier: string): ProbeResult {
  const type: InputType = typeOfExtension(path.extname(specifier).slice(1).toLowerCase()) ?? 'image/jpeg'
  return { type, width: 8192, height: 8192, size: 1, hasAlpha: false, frames: 1, orientation: 1, depth: 8 }
}

function render(modules: ReadonlyMap<string, ModuleType>, options: string): string {
  const blocks = [...modules].map(([query, type]) => {
    const named = [...type.named].map(([name, each]) => `  export const ${name}: ${showType(each)}\n`)
    const value = `  const value: ${showType(type.default)}\n  export default value\n`
    return `declare module '*?${query.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}' {\n${value}${named.join('')}}\n`
  })
  return [`${HEAD}${OPTIONS_MARK}${options}\n`, ...blocks].join('\n')
}
