import path from 'node:path'
import { PixpressError, detectType } from '@pixpress/core'
import {
  DEFAULT_LIMITS,
  FetchFailed,
  allowedUrls,
  fetchBytes,
  isPassingStatus,
  sha256,
  withRetries,
} from '@pixpress/core/internal'
import { nameCopy } from '../base/copy-names.ts'
import type { KeptLock } from '../session/encode/keep-lock.ts'
import { failsBuild } from '../session/encode/failures.ts'
import type { ResolvedOptions } from '../session/options/options.ts'
import type { Warn } from '../session/plan/images.ts'
import type { ReportLog } from '../session/report/report-log.ts'
import { createCopies } from './copies.ts'
import type { Copies, Copy } from './copies.ts'
import { readRemoteUrl } from './url.ts'
import type { RemoteUrl } from './url.ts'

/** A copy of a remote image, and what its reference says besides the URL. */
export interface RemoteImage extends Pick<RemoteUrl, 'query' | 'hash'> {
  /** Absolute path of the copy. */
  readonly file: string
}

/** Images of other servers that become files of the build. */
export interface RemoteImages {
  /** Tells whether the options allow any. */
  readonly isWanted: boolean
  /** Tells whether a URL is of an image that the options allow. */
  takes(url: string): boolean
  /**
   * Gives the copy of a remote image, which is asked for once in a run. `undefined` for a URL that is not allowed, and,
   * after a warning, for one that fails.
   * @throws PixpressError `NOT_CACHED` with a frozen cache; `FETCH_FAILED` with `onError: 'error'`; `LOCK_INVALID`
   */
  locate(url: string, warn: Warn): Promise<RemoteImage | undefined>
}

/** The parts of a session that remote images concern. */
export interface RemoteImagesParts {
  readonly options: ResolvedOptions
  readonly lock: Pick<KeptLock, 'digestsOf'>
  readonly log: Pick<ReportLog, 'once'>
}

const USER_AGENT = 'pixpress (+https://www.npmjs.com/package/unplugin-pixpress)'

/** Milliseconds before each further try. */
const WAITS = [500, 1500] as const

/** Digits of a digest that tell it from another in a message. */
const SHOWN_DIGITS = 16

/** Makes the remote images of a session. */
export function createRemoteImages({ options, lock, log }: RemoteImagesParts): RemoteImages {
  const { remoteImages: patterns, cacheDir, workDir, cache, persistent } = options
  const allows = allowedUrls('remoteImages', patterns)
  const isFrozen = cache.mode === 'frozen'
  const [kept, made] = [path.join(cacheDir, 'remote'), path.join(workDir, 'remote')]
  // A cache that is only read, or kept for one run, gets no copies; bundlers need files all the same.
  const copies = createCopies(persistent && cache.mode === 'readwrite' ? [kept, made] : [made, kept])
  const found = new Map<string, Promise<Copy | undefined>>()

  const allowed = (text: string): RemoteUrl | undefined => {
    const remote = readRemoteUrl(text)
    return remote !== undefined && allows(remote.url) ? remote : undefined
  }

  async function find(remote: RemoteUrl, warn: Warn): Promise<Copy | undefined> {
    const locked = await lock.digestsOf(remote.name)
    try {
      const copy = isFrozen ? await frozen(copies, remote, locked) : await fetched(remote, locked, warn)
      nameCopy(copy.file, remote.name)
      return copy
    } catch (error) {
      if (!(error instanceof PixpressError) || error.code !== 'FETCH_FAILED') throw error
      if (failsBuild(error, options)) throw error
      warn(`${error.message} The reference is left as it is.`)
      return undefined
    }
  }

  async function fetched(remote: RemoteUrl, locked: readonly string[], warn: Warn): Promise<Copy> {
    const { url, name } = remote
    const last = persistent ? await copies.last(url) : undefined
    const lockedCopy = await firstOf(copies, url, locked)
    const answer = await ask(remote, last).catch((error: unknown) => {
      if (!(error instanceof FetchFailed)) throw error
      return error
    })
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
    return copies
      .keep(url, answer.data, { ...(etag && { etag }), ...(lastModified && { lastModified }) })
      .catch((error: unknown) => {
        throw new PixpressError('IO_FAILED', `The copy of ${name} cannot be written.`, { cause: error })
      })
  }

  /** Asks the server, and again after a passing failure; `same` where the last copy still holds. */
  function ask({ url }: RemoteUrl, last: Awaited<ReturnType<Copies['last']>>) {
    const { maxBytes } = { ...DEFAULT_LIMITS, ...options.limits }
    const headers = {
      'User-Agent': USER_AGENT,
      ...(last?.etag !== undefined && { 'If-None-Match': last.etag }),
      ...(last?.lastModified !== undefined && { 'If-Modified-Since': last.lastModified }),
    }
    const assertAllowed = (asked: URL): void => {
      if (!allows(asked)) throw new FetchFailed(`leads to ${asked.host}, which 'remoteImages' does not allow`)
    }
    return withRetries(
      async () => {
        try {
          const rules = { assertAllowed, isOwnError: () => false, headers, maxBytes }
          const answer = await fetchBytes(url.href, rules)
          return { value: answer.status === 304 && last !== undefined ? ('same' as const) : answer }
        } catch (failure) {
          const status = failure instanceof FetchFailed ? failure.status : undefined
          return { failure, passing: status !== undefined && isPassingStatus(status) }
        }
      },
      { waits: WAITS },
    )
  }

  return {
    isWanted: patterns.length > 0,
    takes: (url) => patterns.length > 0 && allowed(url) !== undefined,
    async locate(text, warn) {
      const remote = patterns.length > 0 ? allowed(text) : undefined
      if (remote === undefined) return undefined
      const { href } = remote.url
      const tell: Warn = (message) => log.once(message, () => warn(message))
      const finding = found.get(href) ?? find(remote, tell)
      found.set(href, finding)
      const copy = await finding
      return copy && { file: copy.file, query: remote.query, hash: remote.hash }
    },
  }
}

/** Gives a copy without asking anybody. */
async function frozen(copies: Copies, { url, name }: RemoteUrl, locked: readonly string[]): Promise<Copy> {
  const copy = locked.length === 0 ? await copies.last(url) : await firstOf(copies, url, locked)
  if (copy !== undefined) return copy
  const which = locked.length === 0 ? '' : ` with the SHA-256 ${locked[0]} of pixpress.lock`
  const message = `The cache has no copy of ${name}${which}, and fetches none as it is frozen. Build once without that, and keep the cache.`
  throw new PixpressError('NOT_CACHED', message)
}

async function firstOf(copies: Copies, url: URL, digests: readonly string[]): Promise<Copy | undefined> {
  for (const digest of digests) {
    const copy = await copies.of(url, digest)
    if (copy !== undefined) return copy
  }
  return undefined
}

const failed = (name: string, what: string, cause?: unknown): PixpressError =>
  new PixpressError('FETCH_FAILED', `${name} ${what}${/[.]$/.test(what) ? '' : '.'}`, { cause })

const shown = (digest: string): string => `${digest.slice(0, SHOWN_DIGITS)}…`
