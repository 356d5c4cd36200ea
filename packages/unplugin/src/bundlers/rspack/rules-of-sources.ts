import { IMAGE_TYPES } from '@pixpress/core'
import { IMAGE_EXTENSIONS, factsOf } from '@pixpress/core/internal'
import { IMAGE_FILE } from '../../base/paths.ts'
import type { RuleLike } from '../webpack-like/default-rules.ts'
import { matchesCondition } from '../webpack-like/rule-condition.ts'

const SAMPLES = IMAGE_EXTENSIONS.map((extension) => `/image.${extension}`)

/**
 * Copies of rules that see a renamed image by its source: a rule for `.png` goes on to apply to an image that becomes
 * `a.webp`, and one for `.webp` does not begin to. (Rspack asks rules about the new name; webpack's are asked before
 * there is one.) Rules that are not about images stay native conditions.
 * @param sourceOf The source of a renamed image's path.
 */
export function rulesOfSources<Rule>(rules: readonly Rule[], sourceOf: (file: string) => string | undefined): Rule[] {
  return rules.map((rule) => {
    if (typeof rule !== 'object' || rule === null) return rule
    const copy: Record<string, unknown> = { ...(rule as RuleLike) }
    for (const key of ['test', 'include', 'exclude', 'resource'] as const) {
      const condition = (rule as RuleLike)[key]
      if (condition !== undefined) copy[key] = conditionOfSources(condition, sourceOf)
    }
    for (const key of ['rules', 'oneOf'] as const) {
      const nested = (rule as RuleLike)[key]
      if (Array.isArray(nested)) copy[key] = rulesOfSources(nested as unknown[], sourceOf)
    }
    const typed = mediaTypeRules(rule, sourceOf)
    if (typed.length > 0) copy.rules = [...(Array.isArray(copy.rules) ? (copy.rules as unknown[]) : []), ...typed]
    return copy as Rule
  })
}

/**
 * Rules inside one that can inline images, for the media type of renamed ones: Rspack takes it from the source's name.
 * They repeat the type, as Rspack reads generator options by the type beside them.
 */
function mediaTypeRules(rule: RuleLike, sourceOf: (file: string) => string | undefined): object[] {
  const { type, generator } = rule
  if (type !== 'asset' && type !== 'asset/inline') return []
  const { dataUrl } = (generator ?? {}) as { dataUrl?: unknown }
  if (typeof dataUrl === 'function' || (dataUrl as { mimetype?: unknown } | undefined)?.mimetype !== undefined)
    return []
  const isRenamed = (file: string): boolean => sourceOf(file) !== undefined
  return IMAGE_TYPES.map((mimetype) => {
    const test = { and: [new RegExp(`\\.(?:${factsOf(mimetype).extensions.join('|')})$`, 'i'), isRenamed] }
    return { test, type, generator: { ...(generator as object), dataUrl: { ...(dataUrl as object), mimetype } } }
  })
}

function conditionOfSources(condition: unknown, sourceOf: (file: string) => string | undefined): unknown {
  if (!SAMPLES.some((sample) => tellsTypes(condition, sample))) return condition
  const ofSource = (file: string): boolean => matchesCondition(condition, sourceOf(file) ?? file)
  return { or: [{ and: [{ not: IMAGE_FILE }, condition] }, { and: [IMAGE_FILE, ofSource] }] }
}

/**
 * Tells whether a condition can depend on an image's extension. Prefixes do not; what a function looks at is not known.
 */
function tellsTypes(condition: unknown, sample: string): boolean {
  if (typeof condition === 'string') return false
  if (typeof condition === 'function') return true
  if (condition instanceof RegExp) return matchesCondition(condition, sample)
  if (Array.isArray(condition)) return condition.some((each) => tellsTypes(each, sample))
  if (typeof condition !== 'object' || condition === null) return false
  const { and, or, not } = condition as { and?: unknown; or?: unknown; not?: unknown }
  return [and, or, not].some((each) => each !== undefined && tellsTypes(each, sample))
}
