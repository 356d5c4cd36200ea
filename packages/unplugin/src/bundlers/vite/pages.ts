import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import type { Plugin } from 'vite'
import { isOfOneImage } from '../../modules/failure.ts'
import { withLighterPictures } from '../../modules/pictures-inside.ts'
import { findInPage } from '../../references/find-in-page.ts'
import { replaceReferences } from '../../references/replace.ts'
import { useOf } from '../../references/types.ts'
import type { Reference } from '../../references/types.ts'
import { isExternal } from '../../references/url.ts'
import type { ProjectHolder, ViteProject } from './project.ts'
import { locateConverted } from './public-images.ts'
import { referenceUrl } from './reference-url.ts'
import { watchedFiles } from '../../session/plan/focus.ts'

/** Describes what was written into a page instead of what, both in the syntax of their place. */
type Replacements = Map<string, string>

/**
 * Images of HTML pages. CSS inside of them is left to the stylesheets' plugin, to which Vite hands it.
 *
 * A build's page holds paths into the cache folder until Vite has taken them up. Whatever Vite does not take up (an
 * element with `vite-ignore`, a `meta` that it does not know) gets its own URL back in the end.
 */
export function pages(holder: ProjectHolder): Plugin[] {
  const replacements = new Map<string, Replacements>()
  const images = new Set<string>()
  return [
    {
      name: 'pixpress:html',
      enforce: 'pre',
      transform: {
        filter: { id: /\.html$/ },
        async handler(code, id) {
          // Before 6.3 Vite knows no filters.
          if (!id.endsWith('.html') || !this.meta.watchMode) return null
          // `build --watch` makes the page again when one of its images changes; Vite only watches the page itself.
          for (const { url } of await imagesIn(holder.current, code)) {
            const image = await holder.current.locateInHtml(url, id)
            if (image === undefined) continue
            const { files } = holder.current.session
            for (const file of await watchedFiles(files, image.file, image.query)) this.addWatchFile(file)
          }
          return null
        },
      },
      hotUpdate({ file, modules }) {
        // An image that only pages refer to is no module of the graph.
        if (this.environment.name !== 'client' || modules.length > 0 || !images.has(file)) return
        this.environment.hot.send({ type: 'full-reload' })
      },
      // Vite 5; later ones do not call it beside the other.
      handleHotUpdate({ file, modules, server }) {
        if (modules.length === 0 && images.has(file)) server.ws.send({ type: 'full-reload' })
      },
    },
    {
      name: 'pixpress:html-images',
      // The last of those that come before Vite itself looks for images: other plugins put pages together from parts
      // then.
      enforce: 'post',
      transformIndexHtml: {
        order: 'pre',
        async handler(written, { filename }) {
          const replaced: Replacements = new Map()
          replacements.set(filename, replaced)
          const { session, isServed, warn } = holder.current
          const page = { text: written, as: 'page', file: filename } as const
          const html = isServed ? written : await withLighterPictures(session, page, warn)
          return rewriteHtml(holder.current, { html, filename, replaced, images })
        },
      },
    },
    restoredPages(replacements),
  ]
}

/** Gives the URLs that Vite has not taken up their own text again. */
function restoredPages(replacements: ReadonlyMap<string, Replacements>): Plugin {
  return {
    name: 'pixpress:html-rest',
    enforce: 'post',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { filename }) {
        const replaced = replacements.get(filename)
        // A page has thousands of images at times, and Vite takes up nearly all of them.
        if (replaced === undefined || !html.includes(commonStart([...replaced.keys()]))) return html
        let restored = html
        for (const [written, original] of replaced) restored = restored.replaceAll(written, () => original)
        return restored
      },
    },
  }
}

/** The text that all of them begin with; they have nothing in common if there are none. */
function commonStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let length = first.length
  for (const text of others) while (!text.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

/** A page that Vite transforms, with the notes that are taken of it. */
interface TransformedPage {
  readonly html: string
  readonly filename: string
  readonly replaced: Replacements
  /** Images that pages refer to, with forward slashes. */
  readonly images: Set<string>
}

async function rewriteHtml(
  project: ViteProject,
  { html, filename, replaced, images }: TransformedPage,
): Promise<string> {
  const references = await imagesIn(project, html)
  const urls = new Map<Reference, string>()
  await Promise.all(
    references.map(async (reference) => {
      const use = useOf(reference)
      const own = await project.locateInHtml(reference.url, filename)
      const image = own ?? (use === 'content' ? await locateConverted(project, reference.url) : undefined)
      const shown = image?.file ?? (reference.isUnsized ? await project.locatePublic(reference.url) : undefined)
      if (reference.isUnsized && shown !== undefined) project.session.log.unsized(shown)
      if (image === undefined) return
      // Vite tells of files with forward slashes.
      images.add(image.file.split(path.sep).join('/'))
      const url = await referenceUrl(project, image, use, filename).catch((error: unknown) => {
        if (!isOfOneImage(error)) throw error
        throw new PixpressError(error.code, `${filename}: ${reference.url}: ${error.message}`, { cause: error })
      })
      if (url === undefined) return
      urls.set(reference, url)
      // Data and URLs in a store are final.
      if (!isExternal(url)) replaced.set(reference.encode(url), html.slice(reference.start, reference.end))
    }),
  )
  return replaceReferences(html, references, (reference) => urls.get(reference))
}

/** The images of a page, but for those of its styles. Social cards of other servers stay, as a card needs a host. */
async function imagesIn({ session: { remote } }: ViteProject, html: string): Promise<Reference[]> {
  const found = await findInPage(html, remote.isWanted ? { isRemote: remote.takes } : {})
  return found.filter(({ kind, url }) => kind !== 'html-style' && (kind !== 'html-meta' || !isExternal(url)))
}
