import { createOptimizer } from '@pixpress/core'
import type { CacheStore, Optimizer, RemoteEngine } from '@pixpress/core'
import { openCache, openLock, openRemoteEngine, openRunCache } from '@pixpress/core/internal'
import type { Lock } from '@pixpress/core/internal'
import { createEarlierResults } from './earlier-results.ts'
import type { EarlierResults } from './earlier-results.ts'
import type { CompressSettings } from './settings.ts'

/** Who works on files, and what is known of them. */
export interface Workers {
  readonly optimizer: Optimizer
  /** `undefined`: this machine. */
  readonly engine: RemoteEngine | undefined
  /** `undefined`: no results are kept. */
  readonly cache: CacheStore | undefined
  readonly earlier: EarlierResults
  /** Reads the lock; `undefined`: none is kept. @throws PixpressError `LOCK_INVALID` */
  readonly openLock: () => Promise<Lock | undefined>
}

/** @param tell shows a warning about the work as a whole */
export function openWorkers(settings: CompressSettings, tell: (message: string) => void): Workers {
  const engine =
    settings.remote &&
    openRemoteEngine(settings.remote, {
      load: async () => (await import('@pixpress/client')).createClient,
      onWarning: tell,
    })
  const cache = settings.cache === false ? undefined : openCache({ ...settings.cache, strict: true, onWarning: tell })
  const optimizer = createOptimizer({
    ...(engine !== undefined && { engine }),
    cache: cache ?? (settings.cacheMode === 'frozen' ? openRunCache('frozen') : false),
    rememberResults: true,
    ownProcess: true,
    onWarning: tell,
    ...(settings.concurrency !== undefined && { concurrency: settings.concurrency }),
    ...(settings.limits !== undefined && { limits: settings.limits }),
  })
  return {
    optimizer,
    engine,
    cache,
    earlier: createEarlierResults(cache),
    openLock: async () =>
      settings.lock === undefined
        ? undefined
        : openLock({
            file: settings.lock,
            isByService: (type) => engine?.accepts(type) === true,
            onWarning: tell,
          }),
  }
}

/** Ends when the person asks the command to stop. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

/** The code of a command that was asked to stop, as shells have it: 128 and the signal's number. */
export const exitCodeOfSignal = ({ reason }: AbortSignal): number => (reason === 'SIGTERM' ? 143 : 130)
