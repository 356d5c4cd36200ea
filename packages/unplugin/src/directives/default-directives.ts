import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { invalidOption } from '@pixpress/core/internal'
import type { ImageQuery } from './query.ts'
import { isBundlerParameter, parseQuery } from './query.ts'
import type { DirectiveSource } from './rows.ts'

/** Directives with their values, as in a query: a list for alternatives. */
export type DirectiveValues =
  | URLSearchParams
  | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | undefined>>

/**
 * Directives of imports, and of queries elsewhere, that say none of the same name.
 * @param url of the image, with its query as it is written
 * @param metadata what its header says
 */
export type DefaultDirectives =
  | DirectiveValues
  | ((
      url: URL,
      metadata: () => Promise<DirectiveSource>,
    ) => DirectiveValues | undefined | Promise<DirectiveValues | undefined>)

/**
 * @throws PixpressError `INVALID_OPTION` where constant directives are wrong; what a function gives is checked with
 *   each query
 */
export function resolveDefaultDirectives(given: DefaultDirectives | undefined): DefaultDirectives | undefined {
  if (given !== undefined && typeof given !== 'function') directivesOf(given)
  return given
}

/**
 * The default directives for a query, by which what it does not say itself is decided.
 * @throws PixpressError `INVALID_OPTION`
 */
export async function defaultDirectivesFor(
  query: ImageQuery,
  file: string,
  defaults: DefaultDirectives | undefined,
  metadata: () => Promise<DirectiveSource>,
): Promise<ImageQuery['directives']> {
  const given = typeof defaults === 'function' ? await defaults(urlOf(file, query), metadata) : defaults
  return given === undefined ? new Map() : directivesOf(given)
}

/** With the query as it is written: words of the project's own are there for its function to read. */
function urlOf(file: string, { text }: ImageQuery): URL {
  const url = pathToFileURL(path.resolve(file))
  for (const [name, value] of new URLSearchParams(text)) {
    if (!isBundlerParameter(name)) url.searchParams.append(name, value)
  }
  return url
}

function directivesOf(given: DirectiveValues): ImageQuery['directives'] {
  if (typeof given !== 'object') throw invalidOption('defaultDirectives', 'an object or URLSearchParams', given)
  const parameters = given instanceof URLSearchParams ? given : new URLSearchParams(pairsOf(given))
  if (parameters.size === 0) return new Map()
  const { directives } = parseQuery(String(parameters))
  if (directives.size === 0) throw invalidOption('defaultDirectives', 'directives', [...parameters.keys()].join(', '))
  return directives
}

function pairsOf(given: Exclude<DirectiveValues, URLSearchParams>): [string, string][] {
  return Object.entries(given).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(';') : String(value)]],
  )
}
