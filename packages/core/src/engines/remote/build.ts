import type { Endpoint, Endpoints } from './endpoints.ts'
import type { RemoteLimit } from './ledger.ts'
import type { Requests } from './requests.ts'
import type { RemoteEndpointUsage, RemoteUsage } from './usage.ts'

/** The way out when a limit is reached, the key is wrong, or the service is away. */
export type RemoteFallback = 'local' | 'original' | 'error'

/** The origin of a result: an endpoint, the cache, or a fallback. */
export type Outcome = { readonly by: Endpoint } | 'reused' | 'local' | 'original'

/** The state of a remote engine during a build. */
export interface RemoteBuild {
  readonly urls: readonly string[]
  readonly endpoints: Endpoints
  readonly requests: Requests
  readonly limit: RemoteLimit
  readonly fallback: RemoteFallback
  warn(message: string): void
  /** Reasons not to ask the service, each of which is told once. */
  readonly reasons: Set<string>
  /** The outcome for each image of the build, by its key: bundlers ask for the same one several times. */
  readonly done: Map<string, Outcome>
  /** Compressions that the cache has saved. */
  saved: number
}

/** Sums up the use of the service by a build. */
export function usageOf({ urls, endpoints, requests, limit, reasons, done, saved }: RemoteBuild): RemoteUsage {
  const { opened } = requests
  const outcomes = [...done.values()]
  const count = (wanted: Outcome): number => outcomes.filter((each) => each === wanted).length
  const byEndpoint = endpoints.all.map((each): RemoteEndpointUsage => ({
    endpoint: each.url,
    images: outcomes.filter((outcome) => typeof outcome === 'object' && outcome.by === each).length,
    compressions: opened?.ledger.usedOn(opened.accounts.get(each)!) ?? 0,
    reason: endpoints.problemOf(each) ?? null,
  }))
  return {
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
}

/** Forgets the outcomes of a build, so that the next one tries everything again. */
export function startBuild(build: RemoteBuild): void {
  build.done.clear()
  build.saved = 0
  build.reasons.clear()
  build.endpoints.startBuild()
  build.requests.opened?.ledger.startBuild()
}
