import type { XastElement } from 'svgo'

/** Pixels of CSS per unit. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  em: 16,
  rem: 16,
  ex: 8,
}

/** Returns the pixels of an element by its own measures, or by its `viewBox`. */
export function sizeOf({ attributes }: XastElement): { width: number; height: number } | undefined {
  const [, , boxWidth, boxHeight] = (attributes.viewBox ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const width = pixelsOf(attributes.width) ?? boxWidth
  const height = pixelsOf(attributes.height) ?? boxHeight
  return width === undefined || height === undefined ? undefined : { width, height }
}

/** Reads a length; `undefined` for a share of something. */
function pixelsOf(length: string | undefined): number | undefined {
  const [, value, unit] = /^\s*([-+]?[\d.]+(?:e[-+]?\d+)?)([a-z]*)\s*$/i.exec(length ?? '') ?? []
  return value === undefined ? undefined : Number(value) * (UNITS[unit!.toLowerCase()] ?? NaN)
}
