import type { Month } from '../backends/types.ts'

/** The calendar month in UTC, `2026-11`. */
export function monthOf(now: number): Month {
  return new Date(now).toISOString().slice(0, 7)
}

/** Milliseconds until the next month begins. */
export function untilNextMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - now
}
