import { firstLine } from '../../base/errors.ts'
import type { Attempt } from '../../net/retry.ts'

/** Options of `createPatience`. */
export interface PatienceOptions {
  /** It is called with one sentence why the remote is left, once in a build. */
  readonly onLeave: (reason: string) => void
  /** Milliseconds that a build may lose. Default 1000. */
  readonly allowed?: number
  /** Failures after which the remote is left. Default 3. */
  readonly failures?: number
}

/** Decides how long a build waits for a remote. */
export interface Patience {
  /** The remote is not asked any more in this build. */
  readonly hasLeft: boolean
  /**
   * Asks while a build waits for the answer.
   * @param worth milliseconds of waiting that an answer is worth
   * @returns `undefined` where there is no answer in time, or none is asked for any more
   */
  wait<T>(request: (signal: AbortSignal) => Promise<Attempt<T>>, worth: (value: T) => number): Promise<T | undefined>
  /** Asks while the build has other things to do. */
  aside<T>(request: (signal: AbortSignal) => Promise<Attempt<T>>): Promise<T | undefined>
  /** Waits for what was asked aside, as long as is left. @returns whether all of it has ended */
  waitForRest(rest: Promise<unknown>): Promise<boolean>
  /** Another build begins. */
  reset(): void
}

/** Milliseconds after which a request that nobody waits for has failed. */
const LONGEST_ASIDE = 30_000

/** The account of the time that a build loses. */
interface State {
  readonly onLeave: (reason: string) => void
  /** Milliseconds that a build may lose. */
  readonly allowed: number
  /** Failures after which the remote is left. */
  readonly tolerated: number
  lost: number
  failures: number
  /** The time until which everything has been counted. */
  countedUntil: number
  /** Aborts the requests of a build when the remote is left. */
  leaving: AbortController
  hasLeft: boolean
  timer: NodeJS.Timeout | undefined
  /** When the requests that are waited for began, the oldest first. */
  readonly pending: Set<{ readonly began: number }>
}

/**
 * Counts the time that a build loses: that during which a request is waited for, less what its answer is worth.
 * Stretches that requests have in common count once.
 */
export function createPatience({ onLeave, allowed = 1000, failures: tolerated = 3 }: PatienceOptions): Patience {
  const state: State = {
    onLeave,
    allowed,
    tolerated,
    lost: 0,
    failures: 0,
    countedUntil: -Infinity,
    leaving: new AbortController(),
    hasLeft: false,
    timer: undefined,
    pending: new Set(),
  }
  return {
    get hasLeft() {
      return state.hasLeft
    },
    wait: (request, worth) => wait(state, request, worth),
    async aside(request) {
      if (state.hasLeft) return undefined
      const { signal } = state.leaving
      const outcome = await request(AbortSignal.any([signal, AbortSignal.timeout(LONGEST_ASIDE)]))
      if ('value' in outcome) return outcome.value
      if (signal === state.leaving.signal && !state.hasLeft) fail(state, outcome.failure)
      return undefined
    },
    waitForRest: (rest) => endsWithin(rest, state.hasLeft ? 0 : Math.max(0, allowed - state.lost)),
    reset() {
      clearTimeout(state.timer)
      state.leaving.abort()
      state.pending.clear()
      const fresh = { lost: 0, failures: 0, countedUntil: -Infinity, hasLeft: false }
      Object.assign(state, fresh, { leaving: new AbortController() })
    },
  }
}

async function wait<T>(
  state: State,
  request: (signal: AbortSignal) => Promise<Attempt<T>>,
  worth: (value: T) => number,
): Promise<T | undefined> {
  if (state.hasLeft) return undefined
  const { signal } = state.leaving
  const one = { began: performance.now() }
  state.pending.add(one)
  watch(state)
  const outcome = await request(signal)
  state.pending.delete(one)
  // The request belongs to a build that has ended meanwhile.
  if (signal !== state.leaving.signal || state.hasLeft) return 'value' in outcome ? outcome.value : undefined
  count(state, one.began, 'value' in outcome ? worth(outcome.value) : 0)
  watch(state)
  if ('value' in outcome) return outcome.value
  fail(state, outcome.failure)
  return undefined
}

/** Counts the time since a request began, as far as it is not counted yet. */
function count(state: State, began: number, worth: number): void {
  const now = performance.now()
  const waited = now - Math.max(began, state.countedUntil)
  if (waited <= worth) return
  state.lost += waited - worth
  state.countedUntil = now
}

/** Leaves as soon as the oldest request has used up what is left. */
function watch(state: State): void {
  const { pending, countedUntil, allowed, lost } = state
  clearTimeout(state.timer)
  const [oldest] = pending
  if (oldest === undefined || state.hasLeft) return
  const since = Math.max(oldest.began, countedUntil)
  const rest = Math.max(0, since + allowed - lost - performance.now())
  state.timer = setTimeout(() => leave(state, `it has cost the build ${allowed / 1000} s`), Math.ceil(rest))
}

function fail(state: State, failure: unknown): void {
  if (++state.failures >= state.tolerated) {
    leave(state, `it has failed ${state.failures} times (${firstLine(failure)})`)
  }
}

function leave(state: State, reason: string): void {
  if (state.hasLeft) return
  state.hasLeft = true
  clearTimeout(state.timer)
  state.onLeave(reason)
  state.leaving.abort()
}

/** @returns whether the rest has ended within so many milliseconds */
async function endsWithin(rest: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let isEnded = false
  const ended = rest.then(() => {
    isEnded = true
  })
  let late: NodeJS.Timeout | undefined
  await Promise.race([
    ended,
    new Promise((resolve) => {
      late = setTimeout(resolve, milliseconds)
    }),
  ])
  clearTimeout(late)
  return isEnded
}
