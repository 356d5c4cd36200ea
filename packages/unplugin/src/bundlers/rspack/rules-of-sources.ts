import { IMAGE_TYPES } from '@pixpress/core'
import { IMAGE_EXTENSIONS, factsOf } from '@pixpress/core/internal'
import { IMAGE_FILE } from '../../base/paths.ts'
import type { RuleLike } from '../webpack-like/default-rules.ts'
import { matchesCondition } from '../webpack-like/rule-condition.ts'

const SAMPLES = IMAGE_EXTENSIONS.map((extension) => `/image.${extension}`)

/** Facts about the source of an image, by the path that its module has. */
export interface SourcesOfNames {
  /** The path of a renamed image's source. */
  fileOf(name: string): string | undefined
  /** Its bytes, where no directive asks for another image. */
  sizeOf(name: string): number | undefined
}

/**
 * Copies of rules that see a renamed image by its source: a rule for `.png` goes on to apply to an image that becomes
 * `a.webp`, and one for `.webp` does not begin to. (Rspack asks rules about the new name; webpack's are asked before
 * there is one.) Rules that are not about images stay native conditions.
 * @param maxSize The bytes that rules of type `asset` inline, where they do not say it themselves.
 */
export function rulesOfSources<Rule>(rules: readonly Rule[], sources: SourcesOfNames, maxSize: number): Rule[] {
  return rules.map((rule) => {
    if (typeof rule !== 'object' || rule === null) return rule
    const copy: Record<string, unknown> = { ...(rule as RuleLike) }
    const limit = limitOf(rule) ?? maxSize
    for (const key of ['test', 'include', 'exclude', 'resource'] as const) {
      const condition = (rule as RuleLike)[key]
      if (condition !== undefined) copy[key] = conditionOfSources(condition, sources)
    }
    for (const key of ['rules', 'oneOf'] as const) {
      const nested = (rule as RuleLike)[key]
      if (Array.isArray(nested)) copy[key] = rulesOfSources(nested as unknown[], sources, limit)
    }
    const typed = [...mediaTypeRules(rule, sources), ...fileRules(rule, sources, limit)]
    if (typed.length > 0) copy.rules = [...(Array.isArray(copy.rules) ? (copy.rules as unknown[]) : []), ...typed]
    return copy as Rule
  })
}

/** Bytes that a rule inlines. */
export const limitOf = (rule: object): number | undefined =>
  (rule as { parser?: { dataUrlCondition?: { maxSize?: number } } }).parser?.dataUrlCondition?.maxSize

/** A rule inside one that can inline images, for those whose sources are files by its limit. */
function fileRules({ type, generator }: RuleLike, { sizeOf }: SourcesOfNames, limit: number): object[] {
  if (type !== 'asset') return []
  const { dataUrl: _, ...naming } = (generator ?? {}) as { dataUrl?: unknown }
  const test = { and: [IMAGE_FILE, (name: string): boolean => (sizeOf(name) ?? 0) > limit] }
  return [{ test, type: 'asset/resource', generator: naming }]
}

/**
 * Rules inside one that can inline images, for the media type of renamed ones: Rspack takes it from the source's name.
 * They repeat the type, as Rspack reads generator options by the type beside them.
 */
function mediaTypeRules(rule: RuleLike, { fileOf }: SourcesOfNames): object[] {
  const { type, generator } = rule
  if (type !== 'asset' && type !== 'asset/inline') return []
  const { dataUrl } = (generator ?? {}) as { dataUrl?: unknown }
  if (typeof dataUrl === 'function' || (dataUrl as { mimetype?: unknown } | undefined)?.mimetype !== undefined)
    return []
  const isRenamed = (file: string): boolean => fileOf(file) !== undefined
  return IMAGE_TYPES.map((mimetype) => {
    const test = { and: [new RegExp(`\\.(?:${factsOf(mimetype).extensions.join('|')})$`, 'i'), isRenamed] }
    return { test, type, generator: { ...(generator as object), dataUrl: { ...(dataUrl as object), mimetype } } }
  })
}

function conditionOfSources(condition: unknown, { fileOf }: SourcesOfNames): unknown {
  if (!SAMPLES.some((sample) => tellsTypes(condition, sample))) return condition
  const ofSource = (file: string): boolean => matchesCondition(condition, fileOf(file) ?? file)
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
