import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from '@pixpress/core/internal'
import { filesOf } from '../base/files.ts'
import { IMAGE_FILE } from '../base/paths.ts'
import type { Warn } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'

/** Folders of a project whose images are nobody's sources. */
const NOT_SOURCES = /^(?:node_modules|\..*)$/

/** A project's own images by the digest of their bytes: absolute paths. */
export type Sources = ReadonlyMap<string, string>

/**
 * Finds the project's images, so that those of a finished site that are still the same bytes can be told from those
 * that a build has compressed already.
 * @param out absolute path of the site, whose images are no sources
 */
export async function findSources(session: Session, out: string): Promise<Sources> {
  session.expectCopies(path.join(session.options.root, 'public'), out)
  const isOther = (folder: string): boolean => folder === out || NOT_SOURCES.test(path.basename(folder))
  const files = await filesOf(session.options.root, (folder) => !isOther(folder))
  const images = files.filter((file) => IMAGE_FILE.test(file) && session.matches(file))
  return new Map(await Promise.all(images.map(async (file) => [digest(await readFile(file)), file] as const)))
}

/**
 * Compresses a file of a finished site in place, in its own type, if it is a source's copy.
 * @param use Default: `public` for files of `public/`, and `typed` for others
 * @returns whether it has become smaller
 */
// oxlint-disable-next-line max-params -- an object for two flags of one call would say less
export async function compressCopy(
  session: Session,
  file: string,
  sources: Sources,
  warn: Warn,
  use?: 'public',
): Promise<boolean> {
  const bytes = await readFile(file)
  const source = sources.get(digest(bytes))
  if (source === undefined) return false
  // Nobody knows who reads a file of `public/`.
  const isPublic = /^public[\\/]/.test(path.relative(session.options.root, source))
  const { data } = await session.finish(session.planBytes(source, bytes, use ?? (isPublic ? 'public' : 'typed')), warn)
  if (data.length >= bytes.length) return false
  await replaceFile(file, data)
  return true
}

/** Digests the bytes of an image, by which copies are told. */
export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
