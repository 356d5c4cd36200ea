import { createHash } from 'node:crypto'
import type { Job } from '../../work/steps/job.ts'
import type { EngineResult } from '../contract.ts'
import type { ProbeResult } from '../../base/types.ts'
import { UnusableAnswer, checkedResult } from './check-result.ts'
import { problemOf } from './client.ts'
import type { RemoteAccount, RemoteClient } from './client.ts'
import { commandsOf, costOf } from './commands.ts'
import type { Endpoint, Endpoints } from './endpoints.ts'
import { createLedger } from './ledger.ts'
import type { Ledger, RemoteLimit, Reservation } from './ledger.ts'

/** The requests to the endpoints, and the accounts that pay for them. */
export interface Requests {
  /** Asks one endpoint after the other until one has made the image. @throws NotAsked, or what the client threw */
  send(job: Job, probe: ProbeResult): Promise<{ readonly result: EngineResult; readonly by: Endpoint }>
  /** Asks what became of lost answers, as far as the service can tell by now. */
  settle(): Promise<void>
  /** `undefined` before the first image. */
  readonly opened: Opened | undefined
  close(): void
}

interface RemoteUpload {
  readonly account: RemoteAccount
  readonly url: Promise<string>
}

/** The accounts of each endpoint, by the same keys in the same order, and one ledger for all. */
export interface Opened {
  readonly ledger: Ledger
  readonly accounts: ReadonlyMap<Endpoint, readonly RemoteAccount[]>
}

/** The service is not to be asked: the reason, as the end of a sentence. */
export class NotAsked extends Error {}

/** Milliseconds that a service may take at the end of a build to tell what became of lost answers. */
const MAX_SETTLING = 5000

interface RequestsOptions {
  readonly open: (endpoint: string) => Promise<readonly RemoteAccount[]>
  readonly limit: RemoteLimit
  readonly askFirst: boolean
}

