import { infoOf } from '../../work/steps/job.ts'
import type { Job, JobResult } from '../../work/steps/job.ts'
import type { EngineOutcome, ImageEngine } from '../contract.ts'
import { PixpressError, invalidOption } from '../../base/errors.ts'
import type { ProbeResult } from '../../base/types.ts'
import { problemOf, refusedByService } from './client.ts'
import type { RemoteAccount } from './client.ts'
import { isAccepted, isExpressible, relevantOf } from './commands.ts'
import { createEndpoints } from './endpoints.ts'
import type { Endpoint } from './endpoints.ts'
import type { RemoteLimit } from './ledger.ts'
import { NotAsked, createRequests, sentenceEnd } from './requests.ts'
import type { RemoteEndpointUsage, RemoteUsage } from './usage.ts'

/** The way out when a limit is reached, the key is wrong, or the service is away. */
export type RemoteFallback = 'local' | 'original' | 'error'

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
  const requests = createRequests(endpoints, { open, limit, askFirst })
  const reasons = new Set<string>()
  /** The outcome for each image of the build, by its key: bundlers ask for the same one several times. */
  const done = new Map<string, Outcome>()
  let saved = 0

  /** Chooses the outcome when the service is not asked, or did not answer. */
  function fallBack(job: Job, key: string, probe: ProbeResult, reason: string): EngineOutcome {
    const { resize, background, types, orInput } = job.operations
    const mayStay = resize === null && background === null && (types === null || orInput)
    const who = urls.length === 1 ? `service at ${urls[0]} is` : `services at ${urls.join(' and ')} are`
    const message = `The image ${who} not used: ${reason}.`
    if (fallback === 'error') throw new PixpressError('REMOTE_UNAVAILABLE', message, { file: job.file })
    const original = fallback === 'original' && mayStay
    done.set(key, original ? 'original' : 'local')
    if (!reasons.has(reason)) {
      reasons.add(reason)
      const instead = fallback === 'original' ? 'are used as they are' : 'are compressed on this machine'
      onWarning?.(`${message} Images ${instead} instead, and the next build asks again.`)
    }
    return original ? { result: unchanged(job, probe), compressions: 0, lasting: false } : 'local'
  }

  /** The service does not take this one image. */
  function refused(job: Job, key: string, error: Error): EngineOutcome {
    if (fallback !== 'local') throw refusedByService(error, job.file)
    const reason = sentenceEnd(error)
    done.set(key, 'local')
    reasons.add(reason)
    onWarning?.(`${job.file ?? 'An image'}: ${reason}. It is compressed on this machine instead.`)
    return 'local'
  }

  return {
    identity: { engine: 'remote', revision: REVISION, endpoint: identityOf(urls) },
    accepts: isAccepted,
    relevantOperations: relevantOf,
    async run(job, key) {
      const { probeImage } = await import('../../work/steps/probe.ts')
      const probe = await probeImage(job.source, job.type, job.limits, job.file)
      // The interface does not say what becomes of animations, and has no word for pixels that stay or are changed.
      if (probe.frames > 1 || job.operations.lossless || !isExpressible(job.operations)) return 'local'
      try {
        const { result, by } = await requests.send(job, probe)
        done.set(key, { by })
        return result
      } catch (error) {
        if (error instanceof NotAsked) return fallBack(job, key, probe, error.message)
        if (problemOf(error) === 'request') return refused(job, key, error as Error)
        throw error
      }
    },
    reused(key, compressions) {
      const before = done.get(key)
      if (typeof before === 'object' || before === 'reused') return
      done.set(key, 'reused')
      saved += compressions
    },
    async endBuild() {
      await requests.settle()
      const { opened } = requests
      const outcomes = [...done.values()]
      const count = (wanted: Outcome): number => outcomes.filter((each) => each === wanted).length
      const byEndpoint = endpoints.all.map((each): RemoteEndpointUsage => ({
        endpoint: each.url,
        images: outcomes.filter((outcome) => typeof outcome === 'object' && outcome.by === each).length,
        compressions: opened?.ledger.usedOn(opened.accounts.get(each)!) ?? 0,
        reason: endpoints.problemOf(each) ?? null,
      }))
      const usage: RemoteUsage = {
        endpoint: urls[0]!,
        compressions: opened?.ledger.used ?? 0,
        unanswered: opened?.ledger.lost ?? 0,
        saved,
        images: byEndpoint.reduce((sum, { images }) => sum + images, 0),
        fallbacks: { local: count('local'), original: count('original') },
        reasons: [...reasons],
        keys: opened?.ledger.keys() ?? [],
        left: opened === undefined ? (limit.build ?? null) : opened.ledger.left,
        ...(urls.length > 1 && { endpoints: byEndpoint }),
      }
      const isIdle = done.size === 0 && usage.compressions + usage.unanswered === 0
      done.clear()
      saved = 0
      reasons.clear()
      endpoints.startBuild()
      opened?.ledger.startBuild()
      return isIdle ? undefined : usage
    },
    close() {
      requests.close()
      return Promise.resolve()
    },
  }
}

/** The origin of a result: an endpoint, the cache, or a fallback. */
type Outcome = { readonly by: Endpoint } | 'reused' | 'local' | 'original'

/** Several endpoints have one identity, whatever their order. */
const identityOf = (urls: readonly string[]): string =>
  urls
    .map((url) => new URL(url).href.replace(/\/+$/, ''))
    .toSorted()
    .join(' ')

function unchanged({ source }: Job, probe: ProbeResult): JobResult {
  const info = infoOf(probe)
  return { data: source, info, input: info, kept: 'input', notes: [] }
}
