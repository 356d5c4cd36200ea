import type { Operations } from '@pixpress/core'
import { FLAGS } from '../../directives/vocabulary.ts'
import type { ReferenceQuery } from '../../modules/reference.ts'
import type { ImageUse } from '../../references/types.ts'

/**
 * Describes what a reference asks for: the image as the options have it, its untouched bytes, what directives say, or
 * nothing that is answered here (`?raw`, another plugin's query).
 */
export type RequestKind = 'image' | 'original' | 'directives' | 'foreign'

/** Describes what a module is to be made with, where its own request does not say it. */
export interface ImageSpec {
  readonly use?: ImageUse
  readonly operations?: Operations
}

/** The parameter that carries a spec from one module to another. Bundlers' parameters begin with two underscores. */
const SPEC_PARAMETER = '__pixpress'

/** Queries of references that get a default module type: none, the flags that are answered here, and a spec. */
export const OWN_QUERY: RegExp = /^(?:\?(?:url|no-inline|original)?(?:&?__pixpress=[^&]*)?)?$/

/** The same with `inline`. */
export const INLINE_QUERY: RegExp = /^\?inline(?:&__pixpress=[^&]*)?$/

/** Returns the kind of request that a query stands for. */
export function requestKindOf({ isOwn, hasDirectives, original }: ReferenceQuery): RequestKind {
  if (!isOwn) return 'foreign'
  if (hasDirectives) return 'directives'
  return original ? 'original' : 'image'
}

/** Adds a spec to a query (with its `?`, or empty). The text is the same in every process, as caches keep it. */
export function withSpec(query: string, spec: ImageSpec): string {
  const parameter = `${SPEC_PARAMETER}=${encodeURIComponent(JSON.stringify(spec))}`
  return query === '' || query === '?' ? `?${parameter}` : `${query}&${parameter}`
}

/** Reads the spec that `withSpec` added to a query; an empty object if there is none. */
export function readSpec(query: string): ImageSpec {
  const text = new URLSearchParams(query).get(SPEC_PARAMETER)
  return text === null ? {} : (JSON.parse(text) as ImageSpec)
}

/**
 * The query that stays part of an image's name (`[query]` in the bundler's templates): without what only says how the
 * image is to be handed over.
 */
export function nameQuery(query: ReferenceQuery): string {
  return requestKindOf(query) === 'directives' ? '' : without(query.text, [...FLAGS, SPEC_PARAMETER])
}

/** The query that the project's rules may look at: without what only this plugin knows. */
export function ruleQuery(query: ReferenceQuery): string {
  return requestKindOf(query) === 'directives'
    ? deliveryQuery(query)
    : without(query.text, ['original', SPEC_PARAMETER])
}

function without(query: string, names: readonly string[]): string {
  const rest = query
    .slice(1)
    .split('&')
    .filter((parameter) => !names.includes(parameter.replace(/=.*$/s, '')))
  return rest.length === 0 || rest[0] === '' ? '' : `?${rest.join('&')}`
}

/** The flags of a query that decide how an image is handed over, as the query of another request. */
export function deliveryQuery({ url, inline }: ReferenceQuery): string {
  if (inline !== undefined) return inline ? '?inline' : '?no-inline'
  return url ? '?url' : ''
}
