import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { fromPlainError } from '@pixpress/core/internal'
import type { WorkQueue, WorkTicket } from '../storage/contract.ts'
import type { Log } from '../telemetry/log.ts'
import { errorFields } from '../telemetry/log.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { Cost } from '../admission/cost.ts'
import { overloaded } from '../http/http-error.ts'
import type { Asker, ImageWork, WorkResult } from './image-work.ts'
import { parseWorkOutcome } from './work-outcome.ts'
import type { WorkOutcome } from './work-outcome.ts'

/** The result of an upload. `data` is absent where another server has already stored the result. */
export interface MadeUpload extends Pick<WorkResult, 'info' | 'input' | 'orientation'> {
  readonly data?: Uint8Array
}

/** Uploads that this server lets others work on, and waits for. */
export interface SharedWork {
  /**
   * Works on an upload that is kept already: this server when its turn comes, or another one, whoever is the first.
   * @param cost as `ImageWork.cost` expects it
   * @param asker as of `ImageWork.run`; asked while the upload waits as well
   * @throws HttpError, PixpressError of the engine
   */
  compress(id: string, upload: Uint8Array, cost: Cost, asker: Asker): Promise<MadeUpload>
  /** Uploads that others may take, and nobody has. */
  readonly waiting: number
  /** Uploads that others have done for this server. */
  readonly doneByOthers: number
  /** Uploads whose server was gone before it was done with them. */
  readonly takenOver: number
  close(): void
}

/** Milliseconds between looks after what was given away. */
const LOOK_EVERY = 1000

/**
 * Times that an upload is let to others after one that had it was gone. An image may be what ended that one: it must
 * not end all of them.
 */
const MOST_LOST = 1

interface Job {
  readonly ticket: WorkTicket
  readonly asker: Asker
  readonly cost: Cost
  /** Milliseconds of a clock that never goes back: nobody waits for longer. */
  readonly until: number
  /** `own`: nobody else is to have it any more; `here`: it is worked on. */
  state: 'waits' | 'held' | 'own' | 'here'
  lost: number
  resolve(outcome: WorkOutcome): void
  reject(error: unknown): void
  /** Nobody else has it any more. */
  free?: (() => void) | undefined
}

/** The jobs that this server shares, and what became of those before. */
interface State {
  readonly work: ImageWork
  readonly queue: WorkQueue<unknown>
  readonly log: Log
  /** Jobs by the name of their ticket. */
  readonly jobs: Map<string, Job>
  doneByOthers: number
  takenOver: number
}

/**
 * Creates the work that this server shares: it offers uploads to the queue and works on those that nobody takes.
 */
export function createSharedWork(
  work: ImageWork,
  queue: WorkQueue<unknown>,
  { maxWait, log, tracing }: { readonly maxWait: number; readonly log: Log; readonly tracing: Tracing },
): SharedWork {
  const state: State = { work, queue, log, jobs: new Map(), doneByOthers: 0, takenOver: 0 }
  const { jobs } = state
  const closing = new AbortController()
  const isNeeded = (): boolean => jobs.size > 0 && !closing.signal.aborted
  const onFailure = async (error: unknown): Promise<void> => {
    if (closing.signal.aborted) return
    log.warn('the shared queue failed', errorFields(error))
    await pause()
  }
  const hearing = repeated(() => hear(state), isNeeded, onFailure)
  const looking = repeated(() => look(state), isNeeded, onFailure)
  return {
    async compress(id, upload, cost, asker) {
      work.assertRoom(asker.account)
      const trace = tracing.parent()
      const ticket: WorkTicket = {
        job: randomBytes(16).toString('hex'),
        server: queue.server,
        id,
        size: upload.length,
        ...(trace !== undefined && { trace }),
      }
      const until = performance.now() + maxWait
      const job: Job = { ticket, asker, cost, until, state: 'waits', lost: 0, resolve: nobody, reject: nobody }
      const answered = new Promise<WorkOutcome>((resolve, reject) => Object.assign(job, { resolve, reject }))
      answered.catch(() => undefined)
      // Before it is offered: the answer may be there at once.
      jobs.set(ticket.job, job)
      void hearing()
      void looking()
      try {
        const isOffered = await queue.offer(ticket).catch(() => false)
        if (!isOffered) job.state = 'own'
        return await first(state, job, upload, answered)
      } finally {
        jobs.delete(ticket.job)
        // Nobody waits for that: what stays is skipped by others, and expires.
        queue.withdraw(ticket).catch(() => undefined)
      }
    },
    get waiting() {
      return [...jobs.values()].filter((job) => job.state === 'waits').length
    },
    get doneByOthers() {
      return state.doneByOthers
    },
    get takenOver() {
      return state.takenOver
    },
    close: () => closing.abort(),
  }
}

