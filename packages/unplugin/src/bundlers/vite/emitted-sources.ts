import path from 'node:path'
import type { ImageReference } from '../../modules/reference.ts'
import { relativePath } from '../../base/paths.ts'

/** Which of the project's images the files in the cache folder were made from, for what Vite tells of sources. */
export interface EmittedSources {
  /** Notes what a file in the cache folder was made from. */
  add(written: string, source: ImageReference): void
  /** Returns the reference that a file in the cache folder was made for. Absolute path. */
  of(file: string): ImageReference | undefined
  /** The source of a file in the cache folder; any other file itself. Absolute paths. */
  fileOf(file: string): string
  /** The name of the source of a file in the cache folder; any other name itself. Names are relative to the root. */
  nameOf(name: string): string
}

/**
 * Creates an empty record of sources.
 * @param root absolute folder that names are relative to
 */
export function createEmittedSources(root: string): EmittedSources {
  const sources = new Map<string, ImageReference>()
  /** The same by the names that Vite gives them, as the bundler asks after each asset several times. */
  const byName = new Map<string, ImageReference>()
  return {
    add(written, source) {
      const before = sources.get(written)
      // Directives that change nothing come to the same file as no directives.
      if (before !== undefined && source.query.text !== '') return
      sources.set(written, source)
      byName.set(relativePath(root, written), source)
    },
    of: (file) => sources.get(path.normalize(file)),
    fileOf: (file) => sources.get(path.normalize(file))?.file ?? file,
    nameOf(name) {
      if (sources.size === 0) return name
      const source = byName.get(name) ?? (isPlain(name) ? undefined : sources.get(path.resolve(root, name)))
      return source === undefined ? name : sourceName(root, source)
    },
  }
}

/** Tells whether a name is what `relativePath` makes of a file of the project: there is one such name for it. */
const isPlain = (name: string): boolean => !path.isAbsolute(name) && !/\\|(?:^|\/)\.{0,2}(?:\/|$)/.test(name)

/** An image's name for the manifest: the path, and the query where that makes another image of it. */
export function sourceName(root: string, { file, query }: ImageReference): string {
  return relativePath(root, file) + (query.hasDirectives || query.original ? query.text : '')
}
