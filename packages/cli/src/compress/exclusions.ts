import { existsSync } from 'node:fs'
import path from 'node:path'
import { createPathMatcher } from '@pixpress/core/internal'

/** Patterns that were given in place of files, folders and globs: those to take, and those to leave out. */
export interface GivenPatterns {
  readonly taken: readonly string[]
  /** Without their `!`. */
  readonly left: readonly string[]
}

/** `!drafts/**` leaves out, unless a file has that very name. */
export function splitPatterns(patterns: readonly string[], cwd: string): GivenPatterns {
  const leaves = (pattern: string): boolean =>
    pattern.length > 1 && pattern.startsWith('!') && !existsSync(path.resolve(cwd, pattern))
  return {
    taken: patterns.filter((pattern) => !leaves(pattern)),
    left: patterns.filter(leaves).map((pattern) => pattern.slice(1)),
  }
}

/** The current folder where nothing says what to take. */
export const orHere = (patterns: readonly string[], cwd: string): readonly string[] =>
  splitPatterns(patterns, cwd).taken.length === 0 ? ['.', ...patterns] : patterns

/** The globs of a flag that was given several times: commas within braces and brackets belong to a glob. */
export function splitGlobs(text: string): string[] {
  const globs = ['']
  let depth = 0
  for (const character of text) {
    if ('{[('.includes(character)) depth++
    if ('}])'.includes(character)) depth = Math.max(0, depth - 1)
    if (character === ',' && depth === 0) globs.push('')
    else globs[globs.length - 1] += character
  }
  return globs.map((glob) => glob.trim()).filter((glob) => glob !== '')
}

/**
 * Makes the test of files that a person has left out, by their absolute paths. A glob stands for files and for folders
 * with all that is in them; one without a slash for whatever has that name, at any depth.
 * @param cwd absolute folder that the globs are relative to
 */
export function createExclusion(globs: readonly string[], cwd: string): (file: string) => boolean {
  if (globs.length === 0) return () => false
  const matches = createPathMatcher(globs.flatMap((glob) => withContents(glob, cwd)))
  return (file) => matches(path.relative(cwd, file).split(path.sep).join('/'))
}

function withContents(glob: string, cwd: string): string[] {
  const asGlob = process.platform === 'win32' ? glob.replaceAll('\\', '/') : glob
  const below = path.isAbsolute(glob) ? path.relative(cwd, glob).split(path.sep).join('/') : asGlob
  const plain = below.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
  const anywhere = plain.includes('/') ? plain : `**/${plain}`
  return [anywhere, `${anywhere}/**`]
}
