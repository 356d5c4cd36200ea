import { PixpressError } from '@pixpress/core'
import { deliver } from '../../modules/deliver.ts'
import { finishReference } from '../../modules/reference.ts'
import { findInPage } from '../../references/find-in-page.ts'
import { replaceReferences } from '../../references/replace.ts'
import { parseSrcset } from '@pixpress/core/internal'
import { useOf } from '../../references/types.ts'
import type { Reference } from '../../references/types.ts'
import { isExternal } from '../../references/url.ts'
import type { Warn } from '../../session/plan/images.ts'
import { relativePath } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'
import { realPaths } from './inside.ts'
import type { BunConfig, LoadArguments, LoadResult, ResolveArguments } from './bun-api.ts'
import type { Locate } from './locate.ts'

/** Matches the file names of HTML pages. */
export const PAGE_FILE: RegExp = /\.html?$/i

/** Holds what Bun takes for a URL of elsewhere by its beginning, though it may be a `srcset`. */
export const SRCSET: RegExp = /^(?:https?|data):\S*\s/i

/** Pages of builds that put their images into a store. Bun reads a page's references from what is loaded here. */
export interface StoredPages {
  load(args: LoadArguments): Promise<LoadResult | undefined>
  /**
   * Bun hands the whole of a `srcset` over, and would leave one that begins with a URL of elsewhere as it is.
   * @throws PixpressError `UNSUPPORTED_OPERATION` when there is a file in it that would then be missing
   */
  checkSrcset(args: ResolveArguments): Promise<undefined>
}

/** Creates the hooks for the pages of a build whose images go into a store. */
export function createStoredPages(session: Session, locate: Locate, config: BunConfig, warn: Warn): StoredPages {
  const { root } = session.options
  const entries = realPaths(config.entrypoints ?? [])
  /** Holds what was written into pages. */
  const written = new Set<string>()

  /**
   * Tells whether what Bun takes for HTML is a page. In scripts for browsers it can only be imported as something else
   * (`with { type: 'text' }`), which Bun does not tell plugins.
   */
  async function isPage({ path: file, loader, side }: LoadArguments): Promise<boolean> {
    if (loader !== 'html' || side === 'server') return false
    const isForServer = config.target === 'bun' || config.target === 'node'
    return isForServer || (await entries).has(file)
  }

  async function urlOf(page: string, reference: Reference): Promise<string | undefined> {
    const found = await locate({ path: reference.url, importer: page, kind: 'internal' })
    if (found === undefined) return undefined
    if (reference.isUnsized) session.log.unsized(found.file)
    const image = await finishReference(session, found, useOf(reference), warn)
    if (image === undefined) return undefined
    // Bun itself emits images that are not uploaded.
    const delivered = await deliver(session, image, { inline: found.isInline, emit: () => undefined })
    return delivered.by === 'emit' ? undefined : delivered.url + found.hash
  }

  return {
    async load(args) {
      if (!(await isPage(args))) return undefined
      const { path: file } = args
      const html = await session.files.readFile(file).then(
        (bytes) => bytes.toString('utf8'),
        // Bun or another plugin reports a file that cannot be read.
        () => '',
      )
      const references = await findInPage(html)
      const urls = new Map<Reference, string | undefined>()
      await Promise.all(
        references.map(async (reference) => {
          const url = await urlOf(file, reference)
          urls.set(reference, url)
          if (url !== undefined) written.add(url)
        }),
      )
      const contents = replaceReferences(html, references, (reference) => urls.get(reference))
      return contents === html ? undefined : { contents, loader: 'html' }
    },
    async checkSrcset({ path: value, importer }) {
      const urls = parseSrcset(value).map(({ url }) => url)
      const missing = urls.find((url) => !isExternal(url))
      if (missing === undefined || !urls.some((url) => written.has(url))) return undefined
      throw new PixpressError(
        'UNSUPPORTED_OPERATION',
        `${relativePath(root, importer)}: '${missing}' stands in a srcset with images that are stored, and is not: Bun has no files in srcset.`,
      )
    },
  }
}
