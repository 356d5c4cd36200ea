import { createLimit } from '../../concurrency/limit.ts'
import { PixpressError } from '../../base/errors.ts'
import { withRetries } from '../../net/retry.ts'
import type { Attempt } from '../../net/retry.ts'
import { createFileCache } from '../file-store.ts'
import type { ResolvedCacheRemote } from './options.ts'
import { createRemoteCache } from './remote-cache.ts'
import type { RemoteCache } from './remote-cache.ts'

/** Between which two places entries are to go. */
export interface Transfer {
  /** Folder of the cache. */
  readonly dir: string
  /** The option of the same name of `createFileCache`. */
  readonly gitIgnored?: boolean | 'others'
  readonly remote: ResolvedCacheRemote
  /** Ends it. */
  readonly signal: AbortSignal
}

/** The result of a push. */
export interface Pushed {
  /** Entries that were sent. */
  readonly sent: number
  /** Entries that were there already. */
  readonly present: number
}

/** The result of a pull. */
export interface Pulled {
  /** Entries that were fetched. */
  readonly fetched: number
  /** Entries that the folder had already. */
  readonly present: number
  /** Entries of the remote that the signing key has not signed as they are. */
  readonly refused: number
}

/** The result of a check of every entry of a remote. */
export interface VerifiedRemote {
  readonly entries: number
  /** Keys of entries that the signing key has not signed as they are, sorted. */
  readonly refused: readonly string[]
}

/** Requests at once. */
const CONCURRENCY = 8

/** Milliseconds before each further try, more or less. */
const RETRIES = [200, 800, 3000] as const

/** Milliseconds that one request may take: nobody waits for a page meanwhile. */
const TIMEOUT = 60_000

/**
 * Sends every whole entry of the folder that the remote lacks. Ended midway, it leaves whole entries behind, and goes
 * on from there when it is run again.
 * @throws PixpressError `REMOTE_UNAVAILABLE` when a request fails for good, `IO_FAILED` when the folder cannot be read
 */
export async function pushCache({ dir, remote: given, signal }: Transfer): Promise<Pushed> {
  const remote = createRemoteCache(given)
  const folder = createFileCache({ dir })
  const there = new Set(await allKeys(remote, signal).catch(() => []))
  let [sent, present] = [0, 0]
  await forEach(await folder.keys(), async (key) => {
    if (there.has(key)) return void present++
    const entry = await folder.get(key)
    if (entry === undefined) return
    const outcome = await repeated((each) => remote.create(key, entry, each), signal)
    if (outcome === 'created') sent++
    else present++
  })
  return { sent, present }
}

/**
 * Fetches every entry of the remote that the folder lacks and the signing key has signed.
 * @throws PixpressError as `pushCache`; also for a remote that cannot list its entries
 */
export async function pullCache({ dir, gitIgnored = false, remote: given, signal }: Transfer): Promise<Pulled> {
  const remote = createRemoteCache(given)
  let problem: string | undefined
  const folder = createFileCache({ dir, gitIgnored, onWarning: (message) => (problem = message) })
  const here = new Set(await folder.keys())
  let [fetched, present, refused] = [0, 0, 0]
  await forEach(await allKeys(remote, signal), async (key) => {
    if (here.has(key)) return void present++
    const found = await repeated((each) => remote.get(key, each), signal)
    if (found === 'refused') refused++
    if (typeof found === 'string') return
    await folder.set(key, found.entry)
    if (problem !== undefined) throw new PixpressError('IO_FAILED', problem)
    fetched++
  })
  return { fetched, present, refused }
}

/**
 * Reads and checks every entry of the remote that belongs to the signing key; changes nothing.
 * @throws PixpressError as `pullCache`
 */
export async function verifyRemote({ remote: given, signal }: Omit<Transfer, 'dir'>): Promise<VerifiedRemote> {
  const remote = createRemoteCache(given)
  const refused: string[] = []
  const keys = await allKeys(remote, signal)
  await forEach(keys, async (key) => {
    if ((await repeated((each) => remote.get(key, each), signal)) === 'refused') refused.push(key)
  })
  return { entries: keys.length, refused: refused.sort() }
}

/** Returns the number of entries of the remote that belong to the signing key. @throws PixpressError as `pullCache` */
export async function countRemote({ remote, signal }: Omit<Transfer, 'dir'>): Promise<number> {
  return (await allKeys(createRemoteCache(remote), signal)).length
}

async function allKeys(remote: RemoteCache, signal: AbortSignal): Promise<string[]> {
  const keys: string[] = []
  for (let from: string | undefined; ;) {
    const page = await repeated((each) => remote.list(from, each), signal)
    keys.push(...page.keys)
    if (page.next === undefined) return keys
    from = page.next
  }
}

async function repeated<T>(request: (signal: AbortSignal) => Promise<Attempt<T>>, signal: AbortSignal): Promise<T> {
  const attempt = (): Promise<Attempt<T>> => request(AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]))
  return withRetries(attempt, { waits: RETRIES, scatter: true, signal })
}

/** Works on several keys at once. The first failure ends it, when the work under way has ended. */
async function forEach(keys: readonly string[], work: (key: string) => Promise<void>): Promise<void> {
  const limit = createLimit({ jobs: CONCURRENCY })
  let failure: { readonly error: unknown } | undefined
  const one = async (key: string): Promise<void> => {
    if (failure !== undefined) return
    await work(key).catch((error: unknown) => {
      failure ??= { error }
    })
  }
  await Promise.all(keys.map((key) => limit.run(() => one(key))))
  if (failure !== undefined) throw failure.error
}
