import { createHash } from 'node:crypto'
import { createLimit } from '../../concurrency/limit.ts'
import { infoOf } from '../../work/job.ts'
import type { Job, JobResult } from '../../work/job.ts'
import type { EngineOutcome, EngineResult, ImageEngine } from '../contract.ts'
import { PixpressError } from '../../errors.ts'
import type { ProbeResult } from '../../types.ts'
import { UnusableAnswer, checkedResult } from './check-result.ts'
import { problemOf, refusedByService } from './client.ts'
import type { RemoteAccount, RemoteClient } from './client.ts'
import { commandsOf, costOf, isAccepted, isExpressible, relevantOf } from './commands.ts'
import { createLedger } from './ledger.ts'
import type { Ledger, RemoteLimit, Reservation } from './ledger.ts'
import type { RemoteUsage } from './usage.ts'

/** What happens to images when a limit is reached, the key is wrong, or the service is away. */
export type RemoteFallback = 'local' | 'original' | 'error'

export interface RemoteEngineOptions {
  /** Base URL of the service: a part of the cache key, and shown in reports. */
  readonly endpoint: string
  /** Makes the clients, one for each key, when the first image needs one. The first key that has compressions left is used. */
  readonly open: () => Promise<readonly RemoteAccount[]>
  /** Images at the service at once. Default 4. */
  readonly concurrency?: number | undefined
  readonly limit?: RemoteLimit | undefined
  /**
   * Whether each account is asked for its count before the first image, at no cost: a wrong key shows itself before anything
   * is sent, and what a build used is known even where answers are lost. Default: with a limit for months alone.
   */
  readonly askFirst?: boolean | undefined
  /**
   * `local` (default) works on this machine, `original` uses images as they are, unless their size or type was asked to be
   * another, `error` throws. What was done instead is not remembered as the service's work: the next build asks again.
   */
  readonly fallback?: RemoteFallback | undefined
  /** Told once in a build about each reason not to ask the service. */
  readonly onWarning?: ((message: string) => void) | undefined
}

/** A service of the remote interface as an engine. */
export interface RemoteEngine extends ImageEngine {
  /**
   * What was used since the last call; `undefined` when nothing was. Where answers were lost, the service is asked for its
   * count first, for 5 seconds at most. The next build begins: it may try everything again.
   */
  endBuild(): Promise<RemoteUsage | undefined>
}

/** Failures of the service in a row after which it is not asked any more in a build. */
const MAX_FAILURES = 3

/** Milliseconds that a service may take at the end of a build to tell what became of lost answers. */
const MAX_SETTLING = 5000

/** Raised when the way results are taken from a service changes. */
const REVISION = 1

interface RemoteUpload {
  readonly account: RemoteAccount
  readonly url: Promise<string>
}

/** The service is not to be asked: the reason, as the end of a sentence. */
class NotAsked extends Error {}

