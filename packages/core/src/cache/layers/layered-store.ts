import { createLimit } from '../../concurrency/limit.ts'
import type { FileCache } from '../file-store.ts'
import { createMemoryCache } from '../memory-store.ts'
import type { CacheMode } from '../mode.ts'
import { createPatience } from '../remote/patience.ts'
import { createRemoteCache } from '../remote/remote-cache.ts'
import type { Found } from '../remote/remote-cache.ts'
import type { ResolvedCacheRemote } from '../remote/options.ts'
import type { CacheEntry, CacheStore } from '../store.ts'

/** Options of a cache that has a folder and a remote. */
export interface LayeredCacheOptions {
  readonly folder: FileCache
  readonly remote: ResolvedCacheRemote | undefined
  readonly mode: CacheMode
  /** The cache calls it with one sentence about a fault; the build goes on. */
  readonly onWarning: (message: string) => void
}

/** Entries asked for at once, and sent at once beside that. */
const ASKED_AT_ONCE = 16
const SENT_AT_ONCE = 8

/**
 * Milliseconds of waiting that an answer is worth. Making an image takes longer than that; and who answers so fast that
 * there is nothing is neither slow nor away.
 */
const HIT_WORTH = 200
const MISS_WORTH = 100

/** Milliseconds that a frozen build may lose, which cannot make what it does not get. */
const FROZEN_PATIENCE = 30_000

/**
 * Opens a folder with a remote behind it: what the folder lacks comes from the remote and is kept in the folder, and
 * with `readwrite` what is new in the folder goes to the remote, beside the build. Without a remote and with `read`,
 * the folder is only read.
 */
export function createLayeredCache({ folder, remote: given, mode, onWarning }: LayeredCacheOptions): CacheStore {
  const remote = given && createRemoteCache(given)
  const patience = createPatience({
    ...(mode === 'frozen' && { allowed: FROZEN_PATIENCE }),
    onLeave: (reason) => onWarning(`The remote cache is left for the rest of this build: ${reason}.`),
  })
  const asking = createLimit({ jobs: ASKED_AT_ONCE })
  const sending = createLimit({ jobs: SENT_AT_ONCE })
  // Keeps results for the next request of a dev server that the folder must not take.
  const aside = remote === undefined && mode === 'read' ? createMemoryCache() : undefined
  const sends = new Set<Promise<void>>()
  /** Number of the build: what one has not sent in time, the next one does not send. */
  let build = 0
  let isGrown = false
  let hasRefused = false

  async function fromRemote(key: string): Promise<CacheEntry | undefined> {
    if (remote === undefined) return undefined
    const found = await asking.run(() => patience.wait((signal) => remote.get(key, signal), worthOf))
    if (found === undefined || found === 'absent') return undefined
    if (found === 'refused') {
      refuse(key, remote.place)
      return undefined
    }
    await folder.set(key, found.entry)
    isGrown = true
    return found.entry
  }

  function refuse(key: string, place: string): void {
    if (!hasRefused) {
      onWarning(
        `${place} has an entry that this signing key has not signed as it is, and that is not used: ${key}. See 'pixpress cache verify --remote'.`,
      )
    }
    hasRefused = true
  }

  async function send(key: string, of: number): Promise<void> {
    if (remote === undefined || patience.hasLeft || of !== build) return
    // The entry is read from the folder: holding all results of a build until they are sent would take their whole size
    // in memory.
    const entry = await folder.get(key)
    if (entry !== undefined) await patience.aside((signal) => remote.create(key, entry, signal))
  }

  return {
    frozen: mode === 'frozen',
    get: async (key) => (await aside?.get(key)) ?? (await folder.get(key)) ?? fromRemote(key),
    async set(key, entry) {
      if (aside !== undefined) return aside.set(key, entry)
      await folder.set(key, entry)
      isGrown = true
      if (remote === undefined || mode !== 'readwrite' || patience.hasLeft) return
      const of = build
      const sent = sending.run(() => send(key, of))
      sends.add(sent)
      void sent.finally(() => sends.delete(sent))
    },
    async close() {
      const isSent = await patience.waitForRest(Promise.all(sends))
      const unsent = sends.size
      if (!isSent && !patience.hasLeft) {
        onWarning(
          `${unsent} results were not sent to the remote cache in time: 'pixpress cache push' sends what it lacks.`,
        )
      }
      build++
      patience.reset()
      hasRefused = false
      if (isGrown) await folder.evict()
      isGrown = false
    },
  }
}

const worthOf = (found: Found): number => (typeof found === 'object' ? HIT_WORTH : found === 'absent' ? MISS_WORTH : 0)
