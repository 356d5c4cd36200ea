import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from '@pixpress/core/internal'
import { deliverUrl } from '../../modules/deliver.ts'
import { finishReference, readQuery } from '../../modules/reference.ts'
import type { ImageReference } from '../../modules/reference.ts'
import { findInPage } from '../../references/find-in-page.ts'
import { replaceAwaited } from '../../references/replace.ts'
import { useOf } from '../../references/types.ts'
import type { Reference } from '../../references/types.ts'
import { decodePath, isExternal, splitUrl } from '../../references/url.ts'
import { isFile } from '../../base/files.ts'
import type { FinishedImage, Warn } from '../../session/plan/images.ts'
import { IMAGE_FILE, relativePath, relativeUrl } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'
import { hashedName } from '../hashed-name.ts'

/** Folder of the output for images of pages. */
const FOLDER = 'img'

/** Absolute paths of a page. */
interface Page {
  /** The template. */
  readonly file: string
  readonly output: string
}

interface Site {
  /** Absolute. */
  readonly input: string
  /** Absolute. */
  readonly output: string
  /** Holds what rooted URLs begin with: `/`, or `/docs/`. */
  readonly prefix: string
}

/** Rewrites pages and writes their images. */
export interface PageImages {
  /** The page with the URLs of compressed images. @throws PixpressError `INVALID_OPTION` naming the page */
  rewrite(html: string, page: Page, site: Site): Promise<string>
  /** Files that were written for pages: absolute paths. */
  readonly written: ReadonlySet<string>
}

/** Creates the rewriting of pages, which writes every image once. */
export function createPageImages(session: Session, warn: Warn): PageImages {
  const written = new Set<string>()

  async function write(image: FinishedImage, { output }: Site): Promise<string> {
    const file = path.join(output, FOLDER, hashedName(image))
    if (!written.has(file)) {
      written.add(file)
      await mkdir(path.dirname(file), { recursive: true })
      await replaceFile(file, image.data)
    }
    return file
  }

  async function urlOf(reference: Reference, page: Page, site: Site): Promise<string | undefined> {
    // Whoever shows a page's card knows no relative URLs.
    if (reference.kind === 'html-meta') return undefined
    const { path: urlPath, query: text, hash } = splitUrl(reference.url)
    const found = await locate(session, { urlPath, text }, page, site)
    if (found === undefined) return undefined
    if (reference.isUnsized) session.log.unsized(found.file)
    const image = await finishReference(session, found, useOf(reference), warn)
    if (image === undefined) return undefined
    // A relative URL holds wherever the site is put, and other transforms leave it alone.
    const emit = async (): Promise<string> => relativeUrl(path.dirname(page.output), await write(image, site))
    return deliverUrl(session, image, { inline: found.query.inline === true, emit }, hash)
  }

  return {
    written,
    async rewrite(html, page, site) {
      return replaceAwaited(html, await findInPage(html), (reference) => urlOf(reference, page, site))
    },
  }
}

/** The project's image that a URL of a page stands for: beside the template, or below the input or project folder. */
async function locate(
  session: Session,
  { urlPath, text }: { readonly urlPath: string; readonly text: string },
  page: Page,
  { input, prefix }: Site,
): Promise<ImageReference | undefined> {
  if (isExternal(urlPath) || !IMAGE_FILE.test(urlPath)) return undefined
  const query = readQuery(text)
  if (!query.isOwn) return undefined
  const decoded = decodePath(urlPath)
  const rooted = decoded.startsWith(prefix) ? decoded.slice(prefix.length) : decoded.replace(/^\/+/, '')
  const { root } = session.options
  const candidates = decoded.startsWith('/')
    ? [input, path.join(input, 'public'), root, path.join(root, 'public')].map((folder) => path.join(folder, rooted))
    : [path.resolve(path.dirname(page.file), decoded)]
  for (const file of candidates) {
    const isInside = !relativePath(root, file).startsWith('../')
    if (isInside && session.matches(file) && (await isFile(session.files, file))) return { file, query }
  }
  return undefined
}
