import { HttpError, retryAfter } from '../http/http-error.ts'
import type { CompressionCounts, Month } from '../storage/contract.ts'

/** The compressions of accounts in the current month, and their limit. */
export interface Accounting {
  read(account: string): Promise<number>
  /** Before the work. @throws HttpError `TooManyRequests` when this many more would exceed the limit */
  assertWithinLimit(account: string, compressions: number): Promise<void>
  /**
   * After the work: several requests at once cannot exceed the limit together.
   * @returns the count afterwards
   * @throws HttpError `TooManyRequests`
   */
  count(account: string, compressions: number): Promise<number>
}

/** @param limit compressions per account and month; `Infinity` for no limit */
export function createAccounting(counts: CompressionCounts, limit: number, clock: () => number = Date.now): Accounting {
  const exceeded = (): HttpError =>
    new HttpError('TooManyRequests', `The account has used its ${limit} compressions of this month.`, {
      headers: retryAfter(untilNextMonth(clock())),
    })
  const read = (account: string): Promise<number> => counts.read(account, monthOf(clock()))
  return {
    read,
    async assertWithinLimit(account, compressions) {
      if (limit !== Number.POSITIVE_INFINITY && (await read(account)) + compressions > limit) throw exceeded()
    },
    async count(account, compressions) {
      if (compressions === 0) return read(account)
      const { counted, count } = await counts.increment(account, monthOf(clock()), compressions, limit)
      if (!counted) throw exceeded()
      return count
    },
  }
}

/** Returns the calendar month in UTC, `2026-11`. */
function monthOf(now: number): Month {
  return new Date(now).toISOString().slice(0, 7)
}

/** Returns the milliseconds until the next month begins. */
function untilNextMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - now
}
