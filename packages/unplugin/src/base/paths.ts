import path from 'node:path'
import type { ProbeResult } from '@pixpress/core'
import { EXTENSION_PATTERN, typeOfExtension } from '@pixpress/core/internal'
import { nameOfCopy } from './copy-names.ts'

/**
 * Matches the path of an image, for bundlers that ask for the filters of hooks in advance. Files that `include` takes
 * beyond it are never images.
 */
export const IMAGE_FILE: RegExp = new RegExp(`${EXTENSION_PATTERN}$`, 'i')

/** The same with a query. */
export const IMAGE_ID: RegExp = new RegExp(String.raw`${EXTENSION_PATTERN}(?:\?.*)?$`, 'i')

/** The same with a query and a fragment. */
export const IMAGE_URL: RegExp = new RegExp(String.raw`${EXTENSION_PATTERN}(?:[?#].*)?$`, 'i')

/**
 * Makes up the header of a file whose content has no known signature: the type that its extension names, and no size.
 * @param size bytes
 */
export function guessByName(file: string, size: number): ProbeResult {
  const type = typeOfExtension(path.extname(file).slice(1)) ?? 'image/png'
  return { type, width: 0, height: 0, size, hasAlpha: false, frames: 1, orientation: 1, depth: 8 }
}

/** A path below the cache that mirrors one relative to the project, `..` and another drive of Windows included. */
export const mirroredFolder = (folder: string): string =>
  folder
    .replace(/^https?:\/\/.*/, (url) => url.replace(/^https?:\/\//, '__remote/').replaceAll(':', '_'))
    .split('/')
    .map((part) => (part === '..' ? '__' : part))
    .map((part) => (path.sep === '\\' ? part.replace(/^([a-z]):$/i, '__$1') : part))
    .join('/')

/** A part of a path that is not a plain name: empty, `.` or `..`. */
const UNRESOLVED = /(?:^|[\\/])\.{0,2}(?:[\\/]|$)/

/**
 * Relative to a folder, with forward slashes: for messages, names and manifests that are the same on every machine. A
 * copy of a remote image has its URL.
 */
export function relativePath(folder: string, file: string): string {
  const name = nameOfCopy(file)
  if (name !== undefined) return name
  const relative = below(folder, file) ?? path.relative(folder, file)
  return path.sep === '/' ? relative : relative.split(path.sep).join('/')
}

/** The absolute path of a file that is given relative to a folder, or absolute. */
export function absolutePath(folder: string, file: string): string {
  return below(folder, file) === undefined ? path.resolve(folder, file) : file
}

/**
 * Handles the usual case, a file of the project, without the cost of `path.relative`, which resolves both against the
 * working folder.
 */
function below(folder: string, file: string): string | undefined {
  if (!path.isAbsolute(folder) || !file.startsWith(folder) || file[folder.length] !== path.sep) return undefined
  const rest = file.slice(folder.length + 1)
  return UNRESOLVED.test(rest) ? undefined : rest
}

/** Gives the URL of a file relative to the folder of a stylesheet or page, with percent escapes: `../a%20b.png`. */
export function relativeUrl(folder: string, file: string): string {
  const relative = relativePath(folder, file)
  return encodeURI(relative.startsWith('../') ? relative : `./${relative}`)
}
