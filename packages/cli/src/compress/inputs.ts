import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { InputType } from '@pixpress/core'
import { IMAGE_GLOB, createPathMatcher, UsageError } from '@pixpress/core/internal'
import { glob, isDynamicPattern } from 'tinyglobby'
import { createExclusion, splitPatterns } from './exclusions.ts'
import { UNREAD_GLOB, unreadType } from './unread.ts'
import { openWalk } from './walk.ts'
import type { Skipped } from './walk.ts'

/** An image that was asked for. */
export interface InputFile {
  /** Absolute. */
  readonly file: string
  /**
   * Path below the folder or the fixed part of the glob that it was found by, with forward slashes: its place in
   * `--out`.
   */
  readonly place: string
  /** The result that this is, if a source has several. */
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

/** Options of finding inputs. */
export interface InputOptions {
  readonly cwd: string
  /** Globs that files of folders must match. Empty: every image, by its name. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** A folder whose files are never inputs, absolute: that of the results. */
  readonly out: string | undefined
  /** Globs relative to `cwd` of what is left out even where it is named. Default: none. */
  readonly without?: readonly string[]
  /** Other folders whose files are never inputs, absolute: those that the cache and backups are in. Default: none. */
  readonly own?: readonly string[]
  /** Told what is passed over in folders. Default: nobody wonders. */
  readonly onSkipped?: (skipped: Skipped) => void
  /** Told the type of every picture in folders that is of none that is read. Default: nobody looks for them. */
  readonly onUnread?: (type: string) => void
}

/** Glob of every image by its usual names. The content shows what a file really is. */
const IMAGES = `**/${IMAGE_GLOB}`

/** Globs of files that are not the project's own. */
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
  for (const { folder, places } of await findInputPlaces(patterns, options)) {
    for (const place of places) {
      const file = path.join(folder, place)
      const before = found.get(file)
      if (before === undefined || before.place.length < place.length) found.set(file, { file, place })
    }
  }
  return [...found.values()].sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** The files of one path or glob. */
export interface FoundFiles {
  /** Absolute. */
  readonly folder: string
  /** Paths of files below it, with forward slashes, in no order: new, for whoever has asked. */
  readonly places: string[]
}

/**
 * Finds the files of paths and globs, each with what it was found by. They are strings alone, for callers with a great
 * many.
 * @param options.listed as in `findInputs`
 * @throws UsageError for a path or glob without files
 */
export async function findInputPlaces(
  patterns: readonly string[],
  options: InputOptions & { readonly listed?: readonly string[] },
): Promise<FoundFiles[]> {
  const { taken, left } = splitPatterns(patterns, options.cwd)
  const globs = [...left, ...(options.without ?? [])]
  const isLeftOut = createExclusion(globs, options.cwd)
  const found: FoundFiles[] = []
  for (const pattern of taken) found.push(await filesOf(pattern, options, false))
  for (const name of options.listed ?? []) found.push(await filesOf(name, options, true))
  if (globs.length === 0) return found
  return found.map(({ folder, places }) => ({
    folder,
    places: places.filter((place) => !isLeftOut(path.join(folder, place))),
  }))
}

/**
 * Tells whether paths and globs stand for a file that need not be there any more, by its absolute path.
 */
export function createSelection(
  patterns: readonly string[],
  { cwd, include, exclude, without = [] }: Pick<InputOptions, 'cwd' | 'include' | 'exclude' | 'without'>,
): (file: string) => boolean {
  const isExcluded = createPathMatcher([...FOREIGN, ...exclude])
  const { taken, left } = splitPatterns(patterns, cwd)
  const isLeftOut = createExclusion([...left, ...without], cwd)
  const tests = taken.map((pattern) => {
    const asGlob = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern
    const isGlob = isDynamicPattern(asGlob)
    const { base, rest } = isGlob ? splitGlob(asGlob) : { base: pattern, rest: undefined }
    const isIncluded = createPathMatcher(rest ?? (include.length > 0 ? include : IMAGES))
    return { folder: path.resolve(cwd, base), isIncluded }
  })
  return (file) =>
    !isLeftOut(file) &&
    tests.some(({ folder, isIncluded }) => {
      if (file === folder) return true
      const place = path.relative(folder, file).split(path.sep).join('/')
      return isInside(folder, file) && (isIncluded(place) || isIncluded(place.toLowerCase())) && !isExcluded(place)
    })
}

async function filesOf(pattern: string, options: InputOptions, isName: boolean): Promise<FoundFiles> {
  const { cwd, include } = options
  const absolute = path.resolve(cwd, pattern)
  const entry = await stat(absolute).catch(() => undefined)
  if (entry?.isDirectory()) {
    if (include.length > 0 || options.onUnread === undefined)
      return search(include.length > 0 ? include : [IMAGES], absolute, options)
    return withoutUnread(await search([IMAGES, UNREAD_GLOB], absolute, options), options.onUnread)
  }
  if (entry?.isFile()) return { folder: path.dirname(absolute), places: [path.basename(absolute)] }
  if (entry !== undefined) throw new UsageError(`'${pattern}' is neither a file nor a folder.`)
  // Backslashes are Windows' own there, and escape in globs everywhere else.
  const asGlob = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern
  if (isName || !isDynamicPattern(asGlob))
    throw new UsageError(`There is no file or folder '${pattern}'.${slashHint(pattern)}`)
  const { base, rest } = splitGlob(asGlob)
  const found = await search([rest], path.resolve(cwd, base), options)
  if (found.places.length === 0) throw new UsageError(`'${pattern}' matches no file.${slashHint(pattern)}`)
  return found
}

/** Backslashes are part of a name, or take the meaning of what follows, wherever they do not stand between folders. */
const slashHint = (pattern: string): string =>
  process.platform !== 'win32' && pattern.includes('\\')
    ? ` Here folders are parted by '/': write '${pattern.replaceAll('\\', '/')}'.`
    : ''

function withoutUnread({ folder, places }: FoundFiles, onUnread: (type: string) => void): FoundFiles {
  const read = places.filter((place) => {
    const type = unreadType(place)
    if (type !== undefined) onUnread(type)
    return type === undefined
  })
  return { folder, places: read }
}

async function search(globs: readonly string[], folder: string, options: InputOptions): Promise<FoundFiles> {
  const { out, own = [], onSkipped = () => undefined } = options
  const places = await glob([...globs], {
    cwd: folder,
    ignore: [...FOREIGN, ...options.exclude],
    caseSensitiveMatch: false,
    dot: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    fs: await openWalk(folder, { own: own.filter((each) => each !== folder), onSkipped }),
  })
  if (out === undefined || folder === out) return { folder, places }
  return { folder, places: places.filter((place) => !isInside(out, path.join(folder, place))) }
}

/** `images/icons/*.png` is `*.png` in `images/icons`. */
function splitGlob(pattern: string): { base: string; rest: string } {
  const parts = pattern.split('/')
  const first = parts.findIndex((part) => isDynamicPattern(part))
  const fixed = parts.slice(0, first).join('/')
  return { base: pattern.startsWith('/') && fixed === '' ? '/' : fixed, rest: parts.slice(first).join('/') }
}

const isInside = (folder: string, file: string): boolean => file.startsWith(folder + path.sep)
