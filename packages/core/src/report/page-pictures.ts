import { readFile, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { detectType } from '../base/detect.ts'
import { EXTENSIONS, IMAGE_EXTENSIONS } from '../base/formats.ts'
import { deliveredBy } from '../project/delivered/pages.ts'
import type { DeliveredPage } from '../project/delivered/pages.ts'
import type { Report, ReportImage } from './json.ts'
import type { Pictures } from './page-data.ts'
import { REFERRING, placesOf } from '../project/delivered/page-places.ts'

/** Maximum number of thumbnails, for the heaviest images. With the limit below they take at most 0.7 MB. */
const MAX_THUMBNAILS = 240

/** Longest `data:` URL of a thumbnail, in characters. A longer one is left out. */
const MAX_THUMBNAIL = 3000

/** Longer side of a thumbnail in pixels: 40 CSS pixels on a screen of twice the density. */
const THUMBNAIL_SIDE = 80

/** Pixels of the largest picture that gets a thumbnail. A larger one would take too much memory for a report. */
const MAX_PIXELS = 100_000_000

/** Maximum number of entries that the search for results reads. A folder with more is not the output of a build. */
const MAX_ENTRIES = 50_000

/** Folders that never hold the output of a build. */
const FOREIGN: ReadonlySet<string> = new Set(['node_modules', '.git', '.cache'])

/**
 * Finds the files of a report's images and makes thumbnails of the heaviest ones. A file that is missing, or whose
 * bytes differ from the report, gets neither a link nor a thumbnail.
 * @param root absolute folder that the report's paths are relative to
 * @param page absolute path of the page. Links are relative to it, and the results of a build are looked up in its
 * folder by size, type and name.
 * @returns `pictures` in the order of the report's images, and the images that each page of the build delivers
 */
export async function findPictures(
  report: Report,
  root: string,
  page: string,
): Promise<{ pictures: readonly Pictures[]; delivered: readonly DeliveredPage[] }> {
  const folder = path.dirname(page)
  const isBuild = report.images.some(({ output }) => output === undefined)
  const { outputs, texts } = isBuild ? await filesIn(folder, page) : NOTHING
  const found = await Promise.all(
    report.images.map(async (image) => {
      const [before, after] = await Promise.all([
        fileOf(path.resolve(root, image.source), image.before),
        image.output === undefined ? outputOf(image, outputs) : fileOf(path.resolve(root, image.output), image.after),
      ])
      return { before, after }
    }),
  )
  const results = new Set(found.flatMap(({ after }) => after ?? []))
  const places = texts.length === 0 ? undefined : await placesOf(texts, results, folder)
  const pictures = found.map(({ before, after }): Pictures => {
    const [beforeLink, afterLink] = [linkTo(before, folder), linkTo(after, folder)]
    const named = after === undefined ? undefined : places?.get(after)
    return {
      ...(beforeLink !== undefined && { beforeLink }),
      ...(afterLink !== undefined && { afterLink }),
      ...(named !== undefined && { places: named }),
    }
  })
  const heaviest = report.images
    .map(({ after }, at) => ({ after, at }))
    .sort((a, b) => b.after - a.after || a.at - b.at)
    .slice(0, MAX_THUMBNAILS)
  const queue = heaviest.values()
  const work = async (): Promise<void> => {
    for (const { at } of queue) {
      const thumbnail = (await thumbnailOf(found[at]!.before)) ?? (await thumbnailOf(found[at]!.after))
      if (thumbnail !== undefined) pictures[at] = { ...pictures[at], thumbnail }
    }
  }
  await Promise.all([work(), work()])
  return { pictures, delivered: await deliveredBy(texts, folder) }
}

/** Returns the file if it has this size in bytes. A source that was replaced in place has another size. */
async function fileOf(file: string, size: number): Promise<string | undefined> {
  const entry = await stat(file).catch(() => undefined)
  return entry?.isFile() === true && entry.size === size ? file : undefined
}

/** The files in a folder and its subfolders. */
interface BuiltFiles {
  /** Paths of images, keyed by extension and bytes: `webp 4321`. */
  readonly outputs: ReadonlyMap<string, readonly string[]>
  /** Paths of files that may refer to images. */
  readonly texts: readonly string[]
}

const NOTHING: BuiltFiles = { outputs: new Map(), texts: [] }

/**
 * Lists the files of a folder and its subfolders.
 * @param page path of the report's page, which is left out because it refers to every image itself
 */
async function filesIn(folder: string, page: string): Promise<BuiltFiles> {
  const outputs = new Map<string, string[]>()
  const texts: string[] = []
  const folders = [folder]
  let entries = 0
  for (let next = folders.shift(); next !== undefined && entries < MAX_ENTRIES; next = folders.shift()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      entries++
      const file = path.join(next, entry.name)
      if (entry.isDirectory() && !FOREIGN.has(entry.name)) folders.push(file)
      if (entry.isFile() && REFERRING.test(entry.name) && file !== page) texts.push(file)
      const extension = path.extname(entry.name).slice(1).toLowerCase()
      if (!entry.isFile() || !IMAGE_EXTENSIONS.includes(extension)) continue
      const size = await stat(file).then(
        (stats) => stats.size,
        () => -1,
      )
      const key = `${extension} ${size}`
      outputs.set(key, [...(outputs.get(key) ?? []), file])
    }
  }
  return { outputs, texts }
}

/**
 * Finds the result of an image in a build. Bundlers add a hash between name and extension, so a file whose name starts
 * alike is preferred. A file of another name is taken only if no other file has its type and size.
 */
function outputOf({ source, type, after }: ReportImage, outputs: BuiltFiles['outputs']): string | undefined {
  const extensions = new Set([EXTENSIONS[type], path.extname(source).slice(1).toLowerCase()])
  const found = [...extensions].flatMap((extension) => outputs.get(`${extension} ${after}`) ?? []).sort()
  const stem = path.basename(source, path.extname(source))
  return found.find((file) => path.basename(file).startsWith(stem)) ?? (found.length === 1 ? found[0] : undefined)
}

/** Returns a relative URL; `undefined` for a file on another drive, which has no relative path. */
function linkTo(file: string | undefined, folder: string): string | undefined {
  if (file === undefined) return undefined
  const relative = path.relative(folder, file)
  if (path.isAbsolute(relative)) return undefined
  return `./${relative.split(path.sep).map(encodeURIComponent).join('/')}`
}

async function thumbnailOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  try {
    const [{ default: sharp }, { readOrientation }, { turnUpright }] = await Promise.all([
      import('sharp'),
      import('../work/steps/metadata.ts'),
      import('../encoding/turned.ts'),
    ])
    const bytes = await readFile(file)
    const type = detectType(bytes)
    const stored = sharp(bytes, { limitInputPixels: MAX_PIXELS })
    const small = await turnUpright(
      stored.resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true }),
      type === undefined ? 1 : readOrientation(bytes, type),
    )
      .webp({ quality: 60, effort: 4 })
      .toBuffer()
    const url = `data:image/webp;base64,${small.toString('base64')}`
    return url.length <= MAX_THUMBNAIL ? url : undefined
  } catch {
    // A picture that sharp cannot decode is shown without a thumbnail.
    return undefined
  }
}
