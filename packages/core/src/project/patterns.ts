import { invalidOption } from '../base/errors.ts'
import type { FilterPattern } from '../files/path-patterns.ts'
import type { Parser } from '../options/parsers.ts'

/** Globs or regular expressions on paths relative to the root. */
export const PATTERNS: Parser<FilterPattern> = {
  schema: {
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', items: { type: 'string', minLength: 1 } },
    ],
  },
  parse(value, option) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const isPattern = each instanceof RegExp || (typeof each === 'string' && each !== '')
      if (!isPattern) throw invalidOption(option, 'a glob, a RegExp, or a list of them', each)
    }
    return value as FilterPattern
  },
}
