import { overloaded } from '../http/http-error.ts'
import type { Cost, Pace } from './cost.ts'
import { createScheduler } from './scheduler.ts'
import type { Piece, Scheduler, SchedulerSettings, Waiting } from './scheduler.ts'

/** Counts of one account since the server has started, and those of now. */
export interface AccountCounts {
  readonly waiting: number
  readonly admitted: number
  readonly refused: number
}

/** Whose work it is, and what it costs. */
export interface Admitted {
  readonly account: string
  readonly cost: Cost
}

/** The one layer before the work on images: who begins when, and who is refused. */
export interface Admission {
  /**
   * Does something when its turn has come.
   * @throws HttpError `ServiceUnavailable` when too many wait, or it has waited for too long; what `task` throws
   */
  turn<T>(task: () => Promise<T>, admitted: Admitted): Promise<T>
  /** @throws HttpError `ServiceUnavailable` when one more of the account would be refused, whatever it costs */
  assertRoom(account: string): void
  /** @returns milliseconds until a new attempt of the account can be expected to succeed */
  retryAfter(account: string): number
  /** Something could begin at once. */
  readonly idle: boolean
  readonly waiting: number
  readonly working: number
  /** Accounts that have sent something, by name. */
  counts(): ReadonlyMap<string, AccountCounts>
}

/** A piece of work and how it begins, or why it does not. */
interface Entered extends Piece {
  readonly start: () => void
  readonly refuse: (error: unknown) => void
}

interface State {
  readonly scheduler: Scheduler<Entered>
  readonly maxWait: number
  readonly pace: Pace
  readonly counts: Map<string, { admitted: number; refused: number }>
}

/** @param pace how long work is expected to take; it learns */
export function createAdmission(settings: SchedulerSettings, pace: Pace): Admission {
  const scheduler = createScheduler<Entered>(settings)
  const state: State = { scheduler, maxWait: settings.maxWait, pace, counts: new Map() }
  const { counts } = state
  return {
    async turn(task, admitted) {
      const waiting = await begun(state, admitted)
      const began = performance.now()
      try {
        const result = await task()
        // Nothing is learnt from work that fails, as it ends early.
        pace.learn(admitted.cost, performance.now() - began)
        return result
      } finally {
        scheduler.end(waiting)
        beginNext(state)
      }
    },
    assertRoom(account) {
      const full = scheduler.fullFor(account, performance.now())
      if (full > 0) throw refuse(state, account, full)
    },
    retryAfter: (account) => scheduler.expectedWait({ account, bytes: 0, work: 0 }, performance.now()),
    get idle() {
      return scheduler.idle
    },
    get waiting() {
      return scheduler.waiting
    },
    get working() {
      return scheduler.working
    },
    counts: () =>
      new Map([...counts].map(([account, each]) => [account, { ...each, waiting: scheduler.waitingOf(account) }])),
  }
}

/** Waits for its turn. @returns the piece that has begun */
function begun(state: State, { account, cost }: Admitted): Promise<Waiting<Entered>> {
  const { scheduler, pace, maxWait } = state
  return new Promise((resolve, reject) => {
    const piece: Entered = {
      account,
      bytes: cost.bytes,
      work: pace.expect(cost),
      start() {
        clearTimeout(late)
        countsOf(state, account).admitted++
        resolve(entered)
      },
      refuse(error) {
        clearTimeout(late)
        reject(error)
      },
    }
    const entry = scheduler.enter(piece, performance.now())
    if (entry.entered === undefined) return reject(refuse(state, account, entry.retryAfter))
    const { entered, putOut } = entry
    const late = setTimeout(() => {
      if (!scheduler.leave(entered)) return
      reject(refuse(state, account, waitOf(state, piece)))
      beginNext(state)
    }, maxWait)
    // A server that ends does not wait for those who wait.
    late.unref()
    const { piece: other } = putOut ?? {}
    other?.refuse(refuse(state, other.account, waitOf(state, other)))
    beginNext(state)
  })
}

function waitOf({ scheduler }: State, piece: Piece): number {
  return scheduler.expectedWait(piece, performance.now())
}

/** Begins what may begin. */
function beginNext({ scheduler }: State): void {
  for (let next = scheduler.next(performance.now()); next !== undefined; next = scheduler.next(performance.now()))
    next.piece.start()
}

/** Counts a refusal. @returns what the client is told @param wait milliseconds after which it may come back */
function refuse(state: State, account: string, wait: number): Error {
  countsOf(state, account).refused++
  return overloaded('Too many images are waiting.', wait)
}

function countsOf({ counts }: State, account: string): { admitted: number; refused: number } {
  const known = counts.get(account) ?? { admitted: 0, refused: 0 }
  counts.set(account, known)
  return known
}
