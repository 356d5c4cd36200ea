import { requireCodecs } from '../load-codecs.ts'
import type { ImageEngine } from '../contract.ts'
import { invalidOption } from '../../base/errors.ts'
import { startBuild, usageOf } from './build.ts'
import type { RemoteBuild, RemoteFallback } from './build.ts'
import { problemOf } from './client.ts'
import type { RemoteAccount } from './client.ts'
import { isAccepted, isExpressible, relevantOf } from './commands.ts'
import { createEndpoints } from './endpoints.ts'
import { fallBack, refused } from './fallback.ts'
import type { RemoteLimit } from './ledger.ts'
import { NotAsked, createRequests } from './requests.ts'
import type { RemoteUsage } from './usage.ts'
import type { Job } from '../../work/steps/job.ts'

export type { RemoteFallback } from './build.ts'

/** Options of the remote engine. */
export interface RemoteEngineOptions {
  /**
   * Base URL of the service, or several of them, over which images are spread: a part of the cache key, where their
   * order plays no part, and shown in reports.
   */
  readonly endpoint: string | readonly string[]
  /**
   * Makes the clients of an endpoint, one for each key, in the same order for all, when the first image needs one. The
   * first key that has compressions left is used.
   */
  readonly open: (endpoint: string) => Promise<readonly RemoteAccount[]>
  /** Images at each endpoint at once. Default 4. */
  readonly concurrency?: number | undefined
  readonly limit?: RemoteLimit | undefined
  /**
   * Asks each account for its count before the first image, at no cost: a wrong key shows itself before anything is
   * sent, and the use of a build is known even where answers are lost. Default: only with a monthly limit.
   */
  readonly askFirst?: boolean | undefined
  /**
   * `local` (default) works on this machine, `original` uses images as they are, unless another size or type was asked
   * for, `error` throws. A fallback's result is not remembered as the service's work: the next build asks again.
   */
  readonly fallback?: RemoteFallback | undefined
  /** The engine calls it once in a build for each reason not to ask the service, or one of its endpoints. */
  readonly onWarning?: ((message: string) => void) | undefined
}

/** A service of the remote interface as an engine. */
export interface RemoteEngine extends ImageEngine {
  /**
   * Returns the use since the last call; `undefined` when nothing was used. Where answers were lost, the service is
   * asked for its count first, for 5 seconds at most. Then the next build begins, which may try everything again.
   */
  endBuild(): Promise<RemoteUsage | undefined>
}

/** Raised when the way results are taken from a service changes. */
const REVISION = 1

/** @throws PixpressError `INVALID_OPTION` without an endpoint */
export function createRemoteEngine(options: RemoteEngineOptions): RemoteEngine {
  const { open, limit = {}, askFirst = limit.month !== undefined, fallback = 'local', onWarning } = options
  const urls = typeof options.endpoint === 'string' ? [options.endpoint] : [...new Set(options.endpoint)]
  if (urls.length === 0) throw invalidOption('endpoint', 'at least one URL', urls)
  const endpoints = createEndpoints(urls, options.concurrency ?? 4, ({ url }, reason) =>
    onWarning?.(`The image service at ${url} is left for this build: ${reason}. Its images go to the others.`),
  )
  const build: RemoteBuild = {
    urls,
    endpoints,
    requests: createRequests(endpoints, { open, limit, askFirst }),
    limit,
    fallback,
    warn: (message) => onWarning?.(message),
    reasons: new Set(),
    done: new Map(),
    saved: 0,
  }
  return {
    identity: { engine: 'remote', revision: REVISION, endpoint: identityOf(urls) },
    accepts: isAccepted,
    relevantOperations: relevantOf,
    async run(job, key) {
      await requireCodecs()
      const { probeImage } = await import('../../work/steps/probe.ts')
      const probe = await probeImage(job.source, job.type, job.limits, job.file)
      const { keepsCredentials } = await import('../../work/steps/credentials.ts')
      if (keepsCredentials(job, probe)) return 'local'
      const { carryPayloads, payloadsOf, wholeForPayload } = await import('../../work/steps/payloads.ts')
      const found = payloadsOf(job)
      if (wholeForPayload(job, probe, found) !== undefined) return 'local'
      // The interface does not say what becomes of animations, and has no word for pixels that stay or are changed.
      if (probe.frames > 1 || job.operations.lossless || !isExpressible(job.operations)) return 'local'
      try {
        const { result, by } = await build.requests.send(job, probe)
        build.done.set(key, { by })
        return { ...result, result: carryPayloads(job, probe, result.result, { found, isCut: mayCut(job) }) }
      } catch (error) {
        if (error instanceof NotAsked) return fallBack(build, job, key, { probe, reason: error.message })
        if (problemOf(error) === 'request') return refused(build, job, key, error as Error)
        throw error
      }
    },
    reused(key, compressions) {
      const before = build.done.get(key)
      if (typeof before === 'object' || before === 'reused') return
      build.done.set(key, 'reused')
      build.saved += compressions
    },
    async endBuild() {
      await build.requests.settle()
      const usage = usageOf(build)
      const isIdle = build.done.size === 0 && usage.compressions + usage.unanswered === 0
      startBuild(build)
      return isIdle ? undefined : usage
    },
    close() {
      build.requests.close()
      return Promise.resolve()
    },
  }
}

/** Tells whether a resize may show a part of the picture alone. */
const mayCut = ({ operations: { resize } }: Job): boolean =>
  resize !== null && resize.method !== 'scale' && resize.method !== 'fit'

/** Several endpoints have one identity, whatever their order. */
const identityOf = (urls: readonly string[]): string =>
  urls
    .map((url) => new URL(url).href.replace(/\/+$/, ''))
    .toSorted()
    .join(' ')
