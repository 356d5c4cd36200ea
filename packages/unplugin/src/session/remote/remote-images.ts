import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { DEFAULT_LIMITS, allowedUrls } from '@pixpress/core/internal'
import { nameCopy } from '../../base/copy-names.ts'
import type { KeptLock } from '../encode/keep-lock.ts'
import { failsBuild } from '../encode/failures.ts'
import type { ResolvedOptions } from '../options/options.ts'
import type { Warn } from '../plan/images.ts'
import type { ReportLog } from '../report/report-log.ts'
import { createCopies } from './copies.ts'
import type { Copy } from './copies.ts'
import { cachedCopy, fetchedCopy } from './find-copy.ts'
import type { Finding } from './find-copy.ts'
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

/** Makes the remote images of a session. */
export function createRemoteImages({ options, lock, log }: RemoteImagesParts): RemoteImages {
  const { remoteImages: patterns, cache, persistent, limits } = options
  const allows = allowedUrls('remoteImages', patterns)
  const { maxBytes } = { ...DEFAULT_LIMITS, ...limits }
  const finding: Finding = { copies: createCopies(foldersOf(options)), persistent, maxBytes, allows }
  const found = new Map<string, Promise<Copy | undefined>>()

  const allowed = (text: string): RemoteUrl | undefined => {
    const remote = patterns.length > 0 ? readRemoteUrl(text) : undefined
    return remote !== undefined && allows(remote.url) ? remote : undefined
  }

  async function find(remote: RemoteUrl, warn: Warn): Promise<Copy | undefined> {
    const locked = await lock.digestsOf(remote.name)
    try {
      const isFrozen = cache.mode === 'frozen'
      const copy = await (isFrozen ? cachedCopy(finding, remote, locked) : fetchedCopy(finding, remote, locked, warn))
      nameCopy(copy.file, remote.name)
      return copy
    } catch (error) {
      if (!(error instanceof PixpressError) || error.code !== 'FETCH_FAILED' || failsBuild(error, options)) throw error
      warn(`${error.message} The reference is left as it is.`)
      return undefined
    }
  }

  return {
    isWanted: patterns.length > 0,
    takes: (url) => allowed(url) !== undefined,
    async locate(text, warn) {
      const remote = allowed(text)
      if (remote === undefined) return undefined
      const { href } = remote.url
      const tell: Warn = (message) => log.once(message, () => warn(message))
      const finds = found.get(href) ?? find(remote, tell)
      found.set(href, finds)
      const copy = await finds
      return copy && { file: copy.file, query: remote.query, hash: remote.hash }
    },
  }
}

/** A cache that is only read, or kept for one run, gets no copies; bundlers need files all the same. */
function foldersOf({ cacheDir, workDir, cache, persistent }: ResolvedOptions): [string, string] {
  const [kept, made] = [path.join(cacheDir, 'remote'), path.join(workDir, 'remote')]
  return persistent && cache.mode === 'readwrite' ? [kept, made] : [made, kept]
}
