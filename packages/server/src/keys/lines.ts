import type { StoredKey } from '../storage/contract.ts'
import { rateText } from '../settings/key-terms.ts'

/** A key with what its account has used in this month. */
export interface ListedKey {
  readonly key: StoredKey
  /** Compressions. */
  readonly used: number
}

const HEAD = ['name', 'id', 'begins with', 'used', 'limit', 'rate', 'expires', 'operations', 'state'] as const

/** Returns keys as a table with aligned columns. @param now milliseconds since 1970 */
export function keyTable(listed: readonly ListedKey[], now: number): string {
  const rows = [HEAD, ...listed.map((each) => rowOf(each, now))]
  const widths = HEAD.map((_, column) => rows.reduce((width, row) => Math.max(width, row[column]!.length), 0))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function rowOf({ key, used }: ListedKey, now: number): readonly string[] {
  const { account, id, prefix, monthlyLimit = 'default', expiresAt, operations } = key
  const expires = expiresAt === undefined ? 'never' : new Date(expiresAt).toISOString().slice(0, 16) + 'Z'
  return [
    account,
    id,
    `${prefix}…`,
    String(used),
    String(monthlyLimit),
    rateOf(key),
    expires,
    operations?.join(',') ?? 'all',
    stateOf(key, now),
  ]
}

/** A key as JSON, without its hash: what a program that lists keys needs. */
export function keyJson({ key, used }: ListedKey, now: number): Record<string, unknown> {
  const { account, id, prefix, monthlyLimit = 'default', expiresAt, operations = 'all', createdAt, revokedAt } = key
  return {
    account,
    id,
    prefix,
    used,
    monthlyLimit,
    rate: rateOf(key),
    expires: dateOf(expiresAt),
    operations,
    created: dateOf(createdAt),
    revoked: dateOf(revokedAt),
    state: stateOf(key, now),
  }
}

/** Tells whether a key is accepted at a time. */
export const isLiveKey = (key: StoredKey, now: number): boolean => stateOf(key, now) === 'accepted'

function stateOf({ revokedAt, expiresAt }: StoredKey, now: number): 'accepted' | 'revoked' | 'expired' {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'accepted'
}

const rateOf = ({ rate }: StoredKey): string =>
  rate === undefined ? 'default' : rate === 'none' ? rate : rateText(rate)

const dateOf = (time: number | undefined): string | null => (time === undefined ? null : new Date(time).toISOString())
