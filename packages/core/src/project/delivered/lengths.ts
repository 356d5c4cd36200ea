import type { Viewport } from './viewport.ts'

/** CSS pixels of a `rem` and an `em` in media conditions and `sizes`. */
const ROOT_FONT = 16

const UNITS: Readonly<Record<string, (viewport: Viewport) => number>> = {
  px: () => 1,
  em: () => ROOT_FONT,
  rem: () => ROOT_FONT,
  ch: () => ROOT_FONT / 2,
  in: () => 96,
  cm: () => 96 / 2.54,
  mm: () => 96 / 25.4,
  pt: () => 96 / 72,
  pc: () => 16,
  vw: ({ width }) => width / 100,
  svw: ({ width }) => width / 100,
  lvw: ({ width }) => width / 100,
  dvw: ({ width }) => width / 100,
  vi: ({ width }) => width / 100,
  vh: ({ height }) => height / 100,
  vmin: ({ width, height }) => Math.min(width, height) / 100,
  vmax: ({ width, height }) => Math.max(width, height) / 100,
}

const TOKEN = /\s*(?:(\d*\.?\d+(?:e[+-]?\d+)?)(%|[a-z]+)?|(calc|min|max|clamp)?\(|([-+*/),]))/iy

/**
 * Reads a CSS length or calculation (CSS Values and Units Level 4: `calc`, `min`, `max`, `clamp`) in CSS pixels;
 * `undefined` where it is none that is known.
 */
export function lengthOf(text: string, viewport: Viewport): number | undefined {
  let at = 0
  let token: RegExpExecArray | null = null
  const advance = (): void => {
    TOKEN.lastIndex = at
    token = TOKEN.exec(text)
    if (token !== null) at = TOKEN.lastIndex
  }
  const isSign = (...signs: readonly string[]): boolean => token !== null && signs.includes(token[4] ?? '')

  function sum(): number {
    let value = product()
    while (isSign('+', '-')) {
      const factor = isSign('+') ? 1 : -1
      advance()
      value += factor * product()
    }
    return value
  }

  function product(): number {
    let value = operand()
    while (isSign('*', '/')) {
      const divides = isSign('/')
      advance()
      const other = operand()
      value = divides ? value / other : value * other
    }
    return value
  }

  function operand(): number {
    if (token === null) return Number.NaN
    if (isSign('-', '+')) {
      const factor = isSign('-') ? -1 : 1
      advance()
      return factor * operand()
    }
    const [, number, unit, name] = token
    if (number !== undefined) {
      advance()
      return Number(number) * (unit === undefined ? 1 : (UNITS[unit.toLowerCase()]?.(viewport) ?? Number.NaN))
    }
    if (isSign('*', '/', ')', ',')) return Number.NaN
    advance()
    const values = [sum()]
    while (isSign(',')) {
      advance()
      values.push(sum())
    }
    if (!isSign(')')) return Number.NaN
    advance()
    return called(name?.toLowerCase(), values)
  }

  advance()
  const value = sum()
  return at < text.trimEnd().length || token !== null || !Number.isFinite(value) ? undefined : value
}

function called(name: string | undefined, values: readonly number[]): number {
  if (name === 'min') return Math.min(...values)
  if (name === 'max') return Math.max(...values)
  if (name === 'clamp') return values.length === 3 ? Math.max(values[0]!, Math.min(values[1]!, values[2]!)) : Number.NaN
  return values.length === 1 ? values[0]! : Number.NaN
}
