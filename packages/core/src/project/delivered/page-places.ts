import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { IMAGE_EXTENSIONS } from '../../base/formats.ts'

/** Names of files that may refer to images. Data beside them, such as a report, names images without showing them. */
export const REFERRING: RegExp = /\.(?:html?|xhtml|css|[cm]?js|xml|webmanifest)$/i

/** Bytes beyond which a file is no page, stylesheet or script that is worth reading. */
const MAX_BYTES = 10_000_000

/** Characters of a path or URL that are looked at before its extension: no folder and name are longer. */
const MAX_LENGTH = 512

const EXTENSION = new RegExp(String.raw`\.(?:${IMAGE_EXTENSIONS.join('|')})\b`, 'gi')

/** The end of a text back to where no path or URL goes on. */
const TAIL = /[^\s"'`()<>,;=\\?#]*$/

/** Written into every page of a report, which names all images and shows none of the build's. */
export const GENERATOR: string = 'pixpress report'

/**
 * Finds which of a build's pages, stylesheets and scripts name each of its images: by the name of the image's file, and
 * by its folder where that is written too.
 * @param texts absolute paths of those files
 * @param images absolute paths
 * @param folder what the places are relative to
 * @returns by the image's path, sorted, with forward slashes; images that nothing names are absent
 */
export async function placesOf(
  texts: readonly string[],
  images: Iterable<string>,
  folder: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const byName = new Map<string, string[]>()
  for (const image of images) {
    const name = path.basename(image)
    byName.set(name, [...(byName.get(name) ?? []), image])
  }
  const places = new Map<string, Set<string>>()
  for (const file of [...texts].sort()) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.length > MAX_BYTES || text.includes(`content="${GENERATOR}"`)) continue
    const place = path.relative(folder, file).split(path.sep).join('/')
    for (const reference of referencesIn(text)) {
      const segments = decoded(reference)
        .split('/')
        .filter((segment) => !['', '.', '..'].includes(segment))
      const tail = `/${segments.slice(-2).join('/')}`
      for (const image of byName.get(segments.at(-1) ?? '') ?? []) {
        if (!image.split(path.sep).join('/').endsWith(tail)) continue
        places.set(image, (places.get(image) ?? new Set()).add(place))
      }
    }
  }
  return new Map([...places].map(([image, found]) => [image, [...found]]))
}

/**
 * Finds texts that read like the path or URL of an image. Extensions are looked for first, so that long texts without
 * spaces take no longer.
 */
function referencesIn(text: string): Set<string> {
  const references = [...text.matchAll(EXTENSION)].map(({ 0: extension, index }) => {
    const before = text.slice(Math.max(0, index - MAX_LENGTH), index)
    return TAIL.exec(before)![0] + extension
  })
  return new Set(references)
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
