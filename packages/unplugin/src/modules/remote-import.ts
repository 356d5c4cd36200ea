import { PixpressError } from '@pixpress/core'
import { readRemoteUrl } from '../session/remote/url.ts'
import type { Session } from '../session/session.ts'
import type { Warn } from '../session/plan/images.ts'
import { readQuery } from './reference.ts'

/** Begins the id of a module that exports a URL as it is. The rest is the URL in base64, which no server reads. */
const PREFIX = '\0pixpress:url:'

/** Matches such ids, for bundlers that ask for the filters of hooks in advance. */
export const KEPT_URL: RegExp = new RegExp('^\\0pixpress:url:')

/** Tells whether an id is of a module that exports a URL as it is. */
export const isKeptUrl = (id: string): boolean => id.startsWith(PREFIX)

/** The URL that such an id stands for. */
export const keptUrl = (id: string): string => Buffer.from(id.slice(PREFIX.length), 'base64url').toString()

const toKeptUrl = (url: string): string => PREFIX + Buffer.from(url).toString('base64url')

/** The code of such a module. */
export const keptUrlModule = (id: string): string => `export default ${JSON.stringify(keptUrl(id))}`

/** How imports of remote images are resolved. */
export interface RemoteImporting {
  /** Leaves URLs as they are where nothing is asked of their images, as dev servers do. Default `false`. */
  readonly keepsUrls?: boolean
}

/**
 * Resolves an import of a remote image: to its copy with the directives as a query, or to a module that exports the URL
 * where the image cannot be fetched. `undefined` for anything that the options do not allow.
 * @throws PixpressError as `RemoteImages.locate`, and `FETCH_FAILED` where directives ask something of an image that
 * cannot be fetched
 */
export async function resolveRemoteImport(
  session: Session,
  source: string,
  warn: Warn,
  { keepsUrls = false }: RemoteImporting = {},
): Promise<string | undefined> {
  const remote = session.remote.takes(source) ? readRemoteUrl(source) : undefined
  if (remote === undefined) return undefined
  const { hasDirectives, inline } = readQuery(remote.query)
  const isPlain = !hasDirectives && inline !== true
  if (keepsUrls && isPlain) return toKeptUrl(remote.url.href + remote.hash)
  const copy = await session.remote.locate(source, warn)
  if (copy !== undefined) return `${copy.file.replaceAll('\\', '/')}${copy.query}`
  if (isPlain) return toKeptUrl(remote.url.href + remote.hash)
  throw new PixpressError(
    'FETCH_FAILED',
    `${remote.name} cannot be fetched, and '${remote.query}' asks something of it.`,
  )
}
