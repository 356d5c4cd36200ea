import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { IMAGE_EXTENSIONS, replaceFile } from '@pixpress/core/internal'
import type { ReplacedTool, Session } from 'unplugin-pixpress/internal'
import type { VitePlugin } from './astro-types.ts'
import { ASTRO } from './held-project.ts'

const IMAGE = new RegExp(String.raw`^[^?\0]+\.(?:${IMAGE_EXTENSIONS.join('|')})$`, 'i')

/** Files that may name an image of the output. */
const TEXT = /\.(?:html?|css|[cm]?js|json|xml|txt|md|webmanifest|svg)$/i

/** Images that Astro imports for its components. It emits them as they are, and keeps those whose `src` a page uses. */
export interface Originals {
  readonly plugin: VitePlugin
  /** Absolute paths. */
  readonly files: ReadonlySet<string>
  /** The same by their names in the output, as soon as Vite has built. */
  readonly emitted: ReadonlyMap<string, string>
}

/** Collects the originals that Astro emits. */
export function originals(): Originals {
  const files = new Set<string>()
  const emitted = new Map<string, string>()
  return {
    files,
    emitted,
    plugin: {
      name: 'pixpress:astro-originals',
      apply: 'build',
      transform(_, id) {
        // Those of content collections have a query of Astro's.
        const file = id.replace(/\?.*$/, '')
        if (IMAGE.test(file)) files.add(path.normalize(file))
        return null
      },
      async generateBundle(_, bundle) {
        const assets = Object.values(bundle).filter((output) => output.type === 'asset')
        const images = assets.filter(({ fileName }) => IMAGE.test(fileName))
        if (images.length === 0) return
        const sources = await byDigest(files)
        for (const { fileName, source } of images) {
          const file = sources.get(digest(Buffer.from(source)))
          if (file !== undefined) emitted.set(fileName, file)
        }
      },
    },
  }
}

/**
 * Compresses in place, in their own type, the originals that are still in the output.
 * @param files absolute paths of the sources
 * @param folder absolute path of the output
 */
export async function compressOriginals(
  session: Session,
  files: ReadonlySet<string>,
  folder: string,
  warn: (message: string) => void,
): Promise<void> {
  const sources = await byDigest([...files].filter((file) => session.matches(file)))
  if (sources.size === 0) return
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = entries.filter((entry) => entry.isFile())
  const texts = found.filter(({ name }) => TEXT.test(name))
  const copies = await named(
    found.filter(({ name }) => IMAGE.test(name)),
    texts.map((entry) => path.join(entry.parentPath, entry.name)),
  )
  const compress = async (copy: string): Promise<void> => {
    const bytes = await readFile(copy)
    const source = sources.get(digest(bytes))
    if (source === undefined) return
    const planned = session.planBytes(source, bytes, 'typed')
    const { data } = await session.finish(planned, warn)
    await session.baselines.measure(planned, asItIs(bytes))
    if (data.length < bytes.length) await replaceFile(copy, data)
  }
  // The session bounds how many are worked on at once, and in how much memory.
  await Promise.all(copies.map((entry) => compress(path.join(entry.parentPath, entry.name))))
}

/**
 * Returns the files that a text of the output names. Astro keeps originals of content collections also where pages show
 * only what was made of them: nobody loads those.
 */
async function named(copies: readonly Dirent[], texts: readonly string[]): Promise<Dirent[]> {
  const left = new Set(copies)
  const isNamed: Dirent[] = []
  for (const file of texts) {
    if (left.size === 0) break
    const text = await readFile(file, 'utf8')
    for (const entry of left) {
      // URLs and markup write other characters differently.
      const [end = entry.name] = /[\w.-]+$/.exec(entry.name) ?? []
      if (!text.includes(end)) continue
      left.delete(entry)
      isNamed.push(entry)
    }
  }
  return isNamed
}

/** Returns the absolute paths by the digest of their bytes. */
async function byDigest(files: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const file of [...files].sort()) found.set(digest(await readFile(file)), file)
  return found
}

/** Astro delivers what it is handed for `<img>`. */
export const asItIs = (data: Uint8Array): ReplacedTool => ({
  tool: ASTRO,
  request: () => 'as it is',
  make: () => Promise.resolve({ data }),
})

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
