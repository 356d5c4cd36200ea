import { invalidOption } from '../base/errors.ts'

/** Units of sizes, in lower case. A bare `k` or `m` could be either kind, and is refused. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
}

/**
 * Parses `100`, `300kB` or `1.5 GiB`, wherever a size is written as text: flags, variables, directives.
 * @param option its name in messages
 * @throws PixpressError `INVALID_OPTION` for anything else, and for less than `least` bytes
 */
export function parseBytes(option: string, text: string, least: number = 1): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined
  const value = Math.round(Number(amount) * (factor ?? Number.NaN))
  if (value >= least && Number.isSafeInteger(value)) return value
  throw invalidOption(
    option,
    `a size of at least ${least} ${least === 1 ? 'byte' : 'bytes'}, such as '300kB' or '20MiB'`,
    text,
  )
}
