import type { RateLimiter, RateSettings } from '../contract.ts'

/** Accounts after which those at rest are forgotten. */
const REMEMBERED = 10_000

/**
 * Creates the rate limit of one process. It is not kept on disk: after a restart every account may burst again, which
 * is harmless, while a write per request would not be.
 * @param clock milliseconds; must not jump back
 */
export function createMemoryRate(
  { interval, burst }: RateSettings,
  clock: () => number = () => performance.now(),
): RateLimiter {
  /** Per account the time at which it would be at rest again: GCRA's theoretical arrival time. */
  const restAt = new Map<string, number>()
  return {
    async take(account) {
      const now = clock()
      const next = Math.max(now, restAt.get(account) ?? now) + interval
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

/** Allows everything: the setting without a rate limit. */
export const NO_RATE_LIMIT: RateLimiter = { take: () => Promise.resolve({ allowed: true }) }
