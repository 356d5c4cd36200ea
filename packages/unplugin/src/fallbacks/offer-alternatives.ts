import path from 'node:path'
import { IMAGE_FILE } from '../base/paths.ts'
import type { FinishedImage, Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'
import { decodePath, isExternal, splitUrl } from '../references/url.ts'
import type { UrlAlternatives, TypedUrl, FileAlternatives } from './alternatives.ts'
import type { SparePictures } from './picture-selectors.ts'

/** The output of a bundler when everything in it has its final name, but what refers to it can still be changed. */
export interface Output {
  /** The text before a name in an absolute URL: `/`, `/app/`, `https://cdn.example/`; empty where URLs are relative. */
  readonly base: string
  /** The names of all files, with forward slashes, relative to the output folder. */
  readonly names: readonly string[]
  /** The text of a page or stylesheet, or the bytes of an image. */
  read(name: string): Uint8Array | undefined
  write(name: string, text: string): void
  /** Tells whether a stylesheet may get other rules under its name, as the name is not made of them. Default: not */
  mayChangeRules?(name: string): boolean
  /**
   * Puts an image into the output beside another of the same source, under the bundler's own naming.
   * @returns its name
   */
  emit(image: FinishedImage, beside: string): string | Promise<string>
}

const STYLESHEET = /\.css$/i
const PAGE = /\.html?$/i

/** Has the pages and stylesheets of an output offer each image in its alternatives beside its own type. */
export async function offerAlternatives(session: Session, output: Output, warn: Warn): Promise<void> {
  if (!session.alternatives.isWanted) return
  // These read pages with a parser, which takes longer to load than all that a warm build does to two hundred images.
  const [{ withImageSets }, { withPictures }, { sparePictures }] = await Promise.all([
    import('./image-sets.ts'),
    import('./pictures.ts'),
    import('./picture-selectors.ts'),
  ])
  const { knowsWhere } = session.options
  const spare: SparePictures = (css) => sparePictures(css, knowsWhere)
  const names = [...output.names].sort()
  const images = openImages(output, names)

  async function change(
    file: string,
    work: (text: string, found: FileAlternatives) => Promise<string>,
  ): Promise<string> {
    const text = Buffer.from(output.read(file)!).toString('utf8')
    const changed = await work(text, alternativesIn(file, session, images, warn))
    if (changed !== text) output.write(file, changed)
    return changed
  }

  // One after the other, so that names are the same in every build; stylesheets first, as pages preload what they show.
  const stylesheets: string[] = []
  const pages = names.filter((name) => PAGE.test(name))
  for (const file of names.filter((name) => STYLESHEET.test(name))) {
    const isSpared = pages.length > 0 && output.mayChangeRules?.(file) === true
    stylesheets.push(await change(file, (text, found) => withImageSets(isSpared ? spare(text) : text, found)))
  }
  for (const file of pages) {
    await change(file, (text, found) => withPictures(text, found, stylesheets, spare))
  }
}

/** The images of an output, read once each. */
interface OutputImages {
  readonly base: string
  /** The name that a URL of one of the output's files stands for. */
  nameAt(url: string, file: string): string | undefined
  read(name: string): Uint8Array | undefined
  /** Names of images in whose place an alternative was offered. */
  readonly taken: Set<string>
  /** Puts an alternative into the output, once for each folder. @returns its name */
  emit(image: FinishedImage, beside: string): Promise<string>
}

function openImages(output: Output, all: readonly string[]): OutputImages {
  const names = new Set(all.filter((name) => IMAGE_FILE.test(name)))
  const bytes = new Map<string, Uint8Array | undefined>()
  const emitted = new Map<string, Promise<string>>()
  return {
    base: output.base,
    taken: new Set(),
    nameAt: (url, file) => outputName(url, file, names, output.base),
    read(name) {
      if (!bytes.has(name)) bytes.set(name, output.read(name))
      return bytes.get(name)
    },
    emit(image, beside) {
      const key = `${image.planned.id} ${path.posix.dirname(beside)}`
      const known = emitted.get(key) ?? Promise.resolve(output.emit(image, beside))
      emitted.set(key, known)
      return known
    },
  }
}

/** Answers for the URLs of one file of the output. */
function alternativesIn(
  file: string,
  { alternatives, log, options }: Session,
  images: OutputImages,
  warn: Warn,
): FileAlternatives {
  const bytesAt = (url: string): Uint8Array | undefined => {
    const name = images.nameAt(url, file)
    return name === undefined ? undefined : images.read(name)
  }
  const idAt = async (url: string): Promise<string | undefined> => {
    const data = bytesAt(url)
    return data && alternatives.idOf(data)
  }
  return {
    async find(url) {
      const name = images.nameAt(url, file)
      const data = bytesAt(url)
      const found = data && (await alternatives.of(data, warn))
      if (name === undefined || found === undefined) return undefined
      const { own, others, reason } = found
      if (others.length === 0) {
        log.alternatives(own.planned.id, 'kept', reason)
        return undefined
      }
      const take = async (types: readonly string[]): Promise<TypedUrl[]> => {
        log.alternatives(own.planned.id, 'fallback')
        images.taken.add(name)
        const wanted = others.filter(({ type }) => types.includes(type))
        const emit = async (image: FinishedImage): Promise<TypedUrl> => {
          const emitted = await images.emit(image, name)
          return { type: image.type, url: urlBeside(url, emitted, file, images.base) }
        }
        return Promise.all(wanted.map(emit))
      }
      const types = others.map(({ type }) => type)
      return { own: { url, type: own.type }, types, isTaken: images.taken.has(name), take } satisfies UrlAlternatives
    },
    async size(url) {
      const data = options.dimensions ? bytesAt(url) : undefined
      return data && alternatives.own(data, warn)
    },
    has: async (url) => (await idAt(url)) !== undefined,
    async refuse(url, reason) {
      const id = await idAt(url)
      if (id !== undefined) log.alternatives(id, 'kept', reason)
    },
  }
}

/** Finds the image of the output that a URL of one of its files stands for. @param base as in `Output` */
export function outputName(url: string, file: string, names: ReadonlySet<string>, base: string): string | undefined {
  const urlPath = decodePath(splitUrl(url).path)
  if (base !== '' && urlPath.startsWith(base)) {
    const name = urlPath.slice(base.length)
    if (names.has(name)) return name
  }
  if (isExternal(url) || urlPath.startsWith('/')) return undefined
  const name = path.posix.join(path.posix.dirname(file), urlPath)
  return names.has(name) ? name : undefined
}

/** Gives the URL of `other` in the form that `url` of another has, both in the same file. */
export function urlBeside(url: string, other: string, file: string, base: string): string {
  if (base !== '' && url.startsWith(base)) return base + encoded(other)
  const relative = path.posix.relative(path.posix.dirname(file), other)
  return encoded(url.startsWith('./') ? `./${relative}` : relative)
}

const encoded = (name: string): string => encodeURI(name).replace(/[?#]/g, encodeURIComponent)
