import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { IMAGE_EXTENSIONS, replaceFile } from '@pixpress/core/internal'
import type { Session } from 'unplugin-pixpress/internal'
import type { VitePlugin } from './astro-types.ts'

const IMAGE = new RegExp(String.raw`^[^?\0]+\.(?:${IMAGE_EXTENSIONS.join('|')})$`, 'i')

/** Images that Astro imports for its components. It emits them as they are, and keeps those whose `src` a page uses. */
export interface Originals {
  readonly plugin: VitePlugin
  /** Absolute paths. */
  readonly files: ReadonlySet<string>
}

export function originals(): Originals {
  const files = new Set<string>()
  return {
    files,
    plugin: {
      name: 'pixpress:astro-originals',
      apply: 'build',
      transform(_, id) {
        // Those of content collections have a query of Astro's.
        const file = id.replace(/\?.*$/, '')
        if (IMAGE.test(file)) files.add(path.normalize(file))
        return null
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
  const sources = new Map<string, string>()
  for (const file of [...files].sort()) {
    if (session.matches(file)) sources.set(digest(await readFile(file)), file)
  }
  if (sources.size === 0) return
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const copies = entries.filter((entry) => entry.isFile() && IMAGE.test(entry.name))
  const compress = async (copy: string): Promise<void> => {
    const bytes = await readFile(copy)
    const source = sources.get(digest(bytes))
    if (source === undefined) return
    // The name that pages have for it says its type.
    const use = session.besides.isWanted ? 'beside' : 'typed'
    const { data } = await session.finish(session.planBytes(source, bytes, use), warn)
    if (data.length < bytes.length) await replaceFile(copy, data)
  }
  // The session bounds how many are worked on at once, and in how much memory.
  await Promise.all(copies.map((entry) => compress(path.join(entry.parentPath, entry.name))))
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
