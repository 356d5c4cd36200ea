import { createHash } from 'node:crypto'
import type { Job } from '../../work/steps/job.ts'
import type { EngineResult } from '../contract.ts'
import type { ProbeResult } from '../../base/types.ts'
import { createAccounts } from './accounts.ts'
import type { Accounts, AccountsOptions, Opened } from './accounts.ts'
import { UnusableAnswer, checkedResult } from './check-result.ts'
import { problemOf, sentenceEnd } from './client.ts'
import type { RemoteAccount, RemoteCommands } from './client.ts'
import { commandsOf, costOf } from './commands.ts'
import type { Endpoint, Endpoints } from './endpoints.ts'
import type { Ledger, Reservation } from './ledger.ts'
import { createUploads } from './uploads.ts'
import type { Upload, Uploads } from './uploads.ts'

/** The requests to the endpoints, and the accounts that pay for them. */
export interface Requests {
  /** Asks one endpoint after the other until one has made the image. @throws NotAsked, or what the client threw */
  send(job: Job, probe: ProbeResult): Promise<Sent>
  /** Asks what became of lost answers, as far as the service can tell by now. */
  settle(): Promise<void>
  /** `undefined` before the first image. */
  readonly opened: Opened | undefined
  close(): void
}

/** A result and the endpoint that made it. */
export interface Sent {
  readonly result: EngineResult
  readonly by: Endpoint
}

/** The service is not to be asked: the reason, as the end of a sentence. */
export class NotAsked extends Error {}

/** The state that all requests of an engine share. */
interface State {
  readonly endpoints: Endpoints
  readonly accounts: Accounts
  readonly uploads: Uploads
}

/** An image that is to be made. */
interface Order {
  readonly job: Job
  readonly probe: ProbeResult
  /** SHA-256 of the source. */
  readonly digest: string
  readonly commands: RemoteCommands
  /** Compressions that the commands cost, without the upload. */
  readonly cost: number
}

/** The compressions set aside for one try, and the upload that it goes on with; without one, it makes an upload. */
interface Payment {
  readonly reservation: Reservation
  readonly upload: Upload | undefined
}

/** Creates the requests of one engine. */
export function createRequests(endpoints: Endpoints, options: AccountsOptions): Requests {
  const accounts = createAccounts(endpoints.all, options)
  const state: State = { endpoints, accounts, uploads: createUploads() }
  return {
    send: (job, probe) => send(state, job, probe),
    settle: () => accounts.settle(),
    get opened() {
      return accounts.opened
    },
    close: () => accounts.close(),
  }
}

async function send(state: State, job: Job, probe: ProbeResult): Promise<Sent> {
  const { endpoints } = state
  const commands = commandsOf(job, probe)
  const digest = createHash('sha256').update(job.source).digest('hex')
  const order: Order = { job, probe, digest, commands, cost: costOf(commands) }
  const tried = new Map<Endpoint, string>()
  for (;;) {
    const endpoint = await endpoints.enter(digest, tried)
    if (endpoint === undefined) throw new NotAsked(whyNone(endpoints, tried))
    try {
      const result = await requestAt(state, endpoint, order)
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
function whyNone({ all, problemOf: problemAt }: Endpoints, tried: ReadonlyMap<Endpoint, string>): string {
  const why = all.map((each) => tried.get(each) ?? problemAt(each)!)
  return new Set(why).size === 1 ? why[0]! : why.map((each, index) => `${all[index]!.name}: ${each}`).join('; ')
}

/** Tries the keys of one endpoint until one has made the image. @throws NotAsked, or what the client threw */
async function requestAt(state: State, endpoint: Endpoint, order: Order): Promise<EngineResult> {
  const { endpoints, accounts, uploads } = state
  let mayShare = true
  for (;;) {
    const { here, ledger } = await accounts.at(endpoint)
    const problem = endpoints.problemOf(endpoint)
    if (problem !== undefined) throw new NotAsked(problem)
    const payment = reserve(ledger, here, order.cost, mayShare ? uploads.of(order.digest) : undefined)
    if (typeof payment === 'string') {
      if (ledger.areBarred(here)) endpoints.leave(endpoint, payment)
      throw new NotAsked(payment)
    }
    const { account } = payment.reservation
    try {
      return await make(state, endpoint, order, payment)
    } catch (error) {
      if (problemOf(error) === 'account') {
        // The next key may do. Uploads belong to the key they were made with.
        ledger.bar(account, sentenceEnd(error as Error))
        uploads.forget(({ account: owner }) => owner === account)
      } else if (payment.upload !== undefined && (error as { status?: unknown }).status === 404) {
        // Services keep outputs for some time only.
        uploads.forget((each) => each === payment.upload)
        mayShare = false
      } else throw error
    } finally {
      payment.reservation.release()
    }
  }
}

/**
 * Sets compressions aside: on the account of an upload that is there already, else on the first that can afford an
 * upload as well.
 * @returns why there are none, as the end of a sentence
 */
function reserve(
  ledger: Ledger,
  here: readonly RemoteAccount[],
  cost: number,
  upload: Upload | undefined,
): Payment | string {
  const shared =
    upload === undefined || !here.includes(upload.account) ? 'none' : ledger.reserve(cost, [upload.account])
  if (typeof shared !== 'string') return { reservation: shared, upload }
  const reservation = ledger.reserve(cost + 1, here)
  return typeof reservation === 'string' ? reservation : { reservation, upload: undefined }
}

/** Uploads the source, unless it is there already, and asks for the image. */
async function make(state: State, endpoint: Endpoint, order: Order, payment: Payment): Promise<EngineResult> {
  const { job, probe, commands, cost } = order
  const { reservation, upload } = payment
  const isNew = upload === undefined
  const url = await (upload ?? startUpload(state, endpoint, order, reservation)).url
  if (isNew) reservation.spend(1)
  const client = state.accounts.clientAt(url, reservation.account)
  const answer = client.fetchImage(url, commands, { onLostAnswer: () => reservation.lose(cost) })
  const image = await counted(state, endpoint, answer)
  reservation.spend(cost)
  const result = await counted(state, endpoint, checkedResult(job, probe, image))
  return { result, compressions: cost + (isNew ? 1 : 0), lasting: true }
}

function startUpload(state: State, endpoint: Endpoint, { job, digest }: Order, { account, lose }: Reservation): Upload {
  const answer = account.client.shrink(job.source, { onLostAnswer: () => lose(1) })
  const upload = { account, url: counted(state, endpoint, answer).then(({ url }) => url) }
  state.uploads.keep(digest, upload)
  return upload
}

/** Counts failures of the service where they happen: all variants of an image wait for one upload. */
async function counted<T>({ endpoints }: State, endpoint: Endpoint, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (isServiceProblem(error)) endpoints.failed(endpoint, sentenceEnd(error as Error))
    throw error
  }
}

const isServiceProblem = (error: unknown): boolean => error instanceof UnusableAnswer || problemOf(error) === 'service'
