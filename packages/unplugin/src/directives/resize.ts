import { invalidOption } from '@pixpress/core/internal'
import type { ResizeMethod, ResizeOptions } from '@pixpress/core'
import type { Combination } from './combination.ts'
import type { Dimensions } from './rows.ts'
import type { Fit } from './vocabulary.ts'

/**
 * Refuses directives that contradict each other whatever else is given.
 * @param prefix What to put before a directive's name in a message.
 * @throws PixpressError `INVALID_OPTION`
 */
export function checkResize({ w, h, fit, method }: Combination, prefix: string = ''): void {
  if (fit !== undefined && method !== undefined) {
    throw invalidOption(`${prefix}fit`, "either 'fit' or 'method'", `fit=${fit}&method=${method}`)
  }
  if (method === 'scale' && w !== undefined && h !== undefined) {
    const expected = "exactly one of 'w' and 'h' with method 'scale'"
    throw invalidOption(`${prefix}method`, expected, `w=${w}&h=${h}`, "'fit', 'cover' and 'thumb' take both.")
  }
}

/**
 * The resize that a combination asks for, brought down to the source's size, since nothing is scaled up: equal results
 * become equal options. One dimension scales; both together crop unless `fit` or `method` says otherwise, which is
 * imagetools' default.
 * @returns `null` when the result would have the source's own size.
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveResize(combination: Combination, source: Dimensions): ResizeOptions | null {
  checkResize(combination)
  const { w, h, fit, method } = combination
  if (w !== undefined && h !== undefined) return withBoth(fit ?? method ?? 'cover', w, h, source)
  const directive = fit === undefined ? 'method' : 'fit'
  const chosen = fit ?? method
  const given = w === undefined ? (h === undefined ? 'neither' : `h=${h}`) : `w=${w}`
  if (chosen !== undefined && chosen !== 'scale') {
    throw invalidOption(directive, `both 'w' and 'h' with ${directive} '${chosen}'`, given)
  }
  if (w !== undefined) return scale('width', w, source)
  if (h !== undefined) return scale('height', h, source)
  throw invalidOption(directive, "exactly one of 'w' and 'h' with method 'scale'", given)
}

function withBoth(how: Fit | ResizeMethod, width: number, height: number, source: Dimensions): ResizeOptions | null {
  switch (how) {
    case 'outside':
      // The smallest size that covers the box: the dimension that needs the larger factor decides.
      return width * source.height >= height * source.width
        ? scale('width', width, source)
        : scale('height', height, source)
    case 'inside':
    case 'fit':
      return unlessWhole(
        'fit',
        Math.min(width, source.width || width),
        Math.min(height, source.height || height),
        source,
      )
    case 'thumb':
      // Adds background around a free-standing object, so its box may be larger than the source.
      return { method: 'thumb', width, height }
    default: {
      // The largest crop of the box's proportions that the source holds.
      const factor = Math.min(1, (source.width || width) / width, (source.height || height) / height)
      const shrunk = (pixels: number): number => Math.max(1, Math.round(pixels * factor))
      return unlessWhole('cover', shrunk(width), shrunk(height), source)
    }
  }
}

function scale(dimension: 'width' | 'height', pixels: number, source: Dimensions): ResizeOptions | null {
  if (source[dimension] > 0 && pixels >= source[dimension]) return null
  return dimension === 'width' ? { method: 'scale', width: pixels } : { method: 'scale', height: pixels }
}

function unlessWhole(method: 'fit' | 'cover', width: number, height: number, source: Dimensions): ResizeOptions | null {
  return width === source.width && height === source.height ? null : { method, width, height }
}
