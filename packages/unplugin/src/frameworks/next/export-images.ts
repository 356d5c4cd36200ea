import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from '@pixpress/core/internal'
import { IMAGE_FILE } from '../../session/paths.ts'
import type { Warn } from '../../session/images.ts'
import type { Session } from '../../session/session.ts'
import { askedOperations } from '../asked-image.ts'

/** Files of the site that can hold URLs of images. */
const TEXT = /\.(?:html|txt|js|css|json|xml)$/

/** What `loader.ts` writes behind the URL of an image. */
const VARIANT = /[^\s"'`()<>\\,&;=?#]+\.(?:avif|gif|jpe?g|png|webp)\.w(\d+)(?:-q(\d+))?\.webp/gi

/** Folders of a project whose images are nobody's sources. */
const NOT_SOURCES = /^(?:node_modules|\..*)$/

/** What was done to a finished site. */
export interface ExportedImages {
  /** Sizes that pages ask for. */
  readonly made: number
  /** Images that were compressed in place. */
  readonly compressed: number
  /** URLs of sizes of images that are not in the site. */
  readonly missing: readonly string[]
}

/**
 * Makes every size that the pages of an exported site ask for, and compresses in place the images that are still the project's
 * own files. What the build has compressed already stays.
 * @param out absolute path of the site
 */
export async function exportImages(session: Session, out: string, warn: Warn): Promise<ExportedImages> {
  const files = await filesOf(out, () => true)
  const sources = await sourcesOf(session, out)
  const originals = files.filter((file) => IMAGE_FILE.test(file) && session.matches(file))
  const missing: string[] = []
  let made = 0
  for (const variant of await variantsOf(files.filter((file) => TEXT.test(file)))) {
    const image = imageOf(variant.of, out, originals)
    if (image === undefined) missing.push(variant.url)
    else {
      await make(session, image, variant, sources, warn)
      made++
    }
  }
  let compressed = 0
  for (const file of originals) if (await compress(session, file, sources, warn)) compressed++
  await session.endBuild()
  return { made, compressed, missing }
}

interface Variant {
  readonly url: string
  /** The URL of the image. */
  readonly of: string
  readonly suffix: string
  readonly width: number
  readonly quality: number | undefined
}

async function variantsOf(pages: readonly string[]): Promise<Variant[]> {
  const found = new Map<string, Variant>()
  for (const page of pages) {
    for (const [url, width, quality] of (await readFile(page, 'utf8')).matchAll(VARIANT)) {
      const suffix = /\.w\d+(?:-q\d+)?\.webp$/i.exec(url)![0]
      const score = quality === undefined ? undefined : Number(quality)
      found.set(url, { url, of: url.slice(0, -suffix.length), suffix, width: Number(width), quality: score })
    }
  }
  return [...found.values()].sort((a, b) => (a.url < b.url ? -1 : 1))
}

/** The file of a URL, which may begin with a base path or a host. */
function imageOf(url: string, out: string, files: readonly string[]): string | undefined {
  const decoded = decodeURI(url).replace(/^https?:\/\/[^/]+/, '')
  const parts = decoded.split('/').filter((part) => part !== '')
  const known = new Set(files)
  return parts.map((_, index) => path.join(out, ...parts.slice(index))).find((file) => known.has(file))
}

async function make(session: Session, image: string, variant: Variant, sources: Sources, warn: Warn): Promise<void> {
  const bytes = await readFile(image)
  const source = sources.get(digest(bytes)) ?? image
  // An earlier run made it of the original, which has been compressed since.
  if (source === image && existsSync(image + variant.suffix)) return
  const { width, quality } = variant
  const operations = askedOperations(session.options, source, { width, quality, type: 'image/webp' })
  const { data } = await session.finish(session.planBytes(source, bytes, 'typed', operations), warn)
  await writeFile(image + variant.suffix, data)
}

async function compress(session: Session, file: string, sources: Sources, warn: Warn): Promise<boolean> {
  const bytes = await readFile(file)
  const source = sources.get(digest(bytes))
  if (source === undefined) return false
  // Nobody knows who reads a file of `public/`.
  const isPublic = /^public[\\/]/.test(path.relative(session.options.root, source))
  const { data } = await session.finish(session.planBytes(source, bytes, isPublic ? 'public' : 'typed'), warn)
  if (data.length >= bytes.length) return false
  await replaceFile(file, data)
  return true
}

/** The project's own images by the digest of their bytes: absolute paths. */
type Sources = ReadonlyMap<string, string>

async function sourcesOf(session: Session, out: string): Promise<Sources> {
  const { root } = session.options
  const isOther = (folder: string): boolean => folder === out || NOT_SOURCES.test(path.basename(folder))
  const files = await filesOf(root, (folder) => !isOther(folder))
  const images = files.filter((file) => IMAGE_FILE.test(file) && session.matches(file))
  return new Map(await Promise.all(images.map(async (file) => [digest(await readFile(file)), file] as const)))
}

/** Every file below a folder, sorted; absolute paths. */
async function filesOf(folder: string, enters: (folder: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) return enters(file) ? filesOf(file, enters) : []
      return entry.isFile() ? [file] : []
    }),
  )
  return found.flat().sort()
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
