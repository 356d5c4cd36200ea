import type { RateLimiter } from '../contract.ts'

/** Accounts after which those at rest are forgotten. */
const REMEMBERED = 10_000

/**
 * Creates the rate limit of one process. It is not kept on disk: after a restart every account may burst again, which
 * is harmless, while a write per request would not be.
 * @param clock milliseconds; must not jump back
 */
export function createMemoryRate(clock: () => number = () => performance.now()): RateLimiter {
  /** Per account the time at which it would be at rest again: GCRA's theoretical arrival time. */
  const restAt = new Map<string, number>()
  return {
    async take(account, rate) {
      if (rate === undefined) return { allowed: true }
      const { interval, burst } = rate
      const now = clock()
      const kept = restAt.get(account) ?? now
      // A slower rate before must not lock the account out: no more than a burst is ever to be worked off.
      const rest = Math.min(Math.max(now, kept), now + interval * burst)
      if (rest < kept) restAt.set(account, rest)
      const next = rest + interval
      const retryAfter = next - interval * burst - now
      // Sums of fractional intervals are a hair off: a millionth of a millisecond is no reason to refuse.
      if (retryAfter > 1e-6) return { allowed: false, retryAfter }
      if (restAt.size >= REMEMBERED) forgetRested(now)
      restAt.set(account, next)
      return { allowed: true }
    },
  }

  function forgetRested(now: number): void {
    for (const [account, time] of restAt) if (time <= now) restAt.delete(account)
  }
}
