import { toDataUrl } from '../session/encode/data-url.ts'
import type { FinishedImage } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'
import { toLiteral } from './asset-module.ts'

/** Describes what a bundler contributes to the delivery of one image. */
export interface Delivery<T> {
  /** Tells whether the image becomes a `data:` URL, by its query or by the bundler's own rule. Default `false`. */
  readonly inline?: boolean
  /**
   * Tells whether the image has to be in the output although there is a store: for a dev server, say. Default `false`.
   */
  readonly local?: boolean
  /** Puts the image into the output, under the bundler's own naming. */
  emit(image: FinishedImage): T | Promise<T>
}

/** A URL that is final, or what emitting gave. */
export type Delivered<T> =
  | { readonly by: 'inline'; readonly url: string }
  | { readonly by: 'store'; readonly url: string }
  | { readonly by: 'emit'; readonly emitted: T }

/**
 * Decides where a finished image can be found: in a `data:` URL, in object storage where the `store` option says so, or
 * in the output.
 * @throws PixpressError `STORE_FAILED`
 */
export async function deliver<T>(
  session: Session,
  image: FinishedImage,
  { inline = false, local = false, emit }: Delivery<T>,
): Promise<Delivered<T>> {
  if (inline) return { by: 'inline', url: toDataUrl(image) }
  const url = local ? undefined : await session.upload(image)
  return url === undefined ? { by: 'emit', emitted: await emit(image) } : { by: 'store', url }
}

/**
 * The URL to write into a stylesheet or page.
 * @param hash Fragment with its `#`, or empty; a part of an image cannot be had from a `data:` URL.
 */
export async function deliverUrl(
  session: Session,
  image: FinishedImage,
  delivery: Delivery<string>,
  hash: string,
): Promise<string> {
  const delivered = await deliver(session, image, delivery)
  if (delivered.by === 'inline') return delivered.url
  return (delivered.by === 'store' ? delivered.url : delivered.emitted) + hash
}

/**
 * The URL as a JavaScript expression.
 * @param delivery its `emit` gives an expression too
 * @param hash as for `deliverUrl`
 */
export async function deliverExpression(
  session: Session,
  image: FinishedImage,
  delivery: Delivery<string>,
  hash = '',
): Promise<string> {
  const delivered = await deliver(session, image, delivery)
  if (delivered.by === 'inline') return toLiteral(delivered.url)
  if (delivered.by === 'store') return toLiteral(delivered.url + hash)
  return hash === '' ? delivered.emitted : `${delivered.emitted} + ${toLiteral(hash)}`
}
