import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { PixpressError } from '@pixpress/core'
import { invalidOption } from '@pixpress/core/internal'
import type { ImageQuery } from './query.ts'
import { parseQuery } from './query.ts'
import type { DirectiveSource } from './rows.ts'

/** Directives with their values, as in a query: a list for alternatives. */
export type DirectiveValues =
  | URLSearchParams
  | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | undefined>>

/**
 * Directives of queries that say none of the same name.
 * @param url of the image, with its query
 * @param metadata what its header says
 */
export type DefaultDirectives =
  | DirectiveValues
  | ((
      url: URL,
      metadata: () => Promise<DirectiveSource>,
    ) => DirectiveValues | undefined | Promise<DirectiveValues | undefined>)

/** Options of vite-imagetools that are none here, and what takes their place. */
const OPTIONS_OF_IMAGETOOLS: Readonly<Record<string, string>> = {
  extendOutputFormats: "Write 'outputs': { name: (images, keys) => value }.",
  extendTransforms:
    'What a function makes of pixels has no name under which it could be cached: work on the file before the build.',
  resolveConfigs: "Write a preset, or a function as 'defaultDirectives'.",
  removeMetadata: "Metadata is removed in any case; 'preserve' keeps the copyright, the time and the place.",
}

/** @throws PixpressError `INVALID_OPTION` for an option that is another plugin's */
export function refuseOptionsOfImagetools(options: object): void {
  if (typeof options !== 'object' || options === null) return
  for (const [name, hint] of Object.entries(OPTIONS_OF_IMAGETOOLS)) {
    if (Object.hasOwn(options, name)) {
      throw new PixpressError('INVALID_OPTION', `Option '${name}' of vite-imagetools is not supported. ${hint}`)
    }
  }
}

/** @throws PixpressError `INVALID_OPTION` where constant directives are wrong; what a function gives is checked with each query */
export function resolveDefaultDirectives(given: DefaultDirectives | undefined): DefaultDirectives | undefined {
  if (given !== undefined && typeof given !== 'function') directivesOf(given)
  return given
}

/** The default directives for a query, by which what it does not say itself is decided. @throws PixpressError `INVALID_OPTION` */
export async function defaultDirectivesFor(
  query: ImageQuery,
  file: string,
  defaults: DefaultDirectives | undefined,
  source: DirectiveSource,
): Promise<ImageQuery['directives']> {
  const given =
    typeof defaults === 'function' ? await defaults(urlOf(file, query), () => Promise.resolve(source)) : defaults
  return given === undefined ? new Map() : directivesOf(given)
}

function urlOf(file: string, { directives }: ImageQuery): URL {
  const url = pathToFileURL(path.resolve(file))
  for (const [name, values] of directives) url.searchParams.append(name, values.join(';'))
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