/** Creates the requests of one engine. */
export function createRequests(endpoints: Endpoints, { open, limit, askFirst }: RequestsOptions): Requests {
  /** Uploads by the digest of their source: several variants of an image are made from one upload. */
  const uploads = new Map<string, RemoteUpload>()
  let opening: Promise<Opened> | undefined
  let opened: Opened | undefined
  /** Endpoints whose accounts were asked for their counts. */
  const asked = new Map<Endpoint, Promise<unknown>>()

  async function openAccounts(): Promise<Opened> {
    const lists = await Promise.all(endpoints.all.map(async (each) => [each, await open(each.url)] as const))
    const ledger = createLedger(
      lists.flatMap(([, accounts]) => accounts),
      limit,
      lists[0]![1].length,
    )
    opened = { ledger, accounts: new Map(lists) }
    return opened
  }

  /** Forgets a client that could not be opened: it may be there when the next image asks. */
  function forgetOpening(error: unknown): never {
    opening = undefined
    throw error
  }

  /** Returns the accounts of an endpoint, when they are known to be usable. */
  async function accountsAt(endpoint: Endpoint): Promise<readonly RemoteAccount[]> {
    const { accounts, ledger } = await (opening ??= openAccounts().catch(forgetOpening))
    const here = accounts.get(endpoint)!
    if (!askFirst) return here
    // A month's limit cannot be kept without knowing what is used already.
    const asking = asked.get(endpoint) ?? Promise.all(here.map((account) => readCount(account, ledger)))
    asked.set(endpoint, asking)
    await asking.catch((error: unknown) => {
      asked.delete(endpoint)
      throw error
    })
    return here
  }

  async function send(job: Job, probe: ProbeResult): Promise<{ result: EngineResult; by: Endpoint }> {
    const digest = createHash('sha256').update(job.source).digest('hex')
    const tried = new Map<Endpoint, string>()
    for (;;) {
      const endpoint = await endpoints.enter(digest, tried)
      if (endpoint === undefined) throw new NotAsked(whyNone(tried))
      try {
        const result = await requestAt(endpoint, digest, job, probe)
        endpoints.succeeded(endpoint)
        return { result, by: endpoint }
      } catch (error) {
        if (!(error instanceof NotAsked) && !isServiceProblem(error)) throw error
        tried.set(endpoint, sentenceEnd(error as Error))
      } finally {
        endpoints.exit(endpoint)
      }
    }
  }

  /** Says why no endpoint is left for an image, as the end of a sentence. */
  function whyNone(tried: ReadonlyMap<Endpoint, string>): string {
    const why = endpoints.all.map((each) => tried.get(each) ?? endpoints.problemOf(each)!)
    return new Set(why).size === 1
      ? why[0]!
      : why.map((each, index) => `${endpoints.all[index]!.name}: ${each}`).join('; ')
  }

  /** @throws NotAsked, or what the client threw */
  async function requestAt(endpoint: Endpoint, digest: string, job: Job, probe: ProbeResult): Promise<EngineResult> {
    const commands = commandsOf(job, probe)
    let mayShare = true
    for (;;) {
      const here = await accountsAt(endpoint)
      const { ledger } = opened!
      const problem = endpoints.problemOf(endpoint)
      if (problem !== undefined) throw new NotAsked(problem)
      const upload = mayShare ? uploads.get(digest) : undefined
      const known = upload !== undefined && here.includes(upload.account) ? upload : undefined
      const shared = known === undefined ? 'none' : ledger.reserve(costOf(commands), [known.account])
      const reservation = typeof shared === 'string' ? ledger.reserve(costOf(commands) + 1, here) : shared
      if (typeof reservation === 'string') {
        if (ledger.areBarred(here)) endpoints.leave(endpoint, reservation)
        throw new NotAsked(reservation)
      }
      const { account } = reservation
      const isNew = typeof shared === 'string'
      try {
        const current = isNew ? startUpload(endpoint, digest, job.source, reservation) : known!
        const url = await current.url
        if (isNew) reservation.spend(1)
        const onLostAnswer = (): void => reservation.lose(costOf(commands))
        const image = await counted(endpoint, clientAt(url, account).fetchImage(url, commands, { onLostAnswer }))
        reservation.spend(costOf(commands))
        const result = await counted(endpoint, checkedResult(job, probe, image))
        return { result, compressions: costOf(commands) + (isNew ? 1 : 0), lasting: true }
      } catch (error) {
        if (problemOf(error) === 'account') {
          // The next key may do. Uploads belong to the key they were made with.
          ledger.bar(account, sentenceEnd(error as Error))
          forgetUploads(({ account: owner }) => owner === account)
        } else if (!isNew && (error as { status?: unknown }).status === 404) {
          // Services keep outputs for some time only.
          forgetUploads((each) => each === known)
          mayShare = false
        } else throw error
      } finally {
        reservation.release()
      }
    }
  }

  /** An output may be at another endpoint than the one that took the upload: its client may show it the key. */
  function clientAt(url: string, account: RemoteAccount): RemoteClient {
    const lists = [...opened!.accounts]
    const place = lists.find(([, accounts]) => accounts.includes(account))!
    const { origin } = new URL(url)
    const isThere = ([endpoint]: (typeof lists)[number]): boolean => new URL(endpoint.url).origin === origin
    const [, there] = isThere(place) ? place : (lists.find(isThere) ?? place)
    return there[place[1].indexOf(account)]!.client
  }

  /** Counts failures of the service where they happen: all variants of an image wait for one upload. */
  async function counted<T>(endpoint: Endpoint, answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (isServiceProblem(error)) endpoints.failed(endpoint, sentenceEnd(error as Error))
      throw error
    }
  }

  /** Settles the lost answers of an account, as far as the service can tell by now. */
  async function settleAccount(account: RemoteAccount): Promise<void> {
    try {
      await account.client.validate({ signal: AbortSignal.timeout(MAX_SETTLING) })
      opened?.ledger.settle(account)
    } catch (error) {
      // A service that is still away: the report says how much is not known.
      if (problemOf(error) === undefined && (error as Error).name !== 'TimeoutError') throw error
    }
  }

  function startUpload(
    endpoint: Endpoint,
    digest: string,
    source: Uint8Array,
    { account, lose }: Reservation,
  ): RemoteUpload {
    const answer = account.client.shrink(source, { onLostAnswer: () => lose(1) })
    const upload = { account, url: counted(endpoint, answer).then(({ url }) => url) }
    uploads.set(digest, upload)
    upload.url.catch(() => forgetUploads((each) => each === upload))
    return upload
  }

  function forgetUploads(isOver: (upload: RemoteUpload) => boolean): void {
    for (const [digest, upload] of uploads) if (isOver(upload)) uploads.delete(digest)
  }

  return {
    send,
    async settle() {
      if (opened !== undefined) await Promise.all(opened.ledger.uncertain().map(settleAccount))
    },
    get opened() {
      return opened
    },
    close() {
      for (const { client } of [...(opened?.accounts.values() ?? [])].flat()) client.close()
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

/** Returns the message as the end of a sentence that goes on with a full stop. */
export const sentenceEnd = ({ message }: Error): string => message.replace(/\.(?=\s*(?:\(HTTP|$))/, '').trim()
