import { invalidOption } from '@pixpress/core'
import { toDataUrl } from './data-url.ts'
import { parseQuery } from './directives/query.ts'
import { renderModule } from './directives/shapes.ts'
import { BUNDLER_PARAMETERS, BUNDLER_PREFIXES } from './directives/vocabulary.ts'
import { exportDefault, toLiteral } from './reference/asset-module.ts'
import { relativePath } from './relative-path.ts'
import type { FinishedImage, ImageUse, PlannedImage, PlannedRequest, Session, Warn } from './session.ts'

/** A reference to an image: the file, and the query that stands behind it, with its `?` or empty. */
export interface ImageReference {
  /** Absolute. */
  readonly file: string
  readonly query: string
  /** Where it stands; the directives' own images are `content` in any case. Default: `content`. */
  readonly use?: ImageUse
}

/** Puts an image into the build and gives a JavaScript expression of its URL. */
export type EmitImage = (image: FinishedImage) => string | Promise<string>

/**
 * Whether a query leaves the image to us: an empty one, one of directives or of the flags that are answered here, one of
 * nothing but parameters that bundlers add. `?raw` and other plugins' queries (`?react`, `?foo=1`) do not.
 */
export function isOwnQuery(text: string): boolean {
  const query = parseQuery(text)
  if (query.hasDirectives) return true
  if (query.raw) return false
  if (query.original || query.url || query.inline !== undefined) return true
  return [...new URLSearchParams(text).keys()].every((key) => isBundlerParameter(key))
}

/**
 * The code of the module that an image import stands for; `undefined` when the query is not ours.
 * @param inlined Whether the image is to be a `data:` URL. Default: with `?inline` only.
 * @throws PixpressError `INVALID_OPTION` for directives that are refused; any code with `onError: 'error'`
 */
export async function createImageModule(
  session: Session,
  { file, query: text, use }: ImageReference,
  emit: EmitImage,
  warn: Warn,
  inlined: (image: FinishedImage, asked: boolean | undefined) => boolean = (_, asked) => asked === true,
): Promise<string | undefined> {
  if (!isOwnQuery(text)) return undefined
  const query = parseQuery(text)
  const expression = (image: FinishedImage): string | Promise<string> =>
    inlined(image, query.inline) ? toLiteral(toDataUrl(image)) : emit(image)
  if (!query.hasDirectives) {
    const image = query.original
      ? await session.original(file)
      : await session.finish(await session.plan(file, use), warn)
    return exportDefault(await expression(image))
  }
  const planned = await session.planRequest(file, query)
  const images = await finishRequest(session, planned, warn)
  const sources: string[] = []
  // One after the other, so that equal names are told apart in the same order in every build.
  for (const image of images) sources.push(await expression(image))
  return renderImages(planned, images, sources)
}

/** Every image of a request, in order. */
export function finishRequest(session: Session, planned: PlannedRequest, warn: Warn): Promise<FinishedImage[]> {
  return Promise.all(planned.images.map((image) => session.finish(image, warn)))
}

/** The module of a request whose images are in the build under the URLs that the expressions `sources` give. */
export function renderImages(
  { request, source }: PlannedRequest,
  images: readonly FinishedImage[],
  sources: readonly string[],
): string {
  const results = images.map(({ width, height, type, data }, index) => ({
    src: sources[index]!,
    width: width || source.width,
    height: height || source.height,
    type: type === 'application/octet-stream' ? source.type : type,
    size: data.length,
  }))
  return renderModule(request, results, source)
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
  if (isOwnQuery(reference.query) && parseQuery(reference.query).original) return session.original(reference.file)
  const planned = await planReference(session, reference, use)
  return planned === undefined ? undefined : session.finish(planned, warn)
}

/** The same before it is encoded, for dev servers; without an answer to `?original`, which is nothing to encode. */
export async function planReference(
  session: Session,
  { file, query: text }: ImageReference,
  use: ImageUse,
): Promise<PlannedImage | undefined> {
  if (!isOwnQuery(text)) return undefined
  const query = parseQuery(text)
  if (!query.hasDirectives) return session.plan(file, use)
  return onlyImage(await session.planRequest(file, query), text, relativePath(session.options.root, file))
}

/**
 * The image of a request that must be one URL.
 * @throws PixpressError `INVALID_OPTION`
 */
export function onlyImage({ request, images }: PlannedRequest, query: string, file: string): PlannedImage {
  const [image] = images
  if (request.output.as === 'url' && image !== undefined && images.length === 1) return image
  throw invalidOption('query', 'directives that ask for one URL, as only imports can have more', query).withFile(file)
}

function isBundlerParameter(key: string): boolean {
  return BUNDLER_PARAMETERS.some((own) => own === key) || BUNDLER_PREFIXES.some((prefix) => key.startsWith(prefix))
}