export function createRemoteEngine(options: RemoteEngineOptions): RemoteEngine {
  const { endpoint, open, limit = {}, askFirst = limit.month !== undefined, fallback = 'local', onWarning } = options
  const turns = createLimit({ jobs: options.concurrency ?? 4 })
  /** By the digest of the source: several variants of an image are made from one upload. */
  const uploads = new Map<string, RemoteUpload>()
  const reasons = new Set<string>()
  /** What became of each image of the build, by its key: bundlers ask for the same one several times. */
  const done = new Map<string, Outcome>()
  let saved = 0
  let opening: Promise<Ledger> | undefined
  let opened: { readonly ledger: Ledger; readonly accounts: readonly RemoteAccount[] } | undefined
  let failures = 0

  async function openLedger(): Promise<Ledger> {
    const accounts = await open()
    const ledger = createLedger(accounts, limit)
    opened = { ledger, accounts }
    // A month's limit cannot be kept without knowing what is used already.
    if (askFirst) await Promise.all(accounts.map((account) => readCount(account, ledger)))
    return ledger
  }

  /** What could not be opened may be there when the next image asks. */
  function forgetOpening(error: unknown): never {
    opening = undefined
    throw error
  }

  /** @throws NotAsked, or what the client threw */
  async function request(job: Job, probe: ProbeResult): Promise<EngineResult> {
    const digest = createHash('sha256').update(job.source).digest('hex')
    const commands = commandsOf(job, probe)
    let mayShare = true
    for (;;) {
      if (failures >= MAX_FAILURES) throw new NotAsked(`it failed ${MAX_FAILURES} times in a row`)
      const ledger = await (opening ??= openLedger().catch(forgetOpening))
      const known = mayShare ? uploads.get(digest) : undefined
      const shared = known === undefined ? 'none' : ledger.reserve(costOf(commands), known.account)
      const reservation = typeof shared === 'string' ? ledger.reserve(costOf(commands) + 1) : shared
      if (typeof reservation === 'string') throw new NotAsked(reservation)
      const { account } = reservation
      const isNew = typeof shared === 'string'
      try {
        const upload = isNew ? startUpload(digest, job.source, reservation) : known!
        const url = await upload.url
        if (isNew) reservation.spend(1)
        const onLostAnswer = (): void => reservation.lose(costOf(commands))
        const image = await counted(account.client.fetchImage(url, commands, { onLostAnswer }))
        reservation.spend(costOf(commands))
        const result = await counted(checkedResult(job, probe, image))
        return { result, compressions: costOf(commands) + (isNew ? 1 : 0), lasting: true }
      } catch (error) {
        if (problemOf(error) === 'account') {
          // The next key may do. Uploads belong to the key they were made with.
          ledger.bar(account, sentenceEnd(error as Error))
          forgetUploads(({ account: owner }) => owner === account)
        } else if (!isNew && (error as { status?: unknown }).status === 404) {
          // Services keep outputs for some time only.
          forgetUploads((upload) => upload === known)
          mayShare = false
        } else throw error
      } finally {
        reservation.release()
      }
    }
  }

  /** Counts failures of the service where they happen: all variants of an image wait for one upload. */
  async function counted<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (isServiceProblem(error)) failures++
      throw error
    }
  }

  /** What became of lost answers, as far as the service can tell by now. */
  async function settle(account: RemoteAccount): Promise<void> {
    try {
      await account.client.validate({ signal: AbortSignal.timeout(MAX_SETTLING) })
      opened?.ledger.settle(account)
    } catch (error) {
      // A service that is still away: the report says how much is not known.
      if (problemOf(error) === undefined && (error as Error).name !== 'TimeoutError') throw error
    }
  }

  function startUpload(digest: string, source: Uint8Array, { account, lose }: Reservation): RemoteUpload {
    const answer = account.client.shrink(source, { onLostAnswer: () => lose(1) })
    const upload = { account, url: counted(answer).then(({ url }) => url) }
    uploads.set(digest, upload)
    upload.url.catch(() => forgetUploads((each) => each === upload))
    return upload
  }

  function forgetUploads(isOver: (upload: RemoteUpload) => boolean): void {
    for (const [digest, upload] of uploads) if (isOver(upload)) uploads.delete(digest)
  }

  /** What is done when the service is not asked, or did not answer. */
  function fallBack(job: Job, key: string, probe: ProbeResult, reason: string): EngineOutcome {
    const { resize, background, types, orInput } = job.operations
    const mayStay = resize === null && background === null && (types === null || orInput)
    const message = `The image service at ${endpoint} is not used: ${reason}.`
    if (fallback === 'error') throw new PixpressError('REMOTE_UNAVAILABLE', message, { file: job.file })
    const original = fallback === 'original' && mayStay
    done.set(key, original ? 'original' : 'local')
    if (!reasons.has(reason)) {
      reasons.add(reason)
      const instead = fallback === 'original' ? 'are used as they are' : 'are compressed on this machine'
      onWarning?.(`${message} Images ${instead} instead, and the next build asks again.`)
    }
    return original ? { result: unchanged(job, probe), compressions: 0, lasting: false } : 'local'
  }

  /** The service does not take this one image. */
  function refused(job: Job, key: string, error: Error): EngineOutcome {
    if (fallback !== 'local') throw refusedByService(error, job.file)
    const reason = sentenceEnd(error)
    done.set(key, 'local')
    reasons.add(reason)
    onWarning?.(`${job.file ?? 'An image'}: ${reason}. It is compressed on this machine instead.`)
    return 'local'
  }

  return {
    identity: { engine: 'remote', revision: REVISION, endpoint: new URL(endpoint).href.replace(/\/+$/, '') },
    accepts: isAccepted,
    relevantOperations: relevantOf,
    async run(job, key) {
      const { probeImage } = await import('../../work/probe.ts')
      const probe = await probeImage(job.source, job.type, job.limits, job.file)
      // The interface does not say what becomes of animations, and has no word for pixels that stay or are changed.
      if (probe.frames > 1 || job.operations.lossless || !isExpressible(job.operations)) return 'local'
      return turns.run(async () => {
        try {
          const outcome = await request(job, probe)
          failures = 0
          done.set(key, 'made')
          return outcome
        } catch (error) {
          if (error instanceof NotAsked) return fallBack(job, key, probe, error.message)
          if (isServiceProblem(error)) return fallBack(job, key, probe, sentenceEnd(error as Error))
          if (problemOf(error) === 'request') return refused(job, key, error as Error)
          throw error
        }
      })
    },
    reused(key, compressions) {
      if (done.get(key) === 'made' || done.get(key) === 'reused') return
      done.set(key, 'reused')
      saved += compressions
    },
    async endBuild() {
      if (opened !== undefined) await Promise.all(opened.ledger.uncertain().map(settle))
      const counts = countOf(done.values())
      const usage: RemoteUsage = {
        endpoint,
        compressions: opened?.ledger.used ?? 0,
        unanswered: opened?.ledger.lost ?? 0,
        saved,
        images: counts.made,
        fallbacks: { local: counts.local, original: counts.original },
        reasons: [...reasons],
        keys: opened?.ledger.keys() ?? [],
        left: opened === undefined ? (limit.build ?? null) : opened.ledger.left,
      }
      const isIdle = done.size === 0 && usage.compressions + usage.unanswered === 0
      done.clear()
      saved = 0
      reasons.clear()
      failures = 0
      opened?.ledger.startBuild()
      return isIdle ? undefined : usage
    },
    close() {
      for (const client of clientsOf(opened?.accounts)) client.close()
      return Promise.resolve()
    },
  }
}

const isServiceProblem = (error: unknown): boolean => error instanceof UnusableAnswer || problemOf(error) === 'service'

/** A wrong key shows itself here, at no cost. */
async function readCount(account: RemoteAccount, ledger: Ledger): Promise<void> {
  try {
    await account.client.validate()
  } catch (error) {
    if (problemOf(error) === undefined) throw error
    ledger.bar(account, sentenceEnd(error as Error))
  }
}

type Outcome = 'made' | 'reused' | 'local' | 'original'

function countOf(outcomes: Iterable<Outcome>): Record<Outcome, number> {
  const counts = { made: 0, reused: 0, local: 0, original: 0 }
  for (const outcome of outcomes) counts[outcome]++
  return counts
}

const clientsOf = (accounts: readonly RemoteAccount[] = []): RemoteClient[] => accounts.map(({ client }) => client)

function unchanged({ source }: Job, probe: ProbeResult): JobResult {
  const info = infoOf(probe)
  return { data: source, info, input: info, kept: 'input', notes: [] }
}

/** The message as the end of a sentence that goes on with a full stop. */
const sentenceEnd = ({ message }: Error): string => message.replace(/\.(?=\s*(?:\(HTTP|$))/, '').trim()
