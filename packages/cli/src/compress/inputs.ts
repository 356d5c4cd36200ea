import fs from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { InputType } from '@pixpress/core'
import { IMAGE_GLOB, createPathMatcher } from '@pixpress/core/internal'
import { glob, isDynamicPattern } from 'tinyglobby'
import { UsageError } from '../exit.ts'

/** An image that was asked for. */
export interface InputFile {
  /** Absolute. */
  readonly file: string
  /** Path below the folder or the fixed part of the glob that it was found by, with forward slashes: its place in `--out`. */
  readonly place: string
  /** Of several results of one source, which one this is; absent where there is one. */
  readonly variant?: Variant
}

/** One of several results of a source. */
export interface Variant {
  /** Pixels that were asked for; `undefined` where the operations say all. */
  readonly width: number | undefined
  /** The file of the result by its type, absolute. */
  readonly targets: ReadonlyMap<InputType, string>
}

/** Tells inputs apart: the file, and of several results of one the asked width. */
export const inputId = ({ file, variant }: InputFile): string =>
  variant?.width === undefined ? file : `${file}\0${variant.width}`

export interface InputOptions {
  readonly cwd: string
  /** Globs that files of folders must match. Empty: every image, by its name. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** A folder whose files are never inputs, absolute: that of the results. */
  readonly out: string | undefined
}

/** Every image by its usual names. What a file really is shows its content. */
const IMAGES = `**/${IMAGE_GLOB}`

/** What is not the project's own. */
const FOREIGN = ['**/node_modules/**', '**/.git/**', '**/.cache/pixpress/**']

/**
 * The files that paths and globs stand for, sorted, each once. A file that is named is taken whatever its name.
 * @param options.listed files and folders by their very names, whatever characters those have
 * @throws UsageError for what stands for nothing
 */
export async function findInputs(
  patterns: readonly string[],
  options: InputOptions & { readonly listed?: readonly string[] },
): Promise<InputFile[]> {
  const found = new Map<string, InputFile>()
  const named = (options.listed ?? []).map((name) => ({ name, isListed: true }))
  for (const { name, isListed } of [...patterns.map((each) => ({ name: each, isListed: false })), ...named]) {
    for (const input of await filesOf(name, options, isListed)) {
      const before = found.get(input.file)
      if (before === undefined || before.place.length < input.place.length) found.set(input.file, input)
    }
  }
  return [...found.values()].sort((a, b) => (a.file < b.file ? -1 : 1))
}

/**
 * Tells whether paths and globs stand for a file that need not be there any more, by its absolute path.
 */
export function createSelection(
  patterns: readonly string[],
  { cwd, include, exclude }: Pick<InputOptions, 'cwd' | 'include' | 'exclude'>,
): (file: string) => boolean {
  const isExcluded = createPathMatcher([...FOREIGN, ...exclude])
  const tests = patterns.map((pattern) => {
    const asGlob = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern
    const isGlob = isDynamicPattern(asGlob)
    const { base, rest } = isGlob ? splitGlob(asGlob) : { base: pattern, rest: undefined }
    const isIncluded = createPathMatcher(rest ?? (include.length > 0 ? include : IMAGES))
    return { folder: path.resolve(cwd, base), isIncluded }
  })
  return (file) =>
    tests.some(({ folder, isIncluded }) => {
      if (file === folder) return true
      const place = path.relative(folder, file).split(path.sep).join('/')
      return isInside(folder, file) && (isIncluded(place) || isIncluded(place.toLowerCase())) && !isExcluded(place)
    })
}

async function filesOf(pattern: string, options: InputOptions, isName: boolean): Promise<InputFile[]> {
  const { cwd, include } = options
  const absolute = path.resolve(cwd, pattern)
  const entry = await stat(absolute).catch(() => undefined)
  if (entry?.isDirectory()) return search(include.length > 0 ? include : [IMAGES], absolute, options)
  if (entry?.isFile()) return [{ file: absolute, place: path.basename(absolute) }]
  if (entry !== undefined) throw new UsageError(`'${pattern}' is neither a file nor a folder.`)
  // Backslashes are Windows' own there, and escape in globs everywhere else.
  const asGlob = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern
  if (isName || !isDynamicPattern(asGlob)) throw new UsageError(`There is no file or folder '${pattern}'.`)
  const { base, rest } = splitGlob(asGlob)
  const files = await search([rest], path.resolve(cwd, base), options)
  if (files.length === 0) throw new UsageError(`'${pattern}' matches no file.`)
  return files
}

async function search(globs: readonly string[], folder: string, options: InputOptions): Promise<InputFile[]> {
  const places = await glob([...globs], {
    cwd: folder,
    ignore: [...FOREIGN, ...options.exclude],
    caseSensitiveMatch: false,
    dot: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    fs,
  })
  return places
    .map((place) => ({ file: path.join(folder, place), place: place.split(path.sep).join('/') }))
    .filter(({ file }) => options.out === undefined || folder === options.out || !isInside(options.out, file))
}

/** `images/icons/*.png` is `*.png` in `images/icons`. */
function splitGlob(pattern: string): { base: string; rest: string } {
  const parts = pattern.split('/')
  const first = parts.findIndex((part) => isDynamicPattern(part))
  const fixed = parts.slice(0, first).join('/')
  return { base: pattern.startsWith('/') && fixed === '' ? '/' : fixed, rest: parts.slice(first).join('/') }
}

const isInside = (folder: string, file: string): boolean => file.startsWith(folder + path.sep)
