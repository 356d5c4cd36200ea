import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
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

/** The name of a file with an image's extension, as it stands in a URL or string; escapes included. */
const FILE_NAME = new RegExp(String.raw`[^\s"'${'`'}()<>\\/?#,;:=&|*]+${EXTENSION_PATTERN}`, 'gi')

/** Characters that end a name in `FILE_NAME`. */
const UNUSUAL = /[\s"'`()<>\\/?#,;:=&|*]/

/** Bytes of a text that is read; a longer one is data. A longer model is read so far: a GLB begins with its names. */
const LONGEST = 32 * 1024 ** 2

/**
 * Notes the copied images whose names stand in no text or model of the output, for the report. They are delivered all
 * the same: scripts may put names together, and other sites may refer to them. An output without a page says nothing,
 * as what makes its pages is elsewhere.
 * @param publicDir absolute path of the folder that was copied
 * @param outDir absolute path of the whole output
 */
export async function noteUnnamedCopies(session: Session, publicDir: string, outDir: string): Promise<void> {
  const files = await readdir(outDir, { recursive: true, withFileTypes: true }).catch(() => [])
  const texts = files
    .filter((entry) => entry.isFile() && mayName(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
  if (!texts.some((file) => /\.html?$/i.test(file))) return
  const images = await copiedImages(session, publicDir)
  const named = namesIn(texts)
  // A name with blanks or brackets may stand in a string as it is, where no expression tells its ends.
  const isWritten = (name: string): boolean => UNUSUAL.test(name) && texts.some((file) => textOf(file).includes(name))
  const unnamed = images.flatMap((file): DeliveredCopy[] => {
    const name = path.basename(file)
    if (named.has(name.toLowerCase()) || isAskedForByName(file) || isWritten(name)) return []
    const copy = statSync(path.join(outDir, path.relative(publicDir, file)), { throwIfNoEntry: false })
    return copy === undefined ? [] : [{ source: relativePath(session.options.root, file), bytes: copy.size }]
  })
  session.log.unnamed(unnamed)
}

/** Tells whether a file may name images: glTF and other models do as well. */
const mayName = (name: string): boolean => TEXT.test(name) || readAs(name) !== undefined

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

function namesIn(files: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const file of files) {
    for (const [name] of textOf(file).matchAll(FILE_NAME)) {
      names.add(name.toLowerCase())
      names.add(decodePath(name).toLowerCase())
    }
  }
  return names
}
