import path from 'node:path'
import { compare } from '@pixpress/core/report'
import { isLoopback, UsageError } from '@pixpress/core/internal'
import { glob } from 'tinyglobby'
import { isOwnFile } from './own-pages.ts'
import { plainPath } from './plain-path.ts'

/** A page to look at. */
export interface Page {
  readonly url: string
  /** Its path on the site, for people. */
  readonly name: string
}

/**
 * Every page of a folder, as it is served, but for reports that pixpress wrote there.
 * @param url of the served folder, with its base
 * @throws UsageError without a page
 */
export async function pagesOfFolder(folder: string, url: string): Promise<Page[]> {
  const files = await glob('**/*.{html,htm}', {
    cwd: folder,
    ignore: ['**/node_modules/**'],
    followSymbolicLinks: false,
  })
  const pages: Page[] = []
  for (const file of files.map((each) => each.split(path.sep).join('/')).sort(compare)) {
    if (await isOwnFile(path.join(folder, file))) continue
    const place = file.replace(/(^|\/)index\.html?$/, '$1')
    pages.push({ url: new URL(place.split('/').map(encodeURIComponent).join('/'), url).href, name: `/${place}` })
  }
  if (pages.length > 0) return pages
  const found = files.length === 0 ? 'no page' : 'no page but reports that pixpress wrote'
  throw new UsageError(
    `'${folder}' has ${found}: build the site first, or give the folder that its .html files are in.`,
  )
}

/** The page of a URL. @throws UsageError unless it is http or https on this machine */
export function pageOfUrl(text: string): Page {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isLoopback(url.hostname)) {
    throw new UsageError(
      `Expected a folder, or a URL of this machine such as http://localhost:4173, but received '${text}'.`,
    )
  }
  url.hash = ''
  return { url: url.href, name: nameOf(url) }
}

/** Further pages that a page links to: on the same host and port, of a name that pages have. */
export function linkedPages(links: readonly string[], from: string): Page[] {
  const { origin } = new URL(from)
  return links.flatMap((link) => {
    const url = URL.canParse(link) ? new URL(link) : undefined
    if (url === undefined || url.origin !== origin) return []
    url.hash = ''
    const extension = path.posix.extname(url.pathname)
    return /^(?:\.html?|\.php|)$/.test(extension) ? [{ url: url.href, name: nameOf(url) }] : []
  })
}

const nameOf = ({ pathname, search }: URL): string => plainPath(pathname) + search
