import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { detectType } from '@pixpress/core'
import { IMAGE_FILE } from '../../base/paths.ts'
import type { Warn } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'
import { askedOperations } from '../asked-image.ts'
import { filesOf } from '../../base/files.ts'
import { compressCopy, digest, findSources } from '../../copies/sources.ts'
import type { Sources } from '../../copies/sources.ts'

/** Files of the site that can hold URLs of images. */
const TEXT = /\.(?:html|txt|js|css|json|xml)$/

/** Holds what `loader.ts` writes behind the URL of an image. */
const VARIANT = /[^\s"'`()<>\\,&;=?#]+\.(?:avif|gif|jpe?g|png|webp)\.w(\d+)(?:-q(\d+))?\.webp/gi

/** Describes what was done to a finished site. */
export interface ExportedImages {
  /** Sizes that pages ask for. */
  readonly made: number
  /** Images that were compressed in place. */
  readonly compressed: number
  /** URLs of sizes of images that are not in the site. */
  readonly missing: readonly string[]
}

/**
 * Makes every size that the pages of an exported site ask for, and compresses in place the images that are still the
 * project's own files. Images that the build has compressed already stay.
 * @param out absolute path of the site
 */
export async function exportImages(session: Session, out: string, warn: Warn): Promise<ExportedImages> {
  const files = await filesOf(out)
  const sources = await findSources(session, out)
  const originals = files.filter((file) => IMAGE_FILE.test(file) && session.matches(file))
  const missing: string[] = []
  let made = 0
  for (const variant of await variantsOf(files.filter((file) => TEXT.test(file)))) {
    const image = imageOf(variant.of, out, originals)
    if (image === undefined) missing.push(variant.url)
    else {
      await make({ session, sources, warn }, image, variant)
      made++
    }
  }
  let compressed = 0
  for (const file of originals) if (await compressCopy(session, file, sources, warn)) compressed++
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

interface Making {
  readonly session: Session
  readonly sources: Sources
  readonly warn: Warn
}

async function make({ session, sources, warn }: Making, image: string, variant: Variant): Promise<void> {
  const bytes = await readFile(image)
  const source = sources.get(digest(bytes)) ?? image
  // An earlier run made it of the original, which has been compressed since.
  if (source === image && existsSync(image + variant.suffix)) return
  const notes: string[] = []
  const finished = async (width?: number): Promise<Uint8Array> => {
    notes.length = 0
    const asked = { width, quality: variant.quality, type: 'image/webp' } as const
    const operations = askedOperations(session.options, source, asked)
    const plan = session.planBytes(source, bytes, 'typed', operations)
    return (await session.finish(plan, (note) => notes.push(note))).data
  }
  const sized = await finished(variant.width)
  // The image itself, of an encoder that promised less, takes fewer bytes and has more pixels.
  const isGrown = sized.length > bytes.length && detectType(bytes) === 'image/webp'
  const data = isGrown ? await finished() : sized
  for (const note of notes) warn(note)
  await writeFile(image + variant.suffix, data)
}
