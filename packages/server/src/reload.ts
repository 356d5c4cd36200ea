import { createHash, X509Certificate } from 'node:crypto'
import type http from 'node:http'
import https from 'node:https'
import { PixpressError } from '@pixpress/core'
import type { GivenKeys, KeyRing } from './accounts/key-ring.ts'
import { keyId } from './accounts/keys.ts'
import type { AccountKey } from './accounts/keys.ts'
import { rateText } from './settings/key-terms.ts'
import type { ServerSettings } from './settings/settings.ts'
import type { Log } from './telemetry/log.ts'

/** The parts of a running server that a reload reaches. */
interface Reached {
  readonly server: http.Server | https.Server
  readonly keys: KeyRing
  /** Keys that the server has made itself, which no settings take away. */
  readonly madeKeys: readonly AccountKey[]
  readonly log: Log
}

/** Returns the keys and defaults of settings, with the keys that the server has made itself. */
export function givenKeys({ keys, monthlyLimit, rate }: ServerSettings, madeKeys: readonly AccountKey[]): GivenKeys {
  return { keys: [...keys, ...madeKeys], defaults: { monthlyLimit, rate } }
}

/** Creates what replaces keys, default limits and certificate of a running server, and says what has changed. */
export function createReload({ server, keys, madeKeys, log }: Reached, first: ServerSettings) {
  let current = first
  return (next: ServerSettings): string => {
    if ((current.tls === undefined) !== (next.tls === undefined)) {
      throw new PixpressError('INVALID_OPTION', 'A running server cannot begin or end to encrypt: start it again.')
    }
    const changes = [...keyChanges(current, next), ...limitChanges(current, next), ...certificateChanges(current, next)]
    // Connections that are open keep what they have agreed on; new ones get the new certificate.
    if (next.tls !== undefined && server instanceof https.Server) server.setSecureContext(next.tls)
    keys.replace(givenKeys(next, madeKeys))
    current = next
    const text = changes.length === 0 ? 'nothing has changed' : changes.join('; ')
    log.info('reloaded', { changes: text })
    return text
  }
}

function keyChanges({ keys: before }: ServerSettings, { keys: after }: ServerSettings): string[] {
  const [known, wanted] = [byId(before), byId(after)]
  const added = [...wanted.keys()].filter((id) => !known.has(id))
  const gone = [...known.keys()].filter((id) => !wanted.has(id))
  const changed = [...wanted].filter(([id, text]) => known.has(id) && known.get(id) !== text)
  const counts = [
    [added.length, 'added'],
    [gone.length, 'removed'],
    [changed.length, 'changed'],
  ] as const
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return parts.length === 0 ? [] : [`keys: ${parts.join(', ')}`]
}

/** Keys by their ids, with everything that can change of them. */
const byId = (keys: readonly AccountKey[]): Map<string, string> =>
  new Map(keys.map(({ account, hash, terms = {} }) => [keyId(hash), JSON.stringify([account, terms])]))

function limitChanges(before: ServerSettings, after: ServerSettings): string[] {
  const now = new Map(limitTexts(after))
  return limitTexts(before).flatMap(([name, text]) => (now.get(name) === text ? [] : [`${name}: ${now.get(name)}`]))
}

const limitTexts = ({ monthlyLimit, rate }: ServerSettings): [string, string][] => [
  ['monthly limit', Number.isFinite(monthlyLimit) ? String(monthlyLimit) : 'none'],
  ['rate', rate === undefined ? 'none' : rateText(rate)],
]

function certificateChanges({ tls: before }: ServerSettings, { tls: after }: ServerSettings): string[] {
  if (after === undefined || (after.cert === before?.cert && after.key === before.key)) return []
  const { validTo } = new X509Certificate(after.cert)
  const digest = createHash('sha256').update(after.cert).digest('hex').slice(0, 8)
  return [`certificate: valid to ${validTo} (sha256 of the file ${digest}…)`]
}
