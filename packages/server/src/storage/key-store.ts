import type { RateSettings } from './rate.ts'

/** The uses that a key may be restricted to. Its account's outputs and usage can be read with every key. */
export const KEY_OPERATIONS = ['shrink', 'resize', 'convert', 'transform', 'preserve', 'store', 'cache'] as const

/** One of the things that a key may be used for. */
export type KeyOperation = (typeof KEY_OPERATIONS)[number]

/** The terms of a key. The server's defaults hold in the place of those that are absent. */
export interface KeyTerms {
  /** Compressions that the account of the key may have in a month for this key to be accepted; `none`: any number. */
  readonly monthlyLimit?: number | 'none' | undefined
  /** Requests of the account; `none`: any number. */
  readonly rate?: RateSettings | 'none' | undefined
  /** Milliseconds since 1970, from which on the key is refused. Absent: it does not expire. */
  readonly expiresAt?: number | undefined
  /** Absent: everything is allowed. */
  readonly operations?: readonly KeyOperation[] | undefined
}

/** A key as it is kept, JSON-serialisable: the key itself cannot be told from it. */
export interface StoredKey extends KeyTerms {
  /** The first 16 hexadecimal digits of the hash, by which the key is found. */
  readonly id: string
  /** SHA-256 of the key, 64 hexadecimal digits. */
  readonly hash: string
  readonly account: string
  /** The first characters of the key, by which its owner knows it again. */
  readonly prefix: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds since 1970. Absent: it was not revoked. */
  readonly revokedAt?: number | undefined
}

/** New values of what can change; `null` makes a value absent, and what is not named stays. */
export type KeyChanges = {
  readonly [Name in keyof KeyTerms | 'revokedAt']?: Exclude<StoredKey[Name], undefined> | null
}

/** A part of the list of keys. */
export interface KeyPage {
  /** Keys of this account alone are listed. Default: of all. */
  readonly account?: string | undefined
  /** The list goes on behind this key. Default: it begins. */
  readonly after?: Pick<StoredKey, 'account' | 'id'> | undefined
  /** The number of keys at most. */
  readonly limit: number
}

/** The keys that commands add and revoke while servers run. Every server sees a change with its next request. */
export interface KeyStore {
  /** Keeps a new key, durable before it resolves. `false` where there is one of its id, which stays as it is. */
  create(key: StoredKey): Promise<boolean>
  /** Finds a key by its id, revoked or not: by an index, in one step, however many there are. */
  find(id: string): Promise<StoredKey | undefined>
  /** Changes a key in one step, durable before it resolves. Returns it as it is then; `undefined` if there is none. */
  change(id: string, changes: KeyChanges): Promise<StoredKey | undefined>
  /** Lists keys, revoked ones too, in the order of account and id. */
  list(page: KeyPage): Promise<StoredKey[]>
}
