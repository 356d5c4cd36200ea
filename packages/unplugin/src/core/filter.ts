import { createRequire } from 'node:module'
import path from 'node:path'
import { invalidOption } from '@pixpress/core'
import type Picomatch from 'picomatch'
import { relativePath } from './relative-path.ts'

/** A glob, a regular expression, or a list of both of which one must match. An empty list matches nothing. */
export type FilterPattern = string | RegExp | readonly (string | RegExp)[]

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

/** The image types that are taken when no `include` is given. */
export const DEFAULT_INCLUDE: RegExp = /\.(jpe?g|png|webp|avif|jxl|gif|svg)$/i

/**
 * Makes the test of which files are to be processed. It takes a path without query, absolute or relative to the root.
 *
 * Patterns are matched against the path relative to the root, with forward slashes. That of a file outside the root
 * begins with `../`; a glob that begins with `**` matches it nevertheless. Globs are picomatch's, and take files whose
 * names begin with a dot.
 *
 * @throws PixpressError `INVALID_OPTION` when a pattern is neither a glob nor a regular expression.
 */
export function createFilter(options: FilterOptions): (file: string) => boolean {
  const { root } = options
  const includes = compile('include', options.include ?? DEFAULT_INCLUDE)
  const excludes = compile('exclude', options.exclude ?? [])
  const cacheDir = options.cacheDir === undefined ? undefined : path.resolve(root, options.cacheDir)
  return (file) => {
    // A null byte marks a module that plugins made up.
    if (file.includes('\0')) return false
    const absolute = path.resolve(root, file)
    if (cacheDir !== undefined && isInside(cacheDir, absolute)) return false
    const relative = relativePath(root, absolute)
    return includes.some((matches) => matches(relative)) && !excludes.some((matches) => matches(relative))
  }
}

type Matcher = (relative: string) => boolean

function compile(option: string, pattern: FilterPattern): Matcher[] {
  const patterns: readonly unknown[] = Array.isArray(pattern) ? pattern : [pattern]
  return patterns.map((each) => {
    if (each instanceof RegExp) return regExpMatcher(each)
    if (typeof each === 'string' && each !== '') return globMatcher(each)
    throw invalidOption(option, 'a glob, a RegExp, or a list of them', each)
  })
}

function regExpMatcher(pattern: RegExp): Matcher {
  return (relative) => {
    // A global or sticky expression would go on where its last match ended.
    pattern.lastIndex = 0
    return pattern.test(relative)
  }
}

function globMatcher(glob: string): Matcher {
  // Loaded when there is a glob at all, which few projects have.
  const picomatch = createRequire(import.meta.url)('picomatch') as typeof Picomatch
  const matches = picomatch(glob, { dot: true })
  const isAnywhere = glob.startsWith('**')
  return (relative) => matches(isAnywhere ? relative.replace(/^(?:\.\.\/)+/, '') : relative)
}

function isInside(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep)
}
