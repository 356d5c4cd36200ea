import { PixpressError } from '@pixpress/core'
import type { Declaration, Plugin, Result, Root } from 'postcss'
import { findInDeclaration } from './css.ts'
import { isPictureUrl } from './data-url.ts'
import { replaceReferences } from './replace.ts'
import { useOf } from './types.ts'
import type { ImageUse, Reference } from './types.ts'
import { mayNameFile } from './url.ts'
import type { TakesUrl } from './url.ts'

/** A URL in a declaration of a stylesheet. */
export interface StylesheetUrl {
  /** The URL as the stylesheet means it, escapes resolved. */
  readonly url: string
  /** Absolute path of the stylesheet that the declaration was written in, be it the entry or one that it imports. */
  readonly importer: string
  readonly use: ImageUse
  /** The place of a data URL among those of its stylesheet, from 1 on; absent for other URLs. */
  readonly place?: number
  /** Tells the bundler that the stylesheet depends on this file. */
  addDependency(file: string): void
}

/** Gives the URL to write instead; `undefined` leaves the reference alone. */
export type RewriteUrl = (url: StylesheetUrl) => Promise<string | undefined>

/**
 * A PostCSS plugin that rewrites the images of declarations: `url()` and `image-set()`. It works both before other
 * plugins and after them, since bundlers take URLs up at either time (Vite 7 in `Once`, Vite 8 in `OnceExit`); URLs
 * that it has written must therefore be among those that `rewrite` leaves alone. Data URLs are those that stand there
 * at first: bundlers add what they inline.
 * @param isRemote tells which URLs of other servers are rewritten. Default: none
 */
export function createPostcssPlugin(rewrite: RewriteUrl, isRemote: TakesUrl = () => false): Plugin {
  /** The values that the first visit has left: the second would look every image up again. */
  const settled = new WeakMap<Declaration, string>()
  const visit = async (root: Root, result: Result, isFirst: boolean): Promise<void> => {
    const work: Promise<void>[] = []
    const places = isFirst ? new Map<string, number>() : undefined
    const settle = async (declaration: Declaration): Promise<void> => {
      await rewriteDeclaration(declaration, { result, places, isRemote }, rewrite)
      settled.set(declaration, declaration.value)
    }
    root.walkDecls((declaration) => {
      if (/url\(|image-set\(|\\/i.test(declaration.value) && settled.get(declaration) !== declaration.value)
        work.push(settle(declaration))
    })
    await Promise.all(work)
  }
  return {
    postcssPlugin: 'pixpress',
    Once: (root, { result }) => visit(root, result, true),
    OnceExit: (root, { result }) => visit(root, result, false),
  }
}

/** The parts that the declarations of a stylesheet are rewritten with. */
interface Visit {
  readonly result: Result
  /** How many data URLs of each file were found; absent where they are left alone. */
  readonly places: Map<string, number> | undefined
  readonly isRemote: TakesUrl
}

async function rewriteDeclaration(
  declaration: Declaration,
  { result, places, isRemote }: Visit,
  rewrite: RewriteUrl,
): Promise<void> {
  const importer = declaration.source?.input.file
  if (importer === undefined) return
  const { value } = declaration
  const references = findInDeclaration(
    value,
    (url) => mayNameFile(url) || (places !== undefined && isPictureUrl(url)) || isRemote(url),
  )
  const addDependency = (file: string): void =>
    void result.messages.push({ type: 'dependency', plugin: 'pixpress', file, parent: importer })
  const urls = new Map<Reference, string | undefined>()
  const placeOf = (url: string): { place?: number } => {
    if (places === undefined || !isPictureUrl(url)) return {}
    const place = (places.get(importer) ?? 0) + 1
    places.set(importer, place)
    return { place }
  }
  const rewriteOne = async (reference: Reference): Promise<void> => {
    const { url } = reference
    const placed = placeOf(url)
    try {
      urls.set(reference, await rewrite({ url, importer, use: useOf(reference), addDependency, ...placed }))
    } catch (error) {
      throw located(error, declaration, reference.url)
    }
  }
  await Promise.all(references.map(rewriteOne))
  declaration.value = replaceReferences(value, references, (reference) => urls.get(reference))
}

/** The error with the place in the stylesheet. */
function located(error: unknown, declaration: Declaration, url: string): unknown {
  if (!(error instanceof PixpressError)) return error
  const shown = declaration.error(`${url}: ${error.message}`, { plugin: 'pixpress', word: url })
  shown.cause = error
  return shown
}
