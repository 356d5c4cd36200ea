/** Share of the work that has to be done before anything is said: of less, the first images say too little of the others. */
const ENOUGH = 0.1

/** How far an image that is worked on may count as done: one that takes longer than the others have is seldom about to end. */
const NEARLY = 0.7

/** Estimates how long it takes until all is done, from how long the work so far has taken. */
export interface TimeLeft {
  /** @param all weights of all there is to do, by identity; where nobody knows that, their sum. Default: what has begun. */
  startOver(all?: ReadonlyMap<string, number> | number): void
  begin(id: string, weight: number): void
  end(id: string): void
  /** Milliseconds until all that is known of is done; `undefined` while too little is. */
  estimate(): number | undefined
}

/** @param now milliseconds of a clock; default: that of the system */
export function createTimeLeft(now: () => number = () => Date.now()): TimeLeft {
  const waiting = new Map<string, { weight: number; began: number }>()
  let done = 0
  /** Milliseconds that the images done were waited for, each by itself. */
  let taken = 0
  /** Milliseconds during which something was waited for; a dev server pauses between images. */
  let busy = 0
  let busySince = 0
  /** What is to come, the heaviest first, and what of it has begun. */
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
      /** Of one image among those that are worked on at once, and how many these are. */
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
      // At the end, one large image may be all there is to wait for.
      return Math.max(left / (pace * together), longest)
    },
  }
}
