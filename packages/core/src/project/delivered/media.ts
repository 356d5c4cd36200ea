import { lengthOf } from './lengths.ts'
import type { Viewport } from './viewport.ts'

const FEATURES: Readonly<Record<string, (value: string, viewport: Viewport) => boolean>> = {
  'min-width': (value, viewport) => viewport.width >= (lengthOf(value, viewport) ?? Infinity),
  'max-width': (value, viewport) => viewport.width <= (lengthOf(value, viewport) ?? -Infinity),
  'min-height': (value, viewport) => viewport.height >= (lengthOf(value, viewport) ?? Infinity),
  'max-height': (value, viewport) => viewport.height <= (lengthOf(value, viewport) ?? -Infinity),
  'min-resolution': (value, { ratio }) => ratio >= resolution(value),
  'max-resolution': (value, { ratio }) => ratio <= resolution(value),
  orientation: (value, { width, height }) => value === (width > height ? 'landscape' : 'portrait'),
}

const COMPARISONS: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '=': (one, other) => one === other,
}

/**
 * Tells whether a media query (Media Queries Level 4) holds: alternatives by commas or `or`, conditions by `and`, with
 * `not`. Preferences, such as a dark colour scheme, count as not given.
 */
export function matchesMedia(query: string, viewport: Viewport): boolean {
  return query
    .toLowerCase()
    .split(/,|\bor\b/)
    .some((each) => {
      const text = each.trim()
      const isNot = /^not\b/.test(text)
      const conditions = text.replace(/^(?:not|only)\b/, '').split(/\band\b/)
      return conditions.every((condition) => holds(condition.trim(), viewport)) !== isNot
    })
}

function holds(condition: string, viewport: Viewport): boolean {
  if (condition === '' || condition === 'all' || condition === 'screen') return true
  const inner = /^\((.*)\)$/s.exec(condition)?.[1]?.trim()
  if (inner === undefined) return false
  const [name, value] = inner.split(':').map((part) => part.trim())
  if (value !== undefined) return FEATURES[name!]?.(value, viewport) ?? false
  return compares(inner, viewport)
}

/** `600px <= width < 900px` and its halves. */
function compares(text: string, viewport: Viewport): boolean {
  const parts = text.split(/(<=|>=|<|>|=)/).map((part) => part.trim())
  if (parts.length < 3) return false
  const values = parts.map((part, at) => {
    if (at % 2 === 1) return 0
    return part === 'width'
      ? viewport.width
      : part === 'height'
        ? viewport.height
        : (lengthOf(part, viewport) ?? Number.NaN)
  })
  return parts.every((sign, at) => at % 2 === 0 || COMPARISONS[sign]!(values[at - 1]!, values[at + 1]!))
}

function resolution(value: string): number {
  const [, number, unit] = /^([\d.]+)(dppx|x|dpi|dpcm)$/.exec(value) ?? []
  if (number === undefined) return Number.NaN
  return Number(number) / (unit === 'dpi' ? 96 : unit === 'dpcm' ? 96 / 2.54 : 1)
}
