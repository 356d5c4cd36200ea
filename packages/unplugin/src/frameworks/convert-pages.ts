import { readFileSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { filesOf, isFile } from '../base/files.ts'
import { IMAGE_FILE, relativePath } from '../base/paths.ts'
import { convertedCopy } from '../copies/converted-copy.ts'
import { findInPage } from '../references/find-in-page.ts'
import { replaceAwaited } from '../references/replace.ts'
import { useOf } from '../references/types.ts'
import type { Reference } from '../references/types.ts'
import { decodePath } from '../references/url.ts'
import { convertsAny } from '../session/plan/image-operations.ts'
import type { FinishedImage, Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'
import { hashedName } from './hashed-name.ts'

/** A finished site, whose pages another tool has written. */
export interface Site {
  /** Absolute path of the output. */
  readonly folder: string
  /** The start of URLs from the root: `/`, or `/docs/`. */
  readonly base: string
  /** Returns the absolute path of an image's source by its name in the output, if there may be one. */
  sourceOf(name: string): string | undefined
}

/**
 * Replaces the URLs of images in pages by those of converted copies, where `convert` finds a smaller format. The images
 * themselves and all other text stay. Relative URLs stay, too: what they mean depends on how a host serves the page.
 * @returns the copies
 */
export async function convertPages(session: Session, site: Site, warn: Warn): Promise<readonly FinishedImage[]> {
  if (!convertsAny(session.options)) return []
  const { folder, base } = site
  const files = await filesOf(folder)
  const copies = createCopies(
    session,
    site,
    files.filter((file) => IMAGE_FILE.test(file)),
    warn,
  )

  const urlOf = async (reference: Reference): Promise<string | undefined> => {
    const { url } = reference
    const isOfSite = useOf(reference) === 'content' && url.startsWith(base) && !/[?#]/.test(url)
    if (!isOfSite) return undefined
    const name = decodePath(url.slice(base.length))
    const source = reference.isUnsized ? site.sourceOf(name) : undefined
    if (source !== undefined) session.log.unsized(source)
    const copy = await copies.of(name)
    return copy && base + encodeURI(relativePath(folder, copy)).replace(/[?#]/g, encodeURIComponent)
  }

  for (const page of files.filter((file) => /\.html?$/i.test(file))) {
    const html = await readFile(page, 'utf8')
    const references = await findInPage(html, { passesOver: isHydrated })
    // A policy may hold the digests of styles.
    const hasDigests = /'sha\d+-/.test(html)
    const taken = references.filter(({ kind }) => kind !== 'html-style' || !hasDigests)
    const changed = await replaceAwaited(html, taken, urlOf)
    if (changed !== html) await writeFile(page, changed)
  }
  return copies.made
}

/** The converted copies of a site. */
interface Copies {
  readonly made: readonly FinishedImage[]
  /** Returns the absolute path of the converted copy of an image in the output; `undefined` if there is none. */
  of(name: string): Promise<string | undefined>
}

/** @param images absolute paths of the images in the output */
function createCopies(session: Session, site: Site, images: readonly string[], warn: Warn): Copies {
  const { folder } = site
  const sizes = new Map(images.map((file) => [file, statSync(file).size]))
  const made: FinishedImage[] = []
  const known = new Map<string, Promise<string | undefined>>()

  async function make(name: string): Promise<string | undefined> {
    const source = sizes.has(path.join(folder, name)) ? site.sourceOf(name) : undefined
    if (source === undefined || !session.matches(source) || !(await isFile(session.files, source))) return undefined
    const copy = await convertedCopy(session, source, warn)
    if (copy === undefined) return undefined
    made.push(copy)
    const { data } = copy
    // The bundler may have emitted the same copy, for a stylesheet or component.
    const present = images.find((file) => sizes.get(file) === data.length && readFileSync(file).equals(data))
    if (present !== undefined) return present
    const file = path.join(folder, path.dirname(name), hashedName(copy))
    await writeFile(file, data)
    return file
  }

  return {
    made,
    of(name) {
      const copy = known.get(name) ?? make(name)
      known.set(name, copy)
      return copy
    },
  }
}

/** Returns true for elements that a framework's component hydrates: its script has the original URL. */
function isHydrated(element: DefaultTreeAdapterTypes.Element): boolean {
  for (let at: DefaultTreeAdapterTypes.Node | null = element; at !== null && 'tagName' in at; at = at.parentNode) {
    // Scripts do not render what a page puts into a component.
    if (at.tagName === 'astro-slot') return false
    if (at.tagName === 'astro-island') return true
  }
  return false
}
