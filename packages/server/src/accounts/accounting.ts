import type { Access } from '../http/context.ts'
import { HttpError, retryAfter } from '../http/http-error.ts'
import type { CompressionCounts, Month, Usage } from '../storage/contract.ts'

/** An account and its limit. */
export type LimitedAccount = Pick<Access, 'account' | 'monthlyLimit'>

/** The bytes of an image before and after. */
export type CountedBytes = Omit<Usage, 'compressions'>

/** The compressions and bytes of accounts in the current month. */
export interface Accounting {
  read(account: string): Promise<number>
  /** Everything of this month, with the month's name. */
  usage(account: string): Promise<Usage & { readonly month: Month }>
  /** Before the work. @throws HttpError `TooManyRequests` when this many more would exceed the limit */
  assertWithinLimit(of: LimitedAccount, compressions: number): Promise<void>
  /**
   * After the work: several requests at once cannot exceed the limit together.
   * @param bytes default: none
   * @returns the count afterwards
   * @throws HttpError `TooManyRequests`
   */
  count(of: LimitedAccount, compressions: number, bytes?: CountedBytes): Promise<number>
}

const NO_BYTES: CountedBytes = { bytesIn: 0, bytesOut: 0 }

/** Creates the accounting by the clock of this machine. */
export function createAccounting(counts: CompressionCounts, clock: () => number = Date.now): Accounting {
  const exceeded = (limit: number): HttpError =>
    new HttpError('TooManyRequests', `The account has used its ${limit} compressions of this month.`, {
      headers: retryAfter(untilNextMonth(clock())),
    })
  const read = (account: string): Promise<number> => counts.read(account, monthOf(clock()))
  return {
    read,
    async usage(account) {
      const month = monthOf(clock())
      return { month, ...(await counts.usage(account, month)) }
    },
    async assertWithinLimit({ account, monthlyLimit }, compressions) {
      if (monthlyLimit === Number.POSITIVE_INFINITY) return
      if ((await read(account)) + compressions > monthlyLimit) throw exceeded(monthlyLimit)
    },
    async count({ account, monthlyLimit }, compressions, bytes = NO_BYTES) {
      if (compressions === 0) return read(account)
      const used = { compressions, ...bytes }
      const { counted, count } = await counts.increment(account, monthOf(clock()), used, monthlyLimit)
      if (!counted) throw exceeded(monthlyLimit)
      return count
    },
  }
}

/** Returns the calendar month in UTC, `2026-11`. */
export function monthOf(now: number): Month {
  return new Date(now).toISOString().slice(0, 7)
}

/** Returns the milliseconds until the next month begins. */
function untilNextMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - now
}
