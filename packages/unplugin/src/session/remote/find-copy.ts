import { PixpressError, detectType } from '@pixpress/core'
import { FetchFailed, fetchBytes, isPassingStatus, sha256, withRetries } from '@pixpress/core/internal'
import type { Warn } from '../plan/images.ts'
import type { Copies, Copy, LastCopy } from './copies.ts'
import type { RemoteUrl } from './url.ts'

/** The surroundings in which copies are found. */
export interface Finding {
  readonly copies: Copies
  /** Tells whether copies of earlier runs count. */
  readonly persistent: boolean
  readonly maxBytes: number
  /** Tells whether a URL may be asked; redirects are held to it, too. */
  allows(url: URL): boolean
}

const USER_AGENT = 'pixpress (+https://www.npmjs.com/package/unplugin-pixpress)'

/** Milliseconds before each further try. */
const WAITS = [500, 1500] as const

/** Digits of a digest that tell it from another in a message. */
const SHOWN_DIGITS = 16

/**
 * Gives a copy without asking anybody.
 * @param locked the SHA-256 that the lock has of the image; none where it has no line
 * @throws PixpressError `NOT_CACHED`
 */
export async function cachedCopy({ copies }: Finding, remote: RemoteUrl, locked: readonly string[]): Promise<Copy> {
  const { url, name } = remote
  const copy = locked.length === 0 ? await copies.last(url) : await firstOf(copies, url, locked)
  if (copy !== undefined) return copy
  const which = locked.length === 0 ? '' : ` with the SHA-256 ${locked[0]} of pixpress.lock`
  const message = `The cache has no copy of ${name}${which}, and fetches none as it is frozen. Build once without that, and keep the cache.`
  throw new PixpressError('NOT_CACHED', message)
}

/**
 * Asks the server for an image, and gives its copy: the one that the cache has where that still holds, or where nobody
 * answers, and the one that the lock knows where the image has changed.
 * @throws PixpressError `FETCH_FAILED` or `IO_FAILED`
 */
export async function fetchedCopy(
  finding: Finding,
  remote: RemoteUrl,
  locked: readonly string[],
  warn: Warn,
): Promise<Copy> {
  const { copies, persistent } = finding
  const { url, name } = remote
  const last = persistent ? await copies.last(url) : undefined
  const lockedCopy = await firstOf(copies, url, locked)
  const answer = await ask(finding, url, last)
  if (answer instanceof FetchFailed) {
    const copy = lockedCopy ?? (locked.length === 0 ? last : undefined)
    if (copy === undefined) throw failed(name, answer.message, answer)
    warn(`${name} ${answer.message}. Its copy in the cache is used.`)
    return copy
  }
  const digest = answer === 'same' ? last!.digest : sha256(answer.data)
  if (locked.length > 0 && !locked.includes(digest)) {
    const change = `has changed: its SHA-256 is ${shown(digest)}, and that of pixpress.lock ${shown(locked[0]!)}`
    const remedy = 'To take the new image, delete its lines in the lock.'
    if (lockedCopy === undefined) throw failed(name, `${change}, which the cache does not have. ${remedy}`)
    warn(`${name} ${change}, whose copy is used. ${remedy}`)
    return lockedCopy
  }
  if (answer === 'same') return last!
  if (detectType(answer.data) === undefined) throw failed(name, 'does not answer with an image')
  const { etag, 'last-modified': lastModified } = answer.headers
  const validators = { ...(etag && { etag }), ...(lastModified && { lastModified }) }
  return copies.keep(url, answer.data, validators).catch((error: unknown) => {
    throw new PixpressError('IO_FAILED', `The copy of ${name} cannot be written.`, { cause: error })
  })
}

type Answer = Awaited<ReturnType<typeof fetchBytes>> | 'same' | FetchFailed

/** Asks the server, and again after a passing failure; `same` where the last copy still holds. */
async function ask({ allows, maxBytes }: Finding, url: URL, last: LastCopy | undefined): Promise<Answer> {
  const headers = {
    'User-Agent': USER_AGENT,
    ...(last?.etag !== undefined && { 'If-None-Match': last.etag }),
    ...(last?.lastModified !== undefined && { 'If-Modified-Since': last.lastModified }),
  }
  const assertAllowed = (asked: URL): void => {
    if (!allows(asked)) throw new FetchFailed(`leads to ${asked.host}, which 'remoteImages' does not allow`)
  }
  const rules = { assertAllowed, isOwnError: () => false, headers, maxBytes }
  const attempt = async () => {
    try {
      const answer = await fetchBytes(url.href, rules)
      return { value: answer.status === 304 && last !== undefined ? ('same' as const) : answer }
    } catch (failure) {
      const status = failure instanceof FetchFailed ? failure.status : undefined
      return { failure, passing: status !== undefined && isPassingStatus(status) }
    }
  }
  try {
    return await withRetries<Exclude<Answer, FetchFailed>>(attempt, { waits: WAITS })
  } catch (error) {
    if (error instanceof FetchFailed) return error
    throw error
  }
}

async function firstOf(copies: Copies, url: URL, digests: readonly string[]): Promise<Copy | undefined> {
  for (const digest of digests) {
    const copy = await copies.of(url, digest)
    if (copy !== undefined) return copy
  }
  return undefined
}

const failed = (name: string, what: string, cause?: unknown): PixpressError =>
  new PixpressError('FETCH_FAILED', `${name} ${what}${what.endsWith('.') ? '' : '.'}`, { cause })

const shown = (digest: string): string => `${digest.slice(0, SHOWN_DIGITS)}…`
