import { createOptimizer } from '@pixpress/core'
import type { CacheStore, Optimizer, RemoteEngine } from '@pixpress/core'
import { openCache, openLock, openRemoteEngine, openRunCache, requireSameRelease } from '@pixpress/core/internal'
import type { CreateRemoteClient, Lock } from '@pixpress/core/internal'
import { COMMAND } from '../base/same-release.ts'
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
      load: loadClient,
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

async function loadClient(): Promise<CreateRemoteClient> {
  const { createClient, VERSION } = await import('@pixpress/client')
  requireSameRelease(COMMAND, { name: '@pixpress/client', version: VERSION })
  return createClient
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
