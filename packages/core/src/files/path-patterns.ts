import { createRequire } from 'node:module'
import type Picomatch from 'picomatch'

/** A glob, a regular expression, or a list of both of which one must match. An empty list matches nothing. */
export type FilterPattern = string | RegExp | readonly (string | RegExp)[]

type Matcher = (relative: string) => boolean

/**
 * Makes the test of a path relative to the root, with forward slashes. That of a file outside the root begins with
 * `../`; a glob that begins with `**` matches it nevertheless. Globs are picomatch's, and take files whose names begin
 * with a dot.
 */
export function createPathMatcher(pattern: FilterPattern): Matcher {
  const patterns = typeof pattern === 'string' || pattern instanceof RegExp ? [pattern] : pattern
  const matchers = patterns.map((each) => (typeof each === 'string' ? globMatcher(each) : regExpMatcher(each)))
  return (relative) => matchers.some((matches) => matches(relative))
}

function regExpMatcher(pattern: RegExp): Matcher {
  return (relative) => {
    // A global or sticky expression would go on where its last match ended.
    pattern.lastIndex = 0
    return pattern.test(relative)
  }
}

function globMatcher(glob: string): Matcher {
  // The library is loaded when there is a glob at all, which few projects have.
  const picomatch = createRequire(import.meta.url)('picomatch') as typeof Picomatch
  const matches = picomatch(glob, { dot: true })
  const isAnywhere = glob.startsWith('**')
  return (relative) => matches(isAnywhere ? relative.replace(/^(?:\.\.\/)+/, '') : relative)
}
