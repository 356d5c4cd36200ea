import { readFile, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { GENERATOR } from './page-places.ts'
import { chosenUrl } from './choice.ts'
import type { Picture, Source } from './choice.ts'
import { tagsOf } from './tags.ts'
import type { Tag } from './tags.ts'
import { VIEWPORTS } from './viewport.ts'
import type { Viewport } from './viewport.ts'

/** The images that a page's own markup makes a browser load. */
export interface DeliveredPage {
  /** The page's path relative to the folder, with forward slashes. */
  readonly page: string
  /** Pictures in it whose file was found, and those whose was not. */
  readonly images: number
  readonly unknown: number
  /** Bytes by viewport, each file once. */
  readonly bytes: readonly number[]
  /** The heaviest files of the window where they have most bytes, relative to the folder. */
  readonly heaviest: readonly { readonly file: string; readonly bytes: number }[]
}

/** Files that are named of a page. */
const NAMED = 3

export { VIEWPORTS } from './viewport.ts'

const HTML = /\.x?html?$/i

/** Bytes beyond which a file is no page that is worth reading. */
const MAX_BYTES = 10_000_000

/**
 * Counts the bytes of images that each page delivers in each window: those that `img`, `picture`, `input` and `video`
 * name, lazy ones included. Backgrounds of stylesheets and what scripts add are not counted: `pixpress audit` measures
 * them in a browser.
 * @param texts absolute paths, of which pages are read
 * @param folder absolute: what URLs that begin with `/` are relative to, and the result's paths
 * @returns the heaviest first; pages without images are absent
 */
export async function deliveredBy(
  texts: readonly string[],
  folder: string,
  viewports: readonly Viewport[] = VIEWPORTS,
): Promise<readonly DeliveredPage[]> {
  const sizes = new Map<string, Promise<number | undefined>>()
  const sizeOf = (file: string): Promise<number | undefined> => {
    const known = sizes.get(file) ?? bytesOf(file)
    sizes.set(file, known)
    return known
  }
  const pages: DeliveredPage[] = []
  for (const file of texts.filter((each) => HTML.test(each))) {
    const html = await readFile(file, 'utf8').catch(() => '')
    if (html.length > MAX_BYTES || html.includes(`content="${GENERATOR}"`)) continue
    const { base, pictures } = readPage(html)
    if (pictures.length === 0) continue
    let [images, unknown] = [0, 0]
    const bytes: number[] = []
    let most = new Map<string, number>()
    for (const viewport of viewports) {
      const loaded = new Map<string, number>()
      ;[images, unknown] = [0, 0]
      for (const picture of pictures) {
        const url = chosenUrl(picture, viewport)
        if (url === undefined || /^data:/i.test(url)) continue
        const found = await fileOf(url, { base, file, folder }, sizeOf)
        if (found === undefined) unknown++
        else images++
        if (found === undefined || loaded.has(found)) continue
        loaded.set(found, (await sizeOf(found))!)
      }
      if (sumOf(loaded) > sumOf(most)) most = loaded
      bytes.push(sumOf(loaded))
    }
    if (images + unknown === 0) continue
    const heaviest = [...most]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, NAMED)
      .map(([each, size]) => ({ file: relative(folder, each), bytes: size }))
    pages.push({ page: relative(folder, file), images, unknown, bytes, heaviest })
  }
  const most = ({ bytes }: DeliveredPage): number => Math.max(...bytes)
  return pages.sort((a, b) => most(b) - most(a) || (a.page < b.page ? -1 : 1))
}

const sumOf = (files: ReadonlyMap<string, number>): number => [...files.values()].reduce((sum, each) => sum + each, 0)

const relative = (folder: string, file: string): string => path.relative(folder, file).split(path.sep).join('/')

/** Every page of a folder and those below, sorted. @throws Error when the folder cannot be read */
export async function findPages(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && HTML.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.split(path.sep).includes('node_modules'))
    .sort()
}

function readPage(html: string): { base: string; pictures: readonly Picture[] } {
  const pictures: Picture[] = []
  let base = ''
  let sources: Source[] | undefined
  for (const tag of tagsOf(html)) {
    const attribute = (name: string): string | undefined => tag.attributes.get(name)?.trim()
    if (tag.name === 'picture') sources = tag.isEnd ? undefined : []
    else if (tag.isEnd) continue
    else if (tag.name === 'base') base ||= attribute('href') ?? ''
    else if (tag.name === 'source') sources?.push(sourceOf(tag))
    else if (tag.name === 'img') pictures.push({ sources: [...(sources ?? []), sourceOf(tag)] })
    else if (tag.name === 'input' && attribute('type')?.toLowerCase() === 'image') {
      pictures.push({ sources: [{ src: attribute('src') }] })
    } else if (tag.name === 'video' && attribute('poster')) pictures.push({ sources: [{ src: attribute('poster') }] })
  }
  return { base, pictures }
}

const sourceOf = ({ attributes }: Tag): Source => ({
  src: attributes.get('src')?.trim(),
  srcset: attributes.get('srcset'),
  sizes: attributes.get('sizes'),
  media: attributes.get('media'),
  type: attributes.get('type'),
})

/** The place that a page's URLs are relative to: its `<base>`, if any, its file, and the folder of the site. */
interface PagePlace {
  readonly base: string
  readonly file: string
  readonly folder: string
}

/**
 * Finds the file of a URL inside the folder. Where a site is served below a path of its own, URLs begin with that path,
 * which the folder does not have: segments are left out from the front until there is a file.
 */
async function fileOf(
  url: string,
  { base, file, folder }: PagePlace,
  sizeOf: (file: string) => Promise<number | undefined>,
): Promise<string | undefined> {
  const here = `/${path.relative(folder, file).split(path.sep).map(encodeURIComponent).join('/')}`
  let pathname: string
  try {
    pathname = decodeURIComponent(new URL(url, new URL(base, `http://site${here}`)).pathname)
  } catch {
    return undefined
  }
  const segments = pathname.split('/').filter((segment) => segment !== '')
  for (let from = 0; from < segments.length; from++) {
    const found = path.join(folder, ...segments.slice(from))
    if ((await sizeOf(found)) !== undefined) return found
  }
  return undefined
}

async function bytesOf(file: string): Promise<number | undefined> {
  const entry = await stat(file).catch(() => undefined)
  return entry?.isFile() === true ? entry.size : undefined
}
