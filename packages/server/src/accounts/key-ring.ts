import type { KeyStore, KeyTerms, RateSettings } from '../storage/contract.ts'
import { keyId } from './keys.ts'
import type { AccountKey } from './keys.ts'

/** A key that was found. */
export interface KnownKey {
  readonly account: string
  /** SHA-256 of the key, 32 bytes. */
  readonly hash: Buffer
  readonly terms: KeyTerms
  /** Milliseconds since 1970; `undefined` if it was not revoked. */
  readonly revokedAt: number | undefined
}

/** The terms of keys that say nothing themselves. */
export interface KeyDefaults {
  /** Compressions per account and month; `Infinity` for no limit. */
  readonly monthlyLimit: number
  /** `undefined`: any number of requests. */
  readonly rate: RateSettings | undefined
}

/** The keys that were given to a server and may be replaced while it runs. */
export interface GivenKeys {
  readonly keys: readonly AccountKey[]
  readonly defaults: KeyDefaults
}

/** All keys of a server: those that it was given, and those of the storage. */
export interface KeyRing {
  readonly defaults: KeyDefaults
  /** @throws BackendUnavailableError where the key was not given, and the storage is away */
  find(id: string): Promise<KnownKey | undefined>
  /** Takes other keys and defaults from now on. Requests under way go on with what they had. */
  replace(given: GivenKeys): void
}

/** Creates the ring. Keys that were given are known without the storage; any other is one indexed read of it. */
export function createKeyRing(stored: Pick<KeyStore, 'find'>, first: GivenKeys): KeyRing {
  let { defaults } = first
  let given = byId(first)
  return {
    get defaults() {
      return defaults
    },
    async find(id) {
      const own = given.get(id)
      if (own !== undefined) return own
      const found = await stored.find(id)
      if (found === undefined) return undefined
      const { account, hash, revokedAt } = found
      return { account, hash: Buffer.from(hash, 'hex'), terms: found, revokedAt }
    },
    replace(next) {
      given = byId(next)
      defaults = next.defaults
    },
  }
}

function byId({ keys }: GivenKeys): ReadonlyMap<string, KnownKey> {
  return new Map(
    keys.map(({ account, hash, terms = {} }) => [keyId(hash), { account, hash, terms, revokedAt: undefined }]),
  )
}
