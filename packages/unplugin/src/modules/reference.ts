import { invalidOption } from '@pixpress/core/internal'
import { parseQuery } from '../directives/query.ts'
import type { ImageQuery } from '../directives/query.ts'
import { BUNDLER_PARAMETERS, BUNDLER_PREFIXES } from '../directives/vocabulary.ts'
import type { ImageUse } from '../references/types.ts'
import type { FinishedImage, PlannedImage, PlannedRequest, Warn } from '../session/images.ts'
import { relativePath } from '../session/paths.ts'
import type { Session } from '../session/session.ts'

/** The query of a reference, parsed once where the reference is found and handed on from there. */
export interface ReferenceQuery extends ImageQuery {
  /** As it is written, with its `?`, or empty. */
  readonly text: string
  /**
   * Whether the image is ours to work on: the query is empty, or has directives, flags that are answered here, or only
   * parameters that bundlers add. With `?raw` and other plugins' queries (`?react`, `?foo=1`) it is not.
   */
  readonly isOwn: boolean
}

/** A reference to an image: the file, and the query that follows it. */
export interface ImageReference {
  /** Absolute. */
  readonly file: string
  readonly query: ReferenceQuery
  /** Where it stands; the directives' own images are `content` in any case. Default: `content`. */
  readonly use?: ImageUse
}

export function readQuery(text: string): ReferenceQuery {
  const query = parseQuery(text)
  return { ...query, text, isOwn: isOwn(query, text) }
}

function isOwn({ hasDirectives, raw, original, url, inline }: ImageQuery, text: string): boolean {
  if (hasDirectives) return true
  if (raw) return false
  if (original || url || inline !== undefined) return true
  return [...new URLSearchParams(text).keys()].every((key) => isBundlerParameter(key))
}

function isBundlerParameter(key: string): boolean {
  return BUNDLER_PARAMETERS.some((own) => own === key) || BUNDLER_PREFIXES.some((prefix) => key.startsWith(prefix))
}

/**
 * The one image that a reference outside of imports (CSS, HTML, `new URL`) stands for; `undefined` when the query is not
 * ours.
 * @throws PixpressError `INVALID_OPTION` also when the directives ask for more than one URL
 */
export async function finishReference(
  session: Session,
  reference: ImageReference,
  use: ImageUse,
  warn: Warn,
): Promise<FinishedImage | undefined> {
  if (reference.query.isOwn && reference.query.original) return session.original(reference.file)
  const planned = await planReference(session, reference, use)
  return planned === undefined ? undefined : session.finish(planned, warn)
}

/** The same before it is encoded, for dev servers; without an answer to `?original`, which is nothing to encode. */
export async function planReference(
  session: Session,
  { file, query }: ImageReference,
  use: ImageUse,
): Promise<PlannedImage | undefined> {
  if (!query.isOwn) return undefined
  if (!query.hasDirectives) return session.plan(file, use)
  const request = await session.planRequest(file, query, use === 'beside' ? use : 'content')
  return onlyImage(request, query.text, relativePath(session.options.root, file))
}

/**
 * The image of a request that must be one URL.
 * @throws PixpressError `INVALID_OPTION`
 */
export function onlyImage({ request, images }: PlannedRequest, query: string, file: string): PlannedImage {
  const [image] = images
  if (isOneUrl({ request, images }) && image !== undefined) return image
  throw invalidOption('query', 'directives that ask for one URL, as only imports can have more', query).withFile(file)
}

/** Whether a request asks for nothing but the URL of one image. */
export function isOneUrl({ request, images }: Pick<PlannedRequest, 'request' | 'images'>): boolean {
  return request.output.as === 'url' && images.length === 1
}
