import { invalidOption } from '../base/errors.ts'
import { createPathMatcher } from '../files/path-patterns.ts'
import type { FilterPattern } from '../files/path-patterns.ts'
import { parseBytes } from '../options/byte-size.ts'
import { isWithin, plainObject } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import { PATTERNS } from './patterns.ts'
import { refuseUnknownKeys } from '../options/unknown-key.ts'

/** Bytes that some images may have. At least one of `image`, `total` and `growth` is given, or `page` alone. */
export interface Budget {
  /**
   * The images: globs or regular expressions on the path relative to the root. With `page` the pages, relative to their
   * folder. Default: all.
   */
  include?: FilterPattern
  /** Images that the budget leaves alone. */
  exclude?: FilterPattern
  /** The most bytes of each image, as a number or a text such as `200 kB`. */
  image?: number | string
  /** The most bytes of all images together. */
  total?: number | string
  /**
   * The most that all images together may grow by against a baseline: bytes, a size, or percent of the baseline, as
   * `5%`.
   */
  growth?: number | string
  /**
   * The most bytes of the images that one page of `pixpress check --pages` delivers, in the window where they have
   * most.
   */
  page?: number | string
}

/** A budget, checked. */
export interface ResolvedBudget {
  /** Its patterns as a person wrote them, or `all images`. */
  readonly name: string
  /** Tells whether the budget is for a path relative to the root, with forward slashes. */
  readonly matches: (relative: string) => boolean
  /** Bytes of one image. */
  readonly image: number | undefined
  /** Bytes of all images. */
  readonly total: number | undefined
  /** Bytes that a baseline of so many bytes may grow by. */
  readonly growth: ((baseline: number) => number) | undefined
  /** Bytes of the images that one page delivers; `matches` is for pages then. */
  readonly page: number | undefined
}

const IMAGE_LIMITS = ['image', 'total', 'growth'] as const
const LIMITS = [...IMAGE_LIMITS, 'page'] as const
const SIZE_SCHEMA = { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }] }

/** A list of budgets. */
export const BUDGETS: Parser<readonly Budget[]> = {
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        include: PATTERNS.schema,
        exclude: PATTERNS.schema,
        ...Object.fromEntries(LIMITS.map((key) => [key, SIZE_SCHEMA])),
      },
      additionalProperties: false,
    },
  },
  parse(value, option) {
    if (!Array.isArray(value)) throw invalidOption(option, 'a list of objects', value)
    for (const [index, each] of value.entries()) resolved(each, `${option}[${index}]`)
    return value as readonly Budget[]
  },
}

/** @throws PixpressError `INVALID_OPTION` */
export function resolveBudgets(budgets: readonly Budget[] = []): readonly ResolvedBudget[] {
  return budgets.map((budget, index) => resolved(budget, `budgets[${index}]`))
}

function resolved(value: unknown, option: string): ResolvedBudget {
  const given = plainObject(option, value) as Budget
  refuseUnknownKeys(option, given, ['include', 'exclude', ...LIMITS])
  const { include, exclude, image, total, growth, page } = given
  if (LIMITS.every((key) => given[key] === undefined)) {
    throw invalidOption(option, "a budget with 'image', 'total', 'growth' or 'page'", value)
  }
  if (page !== undefined && IMAGE_LIMITS.some((key) => given[key] !== undefined)) {
    throw invalidOption(option, "'page' in a budget of its own, as its patterns are for pages,", value)
  }
  if (include !== undefined) PATTERNS.parse(include, `${option}.include`)
  if (exclude !== undefined) PATTERNS.parse(exclude, `${option}.exclude`)
  const isIncluded = include === undefined ? () => true : createPathMatcher(include)
  const isExcluded = exclude === undefined ? () => false : createPathMatcher(exclude)
  return {
    name:
      include === undefined
        ? page === undefined
          ? 'all images'
          : 'all pages'
        : [include].flat().map(String).join(', '),
    matches: (relative) => isIncluded(relative) && !isExcluded(relative),
    image: image === undefined ? undefined : size(image, `${option}.image`),
    total: total === undefined ? undefined : size(total, `${option}.total`),
    growth: growth === undefined ? undefined : growthOf(growth, `${option}.growth`),
    page: page === undefined ? undefined : size(page, `${option}.page`),
  }
}

/** Returns the bytes, as a number or a text. */
function size(value: unknown, option: string): number {
  if (typeof value === 'string') return parseBytes(option, value, 0)
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw invalidOption(option, "bytes, or a size such as '200 kB'", value)
}

function growthOf(value: unknown, option: string): (baseline: number) => number {
  const [, percent] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(typeof value === 'string' ? value : '') ?? []
  if (percent === undefined) {
    const bytes = size(value, option)
    return () => bytes
  }
  const share = Number(percent) / 100
  if (!isWithin(share, 0, 1000)) throw invalidOption(option, "a size, or percent such as '5%'", value)
  return (baseline) => Math.floor(baseline * share)
}
