import { describe, expect, it } from 'vitest'
import { createTimeLeft } from '../../src/report/time-left.ts'

/** Numbers that are the same in every run (a linear congruential generator, as in Numerical Recipes). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Image {
  readonly weight: number
  readonly time: number
}

/**
 * Simulates work on images, some at once, with its own clock.
 * @returns the estimates, each with the time that it really took
 */
function simulate(images: readonly Image[], slots: number): { share: number; said: number; true: number }[] {
  let now = 0
  const left = createTimeLeft(() => now)
  left.startOver(new Map(images.map(({ weight }, at) => [String(at), weight])))
  const all = images.reduce((sum, { weight }) => sum + weight, 0)
  const said: { at: number; share: number; said: number }[] = []
  const running = new Map<number, number>()
  let next = 0
  let done = 0
  while (next < images.length || running.size > 0) {
    while (running.size < slots && next < images.length) {
      left.begin(String(next), images[next]!.weight)
      running.set(next, now + images[next]!.time)
      next++
    }
    const [first, ends] = [...running].reduce((a, b) => (b[1] < a[1] ? b : a))
    for (; now + 100 < ends; now += 100) {
      const estimate = left.estimate()
      if (estimate !== undefined) said.push({ at: now, share: done / all, said: estimate })
    }
    now = ends
    running.delete(first)
    left.end(String(first))
    done += images[first]!.weight
  }
  return said.map(({ at, ...rest }) => ({ ...rest, true: now - at }))
}

describe('the time left', () => {
  it.each([2, 4, 9])('is right within a factor of two from the first tenth on, with %d images at once', (slots) => {
    const wrong = new Set<number>()
    for (let seed = 1; seed <= 30; seed++) {
      const random = numbers(seed)
      // The images have 0.05 to 12 megapixels, most of them few, and take 0.7 to 1.4 µs per pixel.
      const images = Array.from({ length: 120 }, () => {
        const weight = 50_000 * 240 ** (random() ** 2)
        return { weight, time: weight * (0.0007 + 0.0007 * random()) }
      })
      const estimates = simulate(images, slots)
      expect(estimates[0]!.share).toBeLessThan(0.3)
      // The duration of the very last images, with few others in work, does not follow from the average.
      for (const { said, true: truth } of estimates.filter(({ share }) => share < 0.75)) {
        expect(said / truth, `seed ${seed}`).toBeGreaterThan(0.4)
        expect(said / truth, `seed ${seed}`).toBeLessThan(2.5)
        if (said / truth < 0.5 || said / truth > 2) wrong.add(seed)
      }
    }
    // The one exception is a run whose few heavy images are all slow.
    expect(wrong.size).toBeLessThanOrEqual(1)
  })

  it('says nothing before a tenth is done, and nothing of nothing', () => {
    const left = createTimeLeft(() => 0)
    left.startOver(
      new Map([
        ['a', 9],
        ['b', 1],
        ['c', 90],
      ]),
    )
    left.begin('a', 9)
    left.end('a')
    expect(left.estimate()).toBeUndefined()
    left.begin('b', 1)
    left.end('b')
    expect(left.estimate()).toBeDefined()
  })
})
