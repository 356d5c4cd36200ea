import path from 'node:path'
import MagicString from 'magic-string'
import { finishReference } from '../../core/image-module.ts'
import { isFile } from '../../core/is-file.ts'
import { findNewUrls } from '../../core/reference/new-url.ts'
import type { NewUrlReference } from '../../core/reference/new-url.ts'
import { decodePath, isExternal, splitUrl } from '../../core/reference/url.ts'
import type { FinishedImage, Session } from '../../core/session.ts'
import type { Context } from './hooks.ts'

export interface NewUrlOptions {
  readonly session: Session
  readonly publicPath: string | undefined
  /** Puts an image into the output, and gives an expression of its URL. */
  emit(context: Context, image: FinishedImage): Promise<string>
}

/**
 * Changes every `new URL('./a.png', import.meta.url)` of an image to a `new URL()` of the emitted asset.
 * @param file Absolute path of the module.
 */
export async function rewriteNewUrls(
  options: NewUrlOptions,
  context: Context,
  code: string,
  file: string,
): Promise<MagicString | undefined> {
  const text = new MagicString(code)
  for (const reference of findNewUrls(code)) {
    const expression = await rewritten(options, context, reference, file)
    if (expression !== undefined) text.update(reference.expressionStart, reference.expressionEnd, expression)
  }
  return text.hasChanged() ? text : undefined
}

async function rewritten(
  { session, publicPath, emit }: NewUrlOptions,
  context: Context,
  { url }: NewUrlReference,
  module: string,
): Promise<string | undefined> {
  const { path: pathname, query, hash } = splitUrl(url)
  const file = path.resolve(path.dirname(module), decodePath(pathname))
  if (pathname.startsWith('/') || !session.matches(file) || !(await isFile(file))) return undefined
  const image = await finishReference(session, { file, query }, 'content', (message) => context.warn(message))
  if (image === undefined) return undefined
  context.addWatchFile(file)
  const expression = await emit(context, image)
  const target = hash === '' ? expression : `${expression} + ${JSON.stringify(hash)}`
  // A public path without a host is relative to the page, which not every output format's `import.meta.url` is.
  const isWhole = publicPath === undefined || isExternal(publicPath)
  const base = isWhole ? '' : `, typeof document === 'undefined' ? import.meta.url : document.baseURI`
  return `new URL(${target}${base})`
}
