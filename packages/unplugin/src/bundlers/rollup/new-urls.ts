import path from 'node:path'
import MagicString from 'magic-string'
import { finishReference, readQuery } from '../../modules/reference.ts'
import { findNewUrls } from '../../references/new-url.ts'
import type { NewUrlReference } from '../../references/new-url.ts'
import { decodePath, isExternal, splitUrl } from '../../references/url.ts'
import { isFile } from '../../base/files.ts'
import type { FinishedImage } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'
import type { Context } from './hooks.ts'
import { watchedFiles } from '../../session/plan/focus.ts'

/** Options of `rewriteNewUrls`. */
export interface NewUrlOptions {
  readonly session: Session
  readonly publicPath: string | undefined
  /** Gives an expression of the URL of an image, which is put into the output where it is not stored. */
  expressionOf(context: Context, image: FinishedImage): Promise<string>
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
  { session, publicPath, expressionOf }: NewUrlOptions,
  context: Context,
  { url }: NewUrlReference,
  module: string,
): Promise<string | undefined> {
  const { path: pathname, query, hash } = splitUrl(url)
  const file = path.resolve(path.dirname(module), decodePath(pathname))
  if (pathname.startsWith('/') || !session.matches(file) || !(await isFile(session.files, file))) return undefined
  const asked = readQuery(query)
  const image = await finishReference(session, { file, query: asked }, 'content', (message) => context.warn(message))
  if (image === undefined) return undefined
  for (const each of await watchedFiles(session.files, file, asked)) context.addWatchFile(each)
  const expression = await expressionOf(context, image)
  const target = hash === '' ? expression : `${expression} + ${JSON.stringify(hash)}`
  // A public path without a host is relative to the page, which not every output format's `import.meta.url` is.
  const isWhole = publicPath === undefined || isExternal(publicPath)
  const base = isWhole ? '' : `, typeof document === 'undefined' ? import.meta.url : document.baseURI`
  return `new URL(${target}${base})`
}
