/** The way in which an image is made. */
export type Path = 'full' | 'quick'

/** Tells whether there is time for the full effort, from what images of this build have taken so far. */
export interface Forecast {
  /** Announces pixels that are to be made by and by. */
  expect(pixels: number): void
  /** Tells whether an expected image, made now at full effort, leaves the others the time for a quick path. */
  hasTimeFor(pixels: number): boolean
  /** An expected image is begun. The answer is called when it has ended. */
  begin(pixels: number, path: Path): () => void
  /** Starts another build with all of its time. Measurements of earlier images stay. */
  restart(): void
}

/** A guess that counts as this much work until there is more to go by. */
const GUESS = { pixels: 100_000, milliseconds: 150 } as const

/** Milliseconds of the quick path for one of the full effort, where no image took it yet. */
const QUICK = 0.5

interface Work {
  pixels: number
  milliseconds: number
}

/**
 * @param budget milliseconds in which images may be worked on at full effort; the clock only runs while some are
 * @param workers images that are worked on at once
 * @param now milliseconds of a clock that never goes back
 */
export function createForecast(budget: number, workers: number, now: () => number): Forecast {
  const done: Record<Path, Work> = { full: { ...GUESS }, quick: { pixels: 0, milliseconds: 0 } }
  const running = new Set<{ readonly since: number; readonly pixels: number; readonly path: Path }>()
  /** Pixels of images that have not begun. */
  let waiting = 0
  /** Milliseconds in which something was worked on, without the present stretch. */
  let busy = 0
  let busySince = 0

  function rate(path: Path): number {
    const { pixels, milliseconds } = done[path]
    return pixels === 0 ? rate('full') * QUICK : milliseconds / pixels
  }

  function elapsed(): number {
    return busy + (running.size > 0 ? now() - busySince : 0)
  }

  return {
    expect(pixels) {
      waiting += pixels
    },
    hasTimeFor(pixels) {
      const left = budget - elapsed()
      const own = pixels * rate('full')
      const others = Math.max(0, waiting - pixels) * rate('quick')
      const begun = [...running].reduce(
        (sum, each) => sum + Math.max(0, each.pixels * rate(each.path) - (now() - each.since)),
        0,
      )
      return own <= left && (begun + own + others) / workers <= left
    },
    begin(pixels, path) {
      waiting = Math.max(0, waiting - pixels)
      const since = now()
      if (running.size === 0) busySince = since
      const job = { since, pixels, path }
      running.add(job)
      return () => {
        running.delete(job)
        const end = now()
        done[path].pixels += pixels
        done[path].milliseconds += end - since
        if (running.size === 0) busy += end - busySince
      }
    },
    restart() {
      busy = 0
      busySince = now()
    },
  }
}
