import type { Attempt } from '../../net/retry.ts'
import type { CacheEntry } from '../store.ts'
import { createHttpObjects } from './http-objects.ts'
import type { RemoteObjects } from './objects.ts'
import type { ResolvedCacheRemote } from './options.ts'
import { createS3Objects } from './s3-objects.ts'
import { createEntrySigner } from './signature.ts'

/** The remote's answer for a key. `refused`: this signing key has not signed the entry, or not with this content. */
export type Found = { readonly entry: CacheEntry } | 'absent' | 'refused'

/**
 * Signed entries in a place that other machines reach. Every method tries once and never rejects, except for malformed
 * keys.
 */
export interface RemoteCache {
  /** The place as messages call it, without credentials. */
  readonly place: string
  get(key: string, signal: AbortSignal): Promise<Attempt<Found>>
  /** Stores an entry; one that is there already stays as it is. */
  create(key: string, entry: CacheEntry, signal: AbortSignal): Promise<Attempt<'created' | 'present'>>
  /** Returns some of the keys that this signing key has entries of. @param from `next` of the page before */
  list(from: string | undefined, signal: AbortSignal): ReturnType<RemoteObjects['list']>
}

/** Creates the remote that the options describe. */
export function createRemoteCache({ signingKey, ...where }: ResolvedCacheRemote): RemoteCache {
  const objects = where.service === 's3' ? createS3Objects(where) : createHttpObjects(where)
  const signer = createEntrySigner(signingKey)
  // Entries are never replaced, so those of another signing key must not be in the way.
  const nameOf = (key: string): string => `${signer.id}/${key}`
  /** Keys that were not there when they were asked for. */
  const absent = new Set<string>()

  return {
    place: objects.place,
    async get(key, signal) {
      const got = await objects.get(nameOf(key), signal)
      if ('failure' in got) return got
      if (got.value === undefined) {
        absent.add(key)
        return { value: 'absent' }
      }
      const entry = signer.open(key, got.value)
      return { value: entry === undefined ? 'refused' : { entry } }
    },
    async create(key, entry, signal) {
      // Some services cannot create without replacing, and an entry that is there need not be sent.
      if (!absent.delete(key)) {
        const present = await objects.has(nameOf(key), signal)
        if ('failure' in present) return present
        if (present.value) return { value: 'present' }
      }
      return objects.create(nameOf(key), signer.seal(key, entry), signal)
    },
    list: (from, signal) => objects.list(signer.id, from, signal),
  }
}
