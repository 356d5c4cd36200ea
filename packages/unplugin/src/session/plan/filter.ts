import path from 'node:path'
import { EXTENSION_PATTERN, createPathMatcher } from '@pixpress/core/internal'
import type { FilterPattern } from '@pixpress/core'
import { nameOfCopy } from '../../base/copy-names.ts'
import { absolutePath, relativePath } from '../../base/paths.ts'

export type { FilterPattern } from '@pixpress/core'

/** Options that select the images of a project by their paths. */
export interface FilterOptions {
  /** Files to take. Default: `DEFAULT_INCLUDE`. */
  include?: FilterPattern | undefined
  /** Files to leave alone although they are included. Default: none. */
  exclude?: FilterPattern | undefined
  /** Absolute path of the folder that patterns are relative to. */
  root: string
  /** Folder whose files never pass, absolute or relative to `root`. Default: none. */
  cacheDir?: string | undefined
}

/** Holds what is taken when no `include` is given: every image, by its extension. */
export const DEFAULT_INCLUDE: RegExp = new RegExp(`${EXTENSION_PATTERN}$`, 'i')

/**
 * Makes the test of which files are to be processed. It takes a path without query, absolute or relative to the root.
 *
 * Patterns are matched against the path relative to the root, with forward slashes. That of a file outside the root
 * begins with `../`; a glob that begins with `**` matches it nevertheless. Globs are picomatch's, and take files whose
 * names begin with a dot.
 */
export function createFilter(options: FilterOptions): (file: string) => boolean {
  const { root } = options
  const isIncluded = createPathMatcher(options.include ?? DEFAULT_INCLUDE)
  const isExcluded = createPathMatcher(options.exclude ?? [])
  const cacheDir = options.cacheDir === undefined ? undefined : path.resolve(root, options.cacheDir)
  return (file) => {
    // A null byte marks a module that plugins made up.
    if (file.includes('\0')) return false
    const name = nameOfCopy(file)
    // The URL of an image need not end with an extension.
    if (name !== undefined) return (options.include === undefined || isIncluded(name)) && !isExcluded(name)
    const absolute = absolutePath(root, file)
    if (cacheDir !== undefined && isInside(cacheDir, absolute)) return false
    const relative = relativePath(root, absolute)
    return isIncluded(relative) && !isExcluded(relative)
  }
}

function isInside(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep)
}
