import { expect, it } from 'vitest'
import { createForecast } from '../../src/drafts/forecast.ts'
import type { Forecast, Path } from '../../src/drafts/forecast.ts'

const MEGAPIXEL = 1e6

/** Opens a forecast with a clock that advances only by the work that is done. */
function open(budget: number, workers = 1): { forecast: Forecast; work(pixels: number, path: Path, ms: number): void } {
  let clock = 1000
  const forecast = createForecast(budget, workers, () => clock)
  return {
    forecast,
    work(pixels, path, ms) {
      const end = forecast.begin(pixels, path)
      clock += ms
      end()
    },
  }
}

it('has time as long as this image at full effort and the others by the quick path fit', () => {
  const { forecast, work } = open(10_000)
  for (let image = 0; image < 8; image++) forecast.expect(MEGAPIXEL)
  work(MEGAPIXEL, 'full', 2000)
  // Seven more at 1.9 s each, or half of that by the quick path: two of them at full effort and the rest fit into 8 s.
  expect(forecast.hasTimeFor(MEGAPIXEL)).toBe(true)
  work(MEGAPIXEL, 'full', 2000)
  expect(forecast.hasTimeFor(MEGAPIXEL)).toBe(false)
  work(MEGAPIXEL, 'quick', 200)
  // The quick path turns out to be faster than expected.
  expect(forecast.hasTimeFor(MEGAPIXEL)).toBe(true)
})

it('has twice the time where two are worked on at once, but not for one image that takes it all', () => {
  const images = (workers: number): boolean => {
    const { forecast } = open(2000, workers)
    for (let image = 0; image < 3; image++) forecast.expect(MEGAPIXEL)
    return forecast.hasTimeFor(MEGAPIXEL)
  }
  expect(images(1)).toBe(false)
  expect(images(2)).toBe(true)
  const { forecast } = open(1000, 8)
  forecast.expect(MEGAPIXEL)
  expect(forecast.hasTimeFor(MEGAPIXEL)).toBe(false)
})

it('counts only the time in which something is worked on, and begins anew with each build', () => {
  let clock = 0
  const forecast = createForecast(3000, 1, () => clock)
  forecast.expect(MEGAPIXEL)
  const end = forecast.begin(MEGAPIXEL, 'full')
  clock += 1500
  end()
  clock += 60_000
  forecast.expect(MEGAPIXEL / 2)
  expect(forecast.hasTimeFor(MEGAPIXEL / 2)).toBe(true)
  forecast.begin(MEGAPIXEL / 2, 'full')()
  forecast.expect(MEGAPIXEL)
  clock += 1
  expect(forecast.hasTimeFor(1.5 * MEGAPIXEL)).toBe(false)
  forecast.restart()
  expect(forecast.hasTimeFor(1.5 * MEGAPIXEL)).toBe(true)
})

it('takes what has begun into account', () => {
  const { forecast } = open(2500, 1)
  forecast.expect(MEGAPIXEL)
  forecast.expect(MEGAPIXEL)
  expect(forecast.hasTimeFor(MEGAPIXEL)).toBe(true)
  forecast.begin(MEGAPIXEL, 'full')
  expect(forecast.hasTimeFor(MEGAPIXEL)).toBe(false)
})
