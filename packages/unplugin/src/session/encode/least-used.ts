import { statSync, utimesSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'

const HOUR = 3_600_000

/** Sweeping frees more than it must, so that the next few entries do not need another one. */
const SWEEP_TARGET = 0.9

/** A file or a folder that can be made again. */
export interface Entry {
  /** Absolute. */
  readonly place: string
  /** Holds what the bound is given in: bytes, or 1 where it is a number of entries. */
  readonly size: number
}

/**
 * Notes that an entry is used: its time says when, within an hour. That is done at once, as looking takes microseconds,
 * and a warm build does nothing else.
 */
export function touch(place: string): void {
  const now = new Date()
  try {
    if (now.getTime() - statSync(place).mtimeMs > HOUR) utimesSync(place, now, now)
  } catch {
    // Removed by another process meanwhile, or not ours to change: only the order of sweeping suffers.
  }
}

/**
 * Removes what was used least recently where all are over the bound together, but nothing used within the last two
 * hours.
 */
export async function sweepLeastUsed(entries: readonly Entry[], most: number): Promise<void> {
  let total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total <= most) return
  const dated = await Promise.all(entries.map(async (entry) => ({ ...entry, used: await usedAt(entry.place) })))
  for (const { place, size, used } of dated.sort((a, b) => a.used - b.used)) {
    if (total <= most * SWEEP_TARGET || Date.now() - used < 2 * HOUR) return
    await rm(place, { recursive: true, force: true })
    total -= size
  }
}

const usedAt = (place: string): Promise<number> =>
  stat(place).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  )
