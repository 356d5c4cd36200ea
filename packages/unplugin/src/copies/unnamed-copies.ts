import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import { relativePath } from '../base/paths.ts'
import { decodePath } from '../references/url.ts'
import type { DeliveredCopy } from '../session/report/remarks.ts'
import type { Session } from '../session/session.ts'
import { isAskedForByName } from '../textures/names.ts'
import { readAs } from '../textures/reading.ts'
import { copiedImages } from './copied-images.ts'

/** Files of an output that name images: texts that browsers and other readers get. */
const TEXT = /\.(?:html?|css|[cm]?js|json|webmanifest|xml|svg|txt|md|rss|atom)$/i

/** The end of the name of a file. */
const EXTENSION = new RegExp(`${EXTENSION_PATTERN}(?![a-z])`, 'gi')

/** Characters that stand beside a name in a URL or string. A name may have them as well, as they are or escaped. */
const UNUSUAL = /[\s"'`()<>\\/?#,;:=&|*]/

/** Characters of a name. A longer one is data. */
const LONGEST_NAME = 255

/** Bytes of a text that is read; a longer one is data. A longer model is read so far: a GLB begins with its names. */
const LONGEST = 32 * 1024 ** 2

/**
 * Notes the copied images whose names stand in no text or model of the output, for the report. They are delivered all
 * the same: scripts may put names together, and other sites may refer to them. Says nothing where the build writes no
 * page, as others write them later: SvelteKit does.
 * @param publicDir absolute path of the folder that was copied
 * @param outDir absolute path of the whole output
 * @param shown absolute paths of images that are shown by a converted copy of another name
 */
export async function noteUnnamedCopies(
  session: Session,
  publicDir: string,
  outDir: string,
  shown: ReadonlySet<string> = new Set(),
): Promise<void> {
  const files = await readdir(outDir, { recursive: true, withFileTypes: true }).catch(() => [])
  const texts = files
    .filter((entry) => entry.isFile() && mayName(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
  // A copied page, such as a search engine's proof of ownership, names none of the site's images.
  const isCopied = (file: string): boolean => existsSync(path.join(publicDir, path.relative(outDir, file)))
  if (!texts.some((file) => /\.html?$/i.test(file) && !isCopied(file))) return
  const images = await copiedImages(session, publicDir)
  const named = namesIn(texts)
  // A name with blanks or brackets may stand in a string as it is, where nothing tells its ends.
  const isWritten = (name: string): boolean => UNUSUAL.test(name) && texts.some((file) => textOf(file).includes(name))
  const isInParts = createPartsCheck(texts)
  const unnamed = images.flatMap((file): DeliveredCopy[] => {
    const name = path.basename(file)
    const inside = path.relative(publicDir, file)
    if (shown.has(file) || named.has(name.toLowerCase()) || isAskedForByName(file) || isWritten(name)) return []
    if (isInParts(path.dirname(inside))) return []
    const copy = statSync(path.join(outDir, inside), { throwIfNoEntry: false })
    return copy === undefined ? [] : [{ source: relativePath(session.options.root, file), bytes: copy.size }]
  })
  session.log.unnamed(unnamed)
}

/** Tells whether a file may name images: glTF and other models do as well. */
const mayName = (name: string): boolean => TEXT.test(name) || readAs(name) !== undefined

/** Stands in a script behind the part of a URL that it knows: the end of a string, or an expression. */
const REST = ['"', "'", '`', '${'] as const

const hasAny = (text: string, start: string): boolean => REST.some((rest) => text.includes(start + rest))

/** Returns a check whether a script puts names of a folder's files together: `/cards/${name}.jpg` is any of them. */
function createPartsCheck(texts: readonly string[]): (folder: string) => boolean {
  const known = new Map<string, boolean>()
  return (folder) => {
    if (folder === '.') return false
    const start = `${folder.split(path.sep).join('/')}/`
    const found = known.get(folder) ?? texts.some((file) => hasAny(textOf(file), start))
    known.set(folder, found)
    return found
  }
}

function textOf(file: string): string {
  if (statSync(file).size <= LONGEST) return readFileSync(file, 'utf8')
  return readAs(file) === 'model' ? beginningOf(file) : ''
}

function beginningOf(file: string): string {
  const opened = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(LONGEST)
    return bytes.toString('latin1', 0, readSync(opened, bytes, 0, LONGEST, 0))
  } finally {
    closeSync(opened)
  }
}

/**
 * Returns the names of images in texts, escapes included. Each is read from its extension backwards: an expression that
 * begins everywhere took 0.3 s for a bundle of three.js.
 */
function namesIn(files: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const file of files) {
    const text = textOf(file)
    for (const { 0: extension, index } of text.matchAll(EXTENSION)) {
      let start = index
      while (start > 0 && index - start < LONGEST_NAME && !UNUSUAL.test(text[start - 1]!)) start--
      const name = text.slice(start, index) + extension
      names.add(name.toLowerCase())
      names.add(decodePath(name).toLowerCase())
    }
  }
  return names
}
