import { PixpressError } from '@pixpress/core'
import { visibleText } from '@pixpress/core/report'
import { directivesAmong, isBundlerParameter, isMarkedForeign, parseQuery } from '../directives/query.ts'
import type { ImageQuery } from '../directives/query.ts'
import { nearQuery } from '../directives/nearly.ts'
import type { ImageUse } from '../references/types.ts'
import type { FinishedImage, PlannedImage, PlannedRequest, Warn } from '../session/plan/images.ts'
import { relativePath } from '../base/paths.ts'
import type { Session } from '../session/session.ts'

/** The query of a reference, parsed once where the reference is found and handed on from there. */
export interface ReferenceQuery extends ImageQuery {
  /**
   * Tells whether the image is ours to work on: the query is empty, or has directives, flags that are answered here, or
   * only parameters that bundlers add. With `?raw` and other plugins' queries (`?react`, `?foo=1`) it is not.
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

/**
 * Parses the query of a reference.
 * @param text the query with its `?`, or empty
 */
export function readQuery(text: string): ReferenceQuery {
  const query = parseQuery(text)
  return { ...query, isOwn: isOwn(query) }
}

function isOwn({ hasDirectives, raw, original, url, inline, text }: ImageQuery): boolean {
  if (hasDirectives) return true
  if (raw) return false
  if (original || url || inline !== undefined) return true
  return [...new URLSearchParams(text).keys()].every((key) => isBundlerParameter(key))
}

/** Images that default directives apply to without a query: those that imagetools reads. */
const READ_BY_DEFAULT = /\.(?:avif|gif|jpe?g|jxl|png|webp)$/i

/**
 * The query of an import. Default directives of the project make every import of an image ours, whatever its query is,
 * and a function of the project may read words of its own in it; not with `?raw` and `?original`, and with another
 * plugin's mark.
 * @param file absolute path of the image
 * @throws whatever the project's function throws
 */
export async function readImport(session: Session, file: string, text: string): Promise<ReferenceQuery> {
  const query = readQuery(text)
  const { defaultDirectives: defaults, compat } = session.options
  if (defaults === undefined || query.hasDirectives || query.raw || query.original) return query
  // Constant ones know nothing of another plugin's words, and imagetools takes these for nothing.
  if (typeof defaults !== 'function' && !query.isOwn && !compat) return query
  if (isMarkedForeign(text) || !READ_BY_DEFAULT.test(file) || !(await session.hasDefaults(file, query))) return query
  return { ...query, directives: directivesAmong(text), hasDirectives: true, isOwn: true }
}

/**
 * The one image that a reference outside of imports (CSS, HTML, `new URL`) stands for; `undefined` when the query is
 * not ours.
 * @throws PixpressError `INVALID_OPTION` also when the directives ask for more than one URL
 */
export async function finishReference(
  session: Session,
  reference: ImageReference,
  use: ImageUse,
  warn: Warn,
): Promise<FinishedImage | undefined> {
  noteNearQuery(session, reference, warn)
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
  const request = await session.planRequest(file, query, use === 'picture' ? use : 'content')
  return onlyImage(request, query.text, relativePath(session.options.root, file))
}

/**
 * The image of a request that must be one URL.
 * @throws PixpressError `INVALID_OPTION`
 */
export function onlyImage({ request, images }: PlannedRequest, query: string, file: string): PlannedImage {
  const [image] = images
  if (isOneUrl({ request, images }) && image !== undefined) return image
  const { as } = request.output
  const sentence =
    as === 'url'
      ? `One image can stand here, and '${query}' asks for ${images.length}. Leave one value in it, or import the image in a script, where all of them can be used.`
      : `One URL can stand here, and '${query}' asks for more than a URL ('${as}'). Leave that out, or import the image in a script.`
  throw new PixpressError('INVALID_OPTION', sentence).withFile(file)
}

/**
 * Says once what a query means that is nearly one of directives, and for which nothing is done.
 * @param reference `isImport`: whether more than one URL can stand there
 */
export function noteNearQuery(
  session: Session,
  { file, query, isImport = false }: { file: string; query: ReferenceQuery; isImport?: boolean },
  warn: Warn,
): void {
  noteLeftAlone(session, { file, query })
  const near = query.hasDirectives || query.text === '' ? undefined : nearQuery(query.text, !isImport)
  if (near === undefined) return
  const shown = relativePath(session.options.root, file) + query.text
  const words = near.words.map((word) => `'${word}'`).join(' and ')
  const next =
    near.meant === '' ? 'Import the image in a script, where there is more to ask for.' : `Write '${near.meant}'.`
  const sentence = `${shown}: nothing is done for ${words}. ${next}`
  session.log.once(`near ${shown}`, () => warn(visibleText(sentence)))
}

/** Notes a raster image that is delivered unchanged because of its query. `?raw` and `?original` ask for that. */
export function noteLeftAlone({ leftAlone }: Session, { file, query }: ImageReference): void {
  if (!query.isOwn && !query.raw && query.text !== '') leftAlone.query(file, query.text)
}

/** Tells whether a query is nearly one of directives, so that there is something to say of it. */
export const isNearQuery = (query: ReferenceQuery): boolean =>
  !query.isOwn && query.text !== '' && nearQuery(query.text) !== undefined

/** Tells whether a request asks for nothing but the URL of one image. */
export function isOneUrl({ request, images }: Pick<PlannedRequest, 'request' | 'images'>): boolean {
  return request.output.as === 'url' && images.length === 1
}
