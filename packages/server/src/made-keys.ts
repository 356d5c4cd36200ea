import { isLoopback } from '@pixpress/core/internal'
import { hasOwnKey, makePageKey, openOwnKey } from './accounts/key-file.ts'
import type { OwnKey, PageKey } from './accounts/key-file.ts'
import type { AccountKey } from './accounts/keys.ts'
import type { ServerSettings } from './settings/settings.ts'
import type { Backend } from './storage/contract.ts'
import type { Log } from './telemetry/log.ts'

/** The keys that a server has made itself; none where it was given others. */
export interface MadeKeys {
  readonly ownKey: OwnKey | undefined
  /** The key of the page, where this machine alone reaches the server: nobody types one. */
  readonly pageKey: PageKey | undefined
  readonly all: readonly AccountKey[]
}

/**
 * Makes the keys of a server that knows no key at all. It keeps its own one when commands add others later.
 * @throws PixpressError where the file of its own key cannot be used, BackendUnavailableError
 */
export async function makeKeys(settings: ServerSettings, { keys }: Backend, log: Log): Promise<MadeKeys> {
  const { makesKey, data, host, publicUrl } = settings
  const isEmpty = settings.keys.length === 0 && (await keys.list({ limit: 1 })).length === 0
  if (!makesKey || !(isEmpty || (await hasOwnKey(data)))) {
    if (isEmpty) log.warn('no key', { reason: "every request is refused until 'pixpress keys add' has made one" })
    return { ownKey: undefined, pageKey: undefined, all: [] }
  }
  const ownKey = await openOwnKey(data)
  const pageKey = publicUrl === undefined && isLoopback(host) ? makePageKey(ownKey) : undefined
  return { ownKey, pageKey, all: [ownKey.key, ...(pageKey === undefined ? [] : [pageKey.known])] }
}
