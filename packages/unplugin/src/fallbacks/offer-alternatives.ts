import path from 'node:path'
import { IMAGE_FILE } from '../base/paths.ts'
import type { FinishedImage, Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'
import { decodePath, isExternal, splitUrl } from '../references/url.ts'
import type { UrlAlternatives, TypedUrl, FileAlternatives } from './alternatives.ts'
import type { SparePictures } from './picture-selectors.ts'

/** The output of a bundler when everything in it has its final name, but what refers to it can still be changed. */
export interface Output {
  /** What stands before a name in an absolute URL: `/`, `/app/`, `https://cdn.example/`; empty where URLs are relative. */
  readonly base: string
  /** The names of all files, with forward slashes, relative to the output folder. */
  readonly names: readonly string[]
  /** The text of a page or stylesheet, or the bytes of an image. */
  read(name: string): Uint8Array | undefined
  write(name: string, text: string): void
  /** Whether a stylesheet may get other rules under its name: those that it has are not part of it. Default: it may not */
  mayChangeRules?(name: string): boolean
  /**
   * Puts an image into the output beside another of the same source, under the bundler's own naming.
   * @returns its name
   */
  emit(image: FinishedImage, beside: string): string | Promise<string>
}

const STYLESHEET = /\.css$/i
const PAGE = /\.html?$/i

/** Has the pages and stylesheets of an output offer each image in other types beside its own. */
export async function offerAlternatives(session: Session, output: Output, warn: Warn): Promise<void> {
  if (!session.alternatives.isWanted) return
  // With what reads pages, which takes longer to load than all that a warm build does to an image or two hundred.
  const [{ withImageSets }, { withPictures }, { sparePictures }] = await Promise.all([
    import('./image-sets.ts'),
    import('./pictures.ts'),
    import('./picture-selectors.ts'),
  ])
  const { knowsWhere } = session.options
  const spare: SparePictures = (css) => sparePictures(css, knowsWhere)
  const names = [...output.names].sort()
  const images = new Set(names.filter((name) => IMAGE_FILE.test(name)))
  const bytes = new Map<string, Uint8Array | undefined>()
  const read = (name: string): Uint8Array | undefined => {
    if (!bytes.has(name)) bytes.set(name, output.read(name))
    return bytes.get(name)
  }
  const emitted = new Map<string, Promise<string>>()
  const taken = new Set<string>()

  async function change(
    file: string,
    work: (text: string, alternatives: FileAlternatives) => Promise<string>,
  ): Promise<string> {
    const text = Buffer.from(output.read(file)!).toString('utf8')
    const changed = await work(text, offersIn(file))
    if (changed !== text) output.write(file, changed)
    return changed
  }

  function offersIn(file: string): FileAlternatives {
    const imageAt = (url: string): string | undefined => nameOf(url, file, images, output.base)
    const idAt = async (url: string): Promise<string | undefined> => {
      const name = imageAt(url)
      const data = name === undefined ? undefined : read(name)
      return data && session.alternatives.idOf(data)
    }
    return {
      async find(url) {
        const name = imageAt(url)
        const data = name === undefined ? undefined : read(name)
        const offer = data && (await session.alternatives.of(data, warn))
        if (name === undefined || offer === undefined) return undefined
        const { own, others, reason } = offer
        if (others.length === 0) {
          session.log.alternatives(own.planned.id, 'kept', reason)
          return undefined
        }
        const take = async (types: readonly string[]): Promise<TypedUrl[]> => {
          session.log.alternatives(own.planned.id, 'fallback')
          taken.add(name)
          const wanted = others.filter(({ type }) => types.includes(type))
          return Promise.all(
            wanted.map(async (image) => ({
              type: image.type,
              url: urlBeside(url, await emit(image, name), file, output.base),
            })),
          )
        }
        return {
          own: { url, type: own.type },
          types: others.map(({ type }) => type),
          isTaken: taken.has(name),
          take,
        } satisfies UrlAlternatives
      },
      async size(url) {
        if (!session.options.dimensions) return undefined
        const name = imageAt(url)
        const data = name === undefined ? undefined : read(name)
        return data && session.alternatives.own(data, warn)
      },
      has: async (url) => (await idAt(url)) !== undefined,
      async refuse(url, reason) {
        const id = await idAt(url)
        if (id !== undefined) session.log.alternatives(id, 'kept', reason)
      },
    }
  }

  function emit(image: FinishedImage, beside: string): Promise<string> {
    const key = `${image.planned.id} ${path.posix.dirname(beside)}`
    const known = emitted.get(key) ?? Promise.resolve(output.emit(image, beside))
    emitted.set(key, known)
    return known
  }

  // One after the other, so that names are the same in every build; stylesheets first, as pages preload what they show.
  const stylesheets: string[] = []
  const pages = names.filter((name) => PAGE.test(name))
  for (const file of names.filter((name) => STYLESHEET.test(name))) {
    const isSpared = pages.length > 0 && output.mayChangeRules?.(file) === true
    stylesheets.push(
      await change(file, (text, alternatives) => withImageSets(isSpared ? spare(text) : text, alternatives)),
    )
  }
  for (const file of pages) {
    await change(file, (text, alternatives) => withPictures(text, alternatives, stylesheets, spare))
  }
}

/** Which of the images of the output a URL of one of its files stands for. @param base as in `Output` */
export function nameOf(url: string, file: string, names: ReadonlySet<string>, base: string): string | undefined {
  const urlPath = decodePath(splitUrl(url).path)
  if (base !== '' && urlPath.startsWith(base)) {
    const name = urlPath.slice(base.length)
    if (names.has(name)) return name
  }
  if (isExternal(url) || urlPath.startsWith('/')) return undefined
  const name = path.posix.join(path.posix.dirname(file), urlPath)
  return names.has(name) ? name : undefined
}

/** The URL of `other` of the output in the form that `url` of another has, both in the same file. */
export function urlBeside(url: string, other: string, file: string, base: string): string {
  if (base !== '' && url.startsWith(base)) return base + encoded(other)
  const relative = path.posix.relative(path.posix.dirname(file), other)
  return encoded(url.startsWith('./') ? `./${relative}` : relative)
}

const encoded = (name: string): string => encodeURI(name).replace(/[?#]/g, encodeURIComponent)
