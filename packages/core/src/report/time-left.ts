/**
 * Share of the work that must be done before the time is estimated. Earlier, too few images are known to judge the
 * rest.
 */
const ENOUGH = 0.1

/**
 * Largest share of an image in work that may count as done: one that takes longer than expected seldom ends at once.
 */
const NEARLY = 0.7

/** Estimates the time that is left from the pace of the work so far. */
export interface TimeLeft {
  /**
   * Starts again from 0.
   * @param all weights of all images, keyed by identity, or the sum of the weights if only that is known. Default: the
   * weights of images that have begun.
   */
  startOver(all?: ReadonlyMap<string, number> | number): void
  begin(id: string, weight: number): void
  end(id: string): void
  /** Returns milliseconds until all known work is done; `undefined` while too little is done for an estimate. */
  estimate(): number | undefined
}

/**
 * Creates an estimate.
 * @param now a clock in milliseconds; default: the system clock
 */
export function createTimeLeft(now: () => number = () => Date.now()): TimeLeft {
  const waiting = new Map<string, { weight: number; began: number }>()
  let done = 0
  /** Sum of the milliseconds that each finished image took. */
  let taken = 0
  /** Milliseconds in which at least one image was in work. A dev server has pauses between images. */
  let busy = 0
  let busySince = 0
  /** Images that have not begun, the heaviest first. Those that begin are removed later. */
  let coming: (readonly [id: string, weight: number])[] = []
  const begun = new Set<string>()
  let begunWeight = 0
  let comingWeight = 0

  return {
    startOver(all = 0) {
      coming = typeof all === 'number' ? [] : [...all].sort((a, b) => b[1] - a[1])
      comingWeight = typeof all === 'number' ? all : coming.reduce((sum, [, weight]) => sum + weight, 0)
      begun.clear()
      begunWeight = [...waiting.values()].reduce((sum, { weight }) => sum + weight, 0)
      done = 0
      taken = 0
      busy = 0
      busySince = now()
    },
    begin(id, weight) {
      if (waiting.size === 0) busySince = now()
      waiting.set(id, { weight, began: now() })
      begun.add(id)
      begunWeight += weight
    },
    end(id) {
      const ended = waiting.get(id)
      if (ended === undefined) return
      waiting.delete(id)
      done += ended.weight
      taken += now() - ended.began
      if (waiting.size === 0) busy += now() - busySince
    },
    estimate() {
      const all = Math.max(comingWeight, begunWeight)
      if (done === 0 || done < all * ENOUGH) return undefined
      const passed = busy + (waiting.size > 0 ? now() - busySince : 0)
      /** Weight per millisecond of a single image while others are in work at the same time. */
      const pace = done / Math.max(1, taken)
      let left = all - done
      while (coming.length > 0 && begun.has(coming[0]![0])) coming.shift()
      let longest = (coming[0]?.[1] ?? 0) / pace
      let waited = taken
      for (const { weight, began } of waiting.values()) {
        waited += now() - began
        const made = Math.min(weight * NEARLY, (now() - began) * pace)
        left -= made
        longest = Math.max(longest, (weight - made) / pace)
      }
      const together = Math.max(1, waited / Math.max(1, passed))
      // At the end, one large image may be the only one that is waited for.
      return Math.max(left / (pace * together), longest)
    },
  }
}
