import { IMAGE_EXTENSIONS } from '@pixpress/core/internal'
import { INLINE_QUERY, OWN_QUERY } from './query.ts'
import { matchesCondition } from './rule-condition.ts'

/** A module rule, as far as it decides which files it is for. */
export interface RuleLike {
  readonly test?: unknown
  readonly include?: unknown
  readonly exclude?: unknown
  readonly resource?: unknown
  readonly resourceQuery?: unknown
  readonly type?: unknown
  readonly generator?: unknown
  readonly rules?: unknown
  readonly oneOf?: unknown
}

/**
 * Rules to stand before the project's own, so that images need none: an import becomes a file, `?inline` a `data:` URL.
 * Only for extensions that no rule of the project is about: such a rule, an image loader without a type included, is
 * complete. `new URL` and `url()` have their defaults from the bundler.
 */
export function defaultRules(rules: readonly unknown[]): object[] {
  const free = IMAGE_EXTENSIONS.filter((extension) => !rules.some((rule) => speaksOf(rule, `.${extension}`)))
  if (free.length === 0) return []
  const test = new RegExp(`\\.(?:${free.join('|')})$`, 'i')
  return [
    { test, dependency: { not: ['url'] }, resourceQuery: OWN_QUERY, type: 'asset/resource' },
    { test, resourceQuery: INLINE_QUERY, type: 'asset/inline' },
  ]
}

/** Tells whether a rule makes every reference to a file a `data:` URL. */
export function isAlwaysInlined(rules: unknown, file: string): boolean {
  if (!Array.isArray(rules)) return false
  return rules.some((rule: unknown) => {
    if (typeof rule !== 'object' || rule === null) return false
    const { test, include, resource, resourceQuery, type, rules: nested, oneOf } = rule as RuleLike
    const isFor = [test, include, resource].every((each) => each === undefined || matchesCondition(each, file))
    if (!isFor || resourceQuery !== undefined) return false
    return type === 'asset/inline' || isAlwaysInlined(nested, file) || isAlwaysInlined(oneOf, file)
  })
}

/** Tells whether a rule, or one inside it, is about this query in particular. */
export function speakOfQuery(rules: unknown, query: string): boolean {
  if (!Array.isArray(rules) || query === '') return false
  return rules.some((rule: unknown) => {
    if (typeof rule !== 'object' || rule === null) return false
    const { resourceQuery, rules: nested, oneOf } = rule as RuleLike
    if (resourceQuery !== undefined && matchesCondition(resourceQuery, query)) return true
    return speakOfQuery(nested, query) || speakOfQuery(oneOf, query)
  })
}

/** Tells whether a rule, or one inside it, has a condition on the file that one with this extension meets. */
function speaksOf(rule: unknown, extension: string): boolean {
  if (typeof rule !== 'object' || rule === null) return false
  const { test, resource, rules, oneOf } = rule as RuleLike
  const nested = [rules, oneOf].flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : []))
  if (nested.some((each) => speaksOf(each, extension))) return true
  return [test, resource].some(
    (condition) => condition !== undefined && matchesCondition(condition, `image${extension}`),
  )
}
