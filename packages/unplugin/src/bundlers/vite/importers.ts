import path from 'node:path'
import { splitUrl } from '../../references/url.ts'

/** Who imports which image: bundlers tell a module's importers only when it has been loaded. */
export interface Importers {
  /** Notes an import as it is written. @param importer absolute path */
  note(specifier: string, importer: string): void
  /** The absolute path of a file that imports an image with a query; `undefined` where none is known. */
  of(file: string, query: string): string | undefined
}

/** Creates an empty record of importers. */
export function createImporters(): Importers {
  /** The image is looked up by its own name and query, as an alias may hide its folder. */
  const known = new Map<string, Map<string, { specifier: string; importer: string }>>()
  return {
    note(specifier, importer) {
      const { path: written, query } = splitUrl(specifier)
      const key = path.posix.basename(written) + query
      const noted = { specifier: written, importer: splitUrl(importer).path }
      known.set(key, (known.get(key) ?? new Map()).set(JSON.stringify(noted), noted))
    },
    of(file, query) {
      const all = [...(known.get(path.basename(file) + query)?.values() ?? [])]
      const exact = all.findLast(({ specifier, importer }) => path.resolve(path.dirname(importer), specifier) === file)
      return (exact ?? all.at(-1))?.importer
    },
  }
}
