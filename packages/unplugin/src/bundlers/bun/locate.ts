import path from 'node:path'
import { noteNearQuery, readImport, readQuery } from '../../modules/reference.ts'
import type { ReferenceQuery } from '../../modules/reference.ts'
import { decodePath, splitUrl } from '../../references/url.ts'
import type { UrlParts } from '../../references/url.ts'
import { isFile } from '../../base/files.ts'
import type { Warn } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'
import type { BunGlobal, ResolveArguments } from './bun-api.ts'

/**
 * Tells by the loader that is set up for a file whether it gives a `data:` URL; `undefined` when it is none for images.
 */
export type InlineRule = (file: string) => boolean | undefined

/** Describes what a path stands for that is written somewhere. */
export type Written = Pick<ResolveArguments, 'path' | 'importer' | 'resolveDir' | 'kind'>

/** An image of the project that something refers to: its absolute path, and what follows it there. */
export interface LocatedImage {
  readonly file: string
  readonly query: ReferenceQuery
  /** With its `#`, or empty. */
  readonly hash: string
  /** Tells whether it is to be a `data:` URL. */
  readonly isInline: boolean
}

/** Finds the image that a path stands for; `undefined` when it is none for this plugin. */
export type Locate = (written: Written) => Promise<LocatedImage | undefined>

/** Creates the function that finds images by the paths in scripts, stylesheets and pages. */
export function createLocate(session: Session, inlineRule: InlineRule, warn: Warn): Locate {
  return async (written) => {
    const found = await find(session, written)
    if (found === undefined) return undefined
    const { path: file, hash } = found
    const byLoader = inlineRule(file)
    if (byLoader === undefined || !session.matches(file)) return undefined
    const query = isScriptImport(written) ? await readImport(session, file, found.query) : readQuery(found.query)
    if (!query.isOwn) noteNearQuery(session, { file, query, isImport: isScriptImport(written) }, warn)
    return query.isOwn ? { file, query, hash, isInline: query.inline ?? byLoader } : undefined
  }
}

/** Other references are URLs of stylesheets and pages. */
export function isScriptImport({ kind }: Pick<ResolveArguments, 'kind'>): boolean {
  return kind !== 'internal' && kind !== 'url-token'
}

/** `build.resolve()` is missing in Bun; its own resolution is left to tell packages and aliases. */
async function find({ files }: Session, written: Written): Promise<UrlParts | undefined> {
  const { path: specifier, importer, resolveDir } = written
  const folder = resolveDir ?? path.dirname(importer)
  const whole = path.resolve(folder, specifier)
  if (await isFile(files, whole)) return { path: whole, query: '', hash: '' }
  const { path: pathname, query, hash } = splitUrl(specifier)
  const file = path.resolve(folder, isScriptImport(written) ? pathname : decodePath(pathname))
  if (await isFile(files, file)) return { path: file, query, hash }
  const { Bun } = globalThis as { Bun?: BunGlobal }
  try {
    const resolved = Bun?.resolveSync(pathname, folder)
    return resolved === undefined || !path.isAbsolute(resolved) ? undefined : { path: resolved, query, hash }
  } catch {
    // Not to be found: Bun reports it, or another plugin knows it.
    return undefined
  }
}
