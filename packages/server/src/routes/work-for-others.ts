import { setTimeout as delay } from 'node:timers/promises'
import { toPlainError } from '@pixpress/core/internal'
import type { PlainError } from '@pixpress/core/internal'
import { NO_COST } from '../admission/cost.ts'
import type { Backend, WorkQueue, WorkTicket } from '../storage/contract.ts'
import type { Log } from '../telemetry/log.ts'
import { errorFields } from '../telemetry/log.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { ImageWork, WorkResult } from './image-work.ts'
import type { WorkOutcome } from './work-outcome.ts'

/** Work on other servers' uploads while this server is idle. */
export interface WorkForOthers {
  readonly done: number
  start(): void
  /** Nothing new is taken. */
  stop(): void
  /** Waits for what is under way, and gives back what takes too long. @param timeout milliseconds */
  close(timeout: number): Promise<void>
}

/** Milliseconds between signs of life: several in the time that a lease takes. */
const RENEW_EVERY = 3000

/** Milliseconds without taking anything after something has failed. */
const REST = 1000

/** The account of all work for others. No account of a key has a space in its name. */
export const OTHERS = 'other servers'

interface ForOthersOptions {
  readonly work: ImageWork
  readonly backend: Pick<Backend, 'bytes'> & { readonly queue: WorkQueue<unknown> }
  /** Room for an upload of so many bytes. @returns how to give it back @throws HttpError where there is none */
  readonly room: (bytes: number) => () => void
  readonly log: Log
  readonly tracing: Tracing
}

/** The work of this server for others. */
interface State extends ForOthersOptions {
  readonly underWay: Map<WorkTicket, Promise<unknown>>
  readonly stopping: AbortSignal
  done: number
  /** Resolves when a rest after a failure is over. */
  rest: Promise<void>
}

/** Takes tickets from the shared queue whenever this server is idle. */
export function workForOthers(options: ForOthersOptions): WorkForOthers {
  const { queue } = options.backend
  const stopping = new AbortController()
  const underWay = new Map<WorkTicket, Promise<unknown>>()
  const state: State = { ...options, underWay, stopping: stopping.signal, done: 0, rest: Promise.resolve() }
  return {
    get done() {
      return state.done
    },
    start: () => void take(state),
    stop: () => stopping.abort(),
    async close(timeout) {
      stopping.abort()
      const late = new AbortController()
      await Promise.race([
        Promise.all(underWay.values()),
        delay(timeout, undefined, { signal: late.signal }).catch(() => undefined),
      ])
      late.abort()
      for (const ticket of underWay.keys()) {
        underWay.delete(ticket)
        await queue.giveBack(ticket).catch(() => undefined)
      }
    },
  }
}

async function take(state: State): Promise<void> {
  const { work, backend, stopping, log } = state
  const { queue } = backend
  const isStopping = (): boolean => stopping.aborted
  while (!isStopping()) {
    await state.rest
    await work.whenIdle()
    try {
      const ticket = isStopping() ? undefined : await queue.take()
      if (ticket === undefined) continue
      if (ticket.server === queue.server) {
        // Its turn here comes by itself. Until then the others must see it, which it was taken from.
        if (!work.idle) await queue.check([ticket])
      } else if (isStopping() || !work.idle) await queue.giveBack(ticket)
      else await begin(state, ticket)
    } catch (error) {
      if (isStopping()) return
      log.warn('the shared queue failed', errorFields(error))
      state.rest = pause()
    }
  }
}

/** Resolves when a place works on the ticket, or none will. Downloads and uploads before and after take no place. */
function begin(state: State, ticket: WorkTicket): Promise<void> {
  const { backend, underWay, log } = state
  return new Promise((begun) => {
    const ending = state.tracing
      .request('work for another server', ticket.trace, () => perform(state, ticket, begun))
      .catch(async (error: unknown) => {
        log.warn('work given back', { job: ticket.job, ...errorFields(error) })
        state.rest = pause()
        await backend.queue.giveBack(ticket).catch(() => undefined)
      })
      .finally(() => {
        underWay.delete(ticket)
        begun()
      })
    underWay.set(ticket, ending)
  })
}

async function perform(state: State, ticket: WorkTicket, begun: () => void): Promise<void> {
  const { work, backend, room, underWay } = state
  const { queue, bytes } = backend
  const free = room(ticket.size)
  const renewing = setInterval(() => void queue.renew(ticket).catch(() => undefined), RENEW_EVERY)
  try {
    if (!(await queue.claim(ticket))) return
    const upload = await bytes.get(ticket.id, 'upload')
    // Whoever waited for it does not any more.
    if (upload === undefined) return await queue.withdraw(ticket)
    // The server that has the client is told by the work itself what is wrong with the upload.
    const cost = await work.cost(upload).catch(() => NO_COST)
    const make = (): Promise<WorkResult | { error: PlainError }> => {
      begun()
      return work.make(upload, {}).catch((error: unknown) => ({ error: toPlainError(error) }))
    }
    const made = await work.turn(make, { account: OTHERS, cost, patient: true })
    // Another server does work that was given back in the meantime, with the same bytes.
    if (made === undefined || !underWay.has(ticket)) return
    if ('data' in made) await bytes.put(ticket.id, 'output', made.data, made.info.type)
    await queue.answer(ticket, outcomeOf(made))
    state.done++
  } finally {
    clearInterval(renewing)
    free()
  }
}

function outcomeOf(made: WorkResult | { error: PlainError }): WorkOutcome {
  if ('error' in made) return made
  const { info, input, orientation } = made
  return { info, input, ...(orientation !== undefined && { orientation }) }
}

const pause = (): Promise<void> => delay(REST, undefined, { ref: false })
