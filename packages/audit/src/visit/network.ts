import { setTimeout as delay } from 'node:timers/promises'
import { isLoopback } from '@pixpress/core/internal'
import type { Connection, EventParams } from '../browser/connection.ts'

/** Milliseconds without a request after which a page counts as quiet, and how long that is waited for. */
const QUIET = 300
const PATIENCE = 5000

/**
 * Types of requests whose end is awaited. Scripts of the page delay its `load` anyway; the end of a worker's script is
 * not reported to the page, and streams of events never end.
 */
const AWAITED: ReadonlySet<string> = new Set(['Document', 'Stylesheet', 'Image', 'Fetch', 'XHR'])

/** Sends a command to one page. */
export type Send = (method: string, params?: object) => Promise<EventParams>

/** One request of a page. */
export interface NetworkRequest {
  readonly id: string
  readonly url: string
  readonly type: string
  /** 0 where no answer came. */
  status: number
  mimeType: string
}

/** The requests of a page. */
export interface Network {
  /** Once the page's `load` has been. */
  readonly loaded: Promise<void>
  /** Once nothing has been asked for a while, or patience is at an end. */
  quiet(): Promise<void>
  images(): readonly NetworkRequest[]
  document(): NetworkRequest | undefined
  refused(): readonly string[]
  stop(): void
}

/** Listens to a page, and refuses what would leave this machine. */
export function watchNetwork(connection: Connection, session: string, send: Send): Network {
  const requests = new Map<string, NetworkRequest>()
  const running = new Set<string>()
  const refused = new Set<string>()
  let changed = performance.now()
  const loading: { done?: () => void } = {}
  const loaded = new Promise<void>((resolve) => {
    loading.done = resolve
  })

  const stop = connection.listen(session, (method, params) => {
    const id = String(params['requestId'] ?? '')
    if (method === 'Page.loadEventFired') loading.done?.()
    if (method === 'Fetch.requestPaused') return void decide(id, (params['request'] as { url: string }).url)
    if (!method.startsWith('Network.')) return
    changed = performance.now()
    if (method === 'Network.requestWillBeSent') {
      const { url } = params['request'] as { url: string }
      requests.set(id, { id, url: withoutHash(url), type: String(params['type']), status: 0, mimeType: '' })
      if (AWAITED.has(String(params['type']))) running.add(id)
    } else if (method === 'Network.responseReceived') {
      const { status, mimeType } = params['response'] as { status: number; mimeType: string }
      const request = requests.get(id)
      if (request !== undefined) Object.assign(request, { status, mimeType })
    } else if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') running.delete(id)
  })

  /** Nothing leaves this machine. */
  async function decide(requestId: string, url: string): Promise<void> {
    const isOwn = isOfThisMachine(url)
    if (!isOwn) refused.add(url)
    const answer = isOwn
      ? send('Fetch.continueRequest', { requestId })
      : send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    // The page may have given the request up.
    await answer.catch(() => undefined)
  }

  return {
    loaded,
    async quiet() {
      const end = performance.now() + PATIENCE
      while (performance.now() < end) {
        if (running.size === 0 && performance.now() - changed >= QUIET) return
        await delay(50)
      }
    },
    images: () =>
      [...requests.values()].filter(
        ({ type, url }) => type === 'Image' && !url.startsWith('data:') && isOfThisMachine(url),
      ),
    document: () => [...requests.values()].find(({ type }) => type === 'Document'),
    refused: () => [...refused],
    stop,
  }
}

const withoutHash = (url: string): string => url.replace(/#.*$/, '')

/** Returns whether loading a URL stays on this machine. */
export function isOfThisMachine(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined) return false
  if (['data:', 'blob:', 'about:'].includes(parsed.protocol)) return true
  return ['http:', 'https:'].includes(parsed.protocol) && isLoopback(parsed.hostname)
}