/** An answer of someone who has done a job. */
async function hear({ queue, jobs }: State): Promise<void> {
  const answer = await queue.answered()
  if (answer !== undefined) jobs.get(answer.job)?.resolve(parseWorkOutcome(answer.outcome))
}

/** Offers lost work again. Where Redis is away, nobody is waited for. */
async function look(state: State): Promise<void> {
  await pause()
  const jobs = [...state.jobs.values()]
  for (const job of jobs) failUnwanted(state, job)
  const given = jobs.filter((job) => job.state !== 'here' && job.state !== 'own')
  if (given.length === 0) return
  const seen = await state.queue.check(given.map(({ ticket }) => ticket)).catch((error: unknown) => {
    for (const job of given) release(job)
    throw error
  })
  for (const [index, job] of given.entries()) {
    // While the question was on its way, its turn may have come here.
    if (job.state === 'here') continue
    if (seen[index] === 'lost') await lose(state, job)
    else if (seen[index] === 'waits') release(job)
    else job.state = 'held'
  }
}

async function lose(state: State, job: Job): Promise<void> {
  if (job.state === 'held') {
    noteTakenOver(state, job)
    if (++job.lost > MOST_LOST) await state.queue.withdraw(job.ticket)
  }
  release(job)
  if (job.lost > MOST_LOST) job.state = 'own'
}

function noteTakenOver(state: State, { ticket }: Job): void {
  state.takenOver++
  state.log.warn('work taken over', { job: ticket.job })
}

/** Waits for this server or another one, until one of them has done the job. */
async function first(state: State, job: Job, upload: Uint8Array, answered: Promise<WorkOutcome>): Promise<MadeUpload> {
  for (;;) {
    const given = new AbortController()
    const freed = new Promise<'freed'>((resolve) => (job.free = () => resolve('freed')))
    const { asker, cost } = job
    const turn = { account: asker.account, cost, patient: true, given: given.signal }
    const here = state.work.turn(() => claimAndMake(state, job, upload), turn)
    // Who comes second is not listened to any more.
    here.catch(() => undefined)
    try {
      const early = (await Promise.race([here, answered])) ?? (await Promise.race([answered, freed]))
      // Work in this process uses the upload's memory, so that no other server's answer may end the request before
      // it.
      const result = (job.state === 'here' ? await here : undefined) ?? early
      if (result === 'freed') continue
      if ('error' in result) throw fromPlainError(result.error)
      if (!('data' in result)) state.doneByOthers++
      return result
    } finally {
      given.abort()
    }
  }
}

/** Takes a turn of this server: nothing where another one has the job by now. */
async function claimAndMake(state: State, job: Job, upload: Uint8Array): Promise<WorkResult | undefined> {
  const { work, queue } = state
  job.asker.assertWanted()
  const before = job.state
  job.state = 'here'
  // The server that had it may be gone since the last look.
  if (before === 'held' && (await isLost(queue, job))) noteTakenOver(state, job)
  // Where nobody can be asked, nobody is waited for: twice the same work gives the same bytes.
  if (before === 'own' || (await queue.claim(job.ticket).catch(() => true))) return work.make(upload, {})
  job.state = 'held'
  return undefined
}

function isLost(queue: WorkQueue<unknown>, { ticket }: Job): Promise<boolean> {
  return queue.check([ticket]).then(
    ([state]) => state === 'lost',
    () => false,
  )
}

/** Begins something that is repeated while it is needed. Does nothing if it has begun already. */
function repeated(
  step: () => Promise<void>,
  isNeeded: () => boolean,
  onFailure: (error: unknown) => Promise<void>,
): () => Promise<void> {
  let runs = false
  return async () => {
    if (runs) return
    runs = true
    while (isNeeded()) await step().catch(onFailure)
    runs = false
  }
}

/** Ends the waiting of a client that has hung up, or has waited for as long as one may. */
function failUnwanted({ work }: State, { state, asker, until, reject }: Job): void {
  if (state === 'here') return
  try {
    asker.assertWanted()
    if (state !== 'held' && performance.now() > until)
      throw overloaded('Too many images are waiting.', work.retryAfter(asker.account))
  } catch (error) {
    reject(error)
  }
}

/** Lets this server take the job, as no other one has it. */
function release(job: Job): void {
  if (job.state === 'held') job.state = 'waits'
  job.free?.()
}

const pause = (): Promise<void> => delay(LOOK_EVERY, undefined, { ref: false })

const nobody = (): void => undefined
