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

/**
 * Counts the time that a build loses: that during which a request is waited for, less what its answer is worth.
 * Stretches that requests have in common count once.
 */
export function createPatience({ onLeave, allowed = 1000, failures: tolerated = 3 }: PatienceOptions): Patience {
  let lost = 0
  let failures = 0
  /** The time until which everything has been counted. */
  let countedUntil = -Infinity
  let leaving = new AbortController()
  let hasLeft = false
  let timer: NodeJS.Timeout | undefined
  /** When the requests that are waited for began, the oldest first. */
  const pending = new Set<{ readonly began: number }>()

  function count(began: number, worth: number): void {
    const now = performance.now()
    const waited = now - Math.max(began, countedUntil)
    if (waited <= worth) return
    lost += waited - worth
    countedUntil = now
  }

  /** Leaves as soon as the oldest request has used up what is left. */
  function watch(): void {
    clearTimeout(timer)
    const [oldest] = pending
    if (oldest === undefined || hasLeft) return
    const since = Math.max(oldest.began, countedUntil)
    const rest = Math.max(0, since + allowed - lost - performance.now())
    timer = setTimeout(() => leave(`it has cost the build ${allowed / 1000} s`), Math.ceil(rest))
  }

  function leave(reason: string): void {
    if (hasLeft) return
    hasLeft = true
    clearTimeout(timer)
    onLeave(reason)
    leaving.abort()
  }

  function fail(failure: unknown): void {
    if (++failures >= tolerated) leave(`it has failed ${failures} times (${firstLine(failure)})`)
  }

  return {
    get hasLeft() {
      return hasLeft
    },
    async wait(request, worth) {
      if (hasLeft) return undefined
      const { signal } = leaving
      const one = { began: performance.now() }
      pending.add(one)
      watch()
      const outcome = await request(signal)
      pending.delete(one)
      // The request belongs to a build that has ended meanwhile.
      if (signal !== leaving.signal || hasLeft) return 'value' in outcome ? outcome.value : undefined
      count(one.began, 'value' in outcome ? worth(outcome.value) : 0)
      watch()
      if ('value' in outcome) return outcome.value
      fail(outcome.failure)
      return undefined
    },
    async aside(request) {
      if (hasLeft) return undefined
      const { signal } = leaving
      const outcome = await request(AbortSignal.any([signal, AbortSignal.timeout(LONGEST_ASIDE)]))
      if ('value' in outcome) return outcome.value
      if (signal === leaving.signal && !hasLeft) fail(outcome.failure)
      return undefined
    },
    async waitForRest(rest) {
      let isEnded = false
      const ended = rest.then(() => {
        isEnded = true
      })
      let late: NodeJS.Timeout | undefined
      await Promise.race([
        ended,
        new Promise((resolve) => {
          late = setTimeout(resolve, hasLeft ? 0 : Math.max(0, allowed - lost))
        }),
      ])
      clearTimeout(late)
      return isEnded
    },
    reset() {
      clearTimeout(timer)
      leaving.abort()
      leaving = new AbortController()
      pending.clear()
      lost = failures = 0
      countedUntil = -Infinity
      hasLeft = false
    },
  }
}
