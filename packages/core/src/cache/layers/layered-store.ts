import { createLimit } from '../../concurrency/limit.ts'
import type { Limit } from '../../concurrency/limit.ts'
import type { FileCache } from '../file-store.ts'
import { createMemoryCache } from '../memory-store.ts'
import type { CacheMode } from '../mode.ts'
import { createPatience } from '../remote/patience.ts'
import type { Patience } from '../remote/patience.ts'
import { createRemoteCache } from '../remote/remote-cache.ts'
import type { Found, RemoteCache } from '../remote/remote-cache.ts'
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

/** The state of a cache that has a folder and a remote. */
interface Layers {
  readonly folder: FileCache
  readonly remote: RemoteCache | undefined
  readonly patience: Patience
  readonly onWarning: (message: string) => void
  readonly asking: Limit
  readonly sending: Limit
  readonly sends: Set<Promise<void>>
  /** Number of the build: what one has not sent in time, the next one does not send. */
  build: number
  /** The folder has got entries since it was last made smaller. */
  isGrown: boolean
  hasRefused: boolean
}

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
  const layers: Layers = {
    folder,
    remote,
    patience,
    onWarning,
    asking: createLimit({ jobs: ASKED_AT_ONCE }),
    sending: createLimit({ jobs: SENT_AT_ONCE }),
    sends: new Set(),
    build: 0,
    isGrown: false,
    hasRefused: false,
  }
  // Keeps results for the next request of a dev server that the folder must not take.
  const aside = remote === undefined && mode === 'read' ? createMemoryCache() : undefined
  return {
    frozen: mode === 'frozen',
    get: async (key) => (await aside?.get(key)) ?? (await folder.get(key)) ?? fromRemote(layers, key),
    async set(key, entry) {
      if (aside !== undefined) return aside.set(key, entry)
      await folder.set(key, entry)
      layers.isGrown = true
      if (remote !== undefined && mode === 'readwrite' && !patience.hasLeft) sendAside(layers, remote, key)
    },
    close: () => endBuild(layers),
  }
}

async function fromRemote(layers: Layers, key: string): Promise<CacheEntry | undefined> {
  const { folder, remote, patience, asking } = layers
  if (remote === undefined) return undefined
  const found = await asking.run(() => patience.wait((signal) => remote.get(key, signal), worthOf))
  if (found === undefined || found === 'absent') return undefined
  if (found === 'refused') {
    refuse(layers, key, remote.place)
    return undefined
  }
  await folder.set(key, found.entry)
  layers.isGrown = true
  return found.entry
}

function refuse(layers: Layers, key: string, place: string): void {
  if (!layers.hasRefused) {
    layers.onWarning(
      `${place} has an entry that this signing key has not signed as it is, and that is not used: ${key}. See 'pixpress cache verify --remote'.`,
    )
  }
  layers.hasRefused = true
}

/** Sends an entry beside the build. */
function sendAside(layers: Layers, remote: RemoteCache, key: string): void {
  const { folder, patience, sending, sends, build } = layers
  const sent = sending.run(async () => {
    if (patience.hasLeft || build !== layers.build) return
    // The entry is read from the folder: holding all results of a build until they are sent would take their whole size
    // in memory.
    const entry = await folder.get(key)
    if (entry !== undefined) await patience.aside((signal) => remote.create(key, entry, signal))
  })
  sends.add(sent)
  void sent.finally(() => sends.delete(sent))
}

async function endBuild(layers: Layers): Promise<void> {
  const { folder, patience, sends, onWarning } = layers
  const isSent = await patience.waitForRest(Promise.all(sends))
  const unsent = sends.size
  if (!isSent && !patience.hasLeft) {
    onWarning(`${unsent} results were not sent to the remote cache in time: 'pixpress cache push' sends what it lacks.`)
  }
  layers.build++
  patience.reset()
  layers.hasRefused = false
  if (layers.isGrown) await folder.evict()
  layers.isGrown = false
}

const worthOf = (found: Found): number => (typeof found === 'object' ? HIT_WORTH : found === 'absent' ? MISS_WORTH : 0)
