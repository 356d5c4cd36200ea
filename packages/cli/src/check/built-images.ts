import path from 'node:path'
import type { Operations } from '@pixpress/core'
import {
  AUTO_TYPES,
  createPathMatcher,
  lockFile,
  operationsOf,
  projectOperations,
  readLockedFormats,
  resolveOperations,
} from '@pixpress/core/internal'
import type { FileOperations } from '../compress/file-operations.ts'
import type { Config } from '../base/config.ts'
import { createPluginProjects } from './plugin-projects.ts'

/** The images that builds with the plugin ship: what counts of them is what is delivered. Files are absolute. */
export interface BuiltImages {
  /** True if the configuration's folder is of a project with the plugin. */
  readonly hasPlugin: boolean
  /** Returns whether the configuration gives a file to builds, wherever it lies. */
  matches(file: string): boolean
  isBuilt(file: string): boolean
  /** Absolute folder of the project that builds a file; `undefined` where none with the plugin does. */
  folderOf(file: string): string | undefined
  /** Returns the operations of a build on an image without directives. */
  operationsOf(file: string): FileOperations
  /** Returns whether a build ships an image in another type than its own. */
  isConverted(file: string): boolean
}

/** No build ships anything: files are judged as they are. */
export const NOTHING_BUILT: BuiltImages = {
  hasPlugin: false,
  matches: () => false,
  isBuilt: () => false,
  folderOf: () => undefined,
  operationsOf: () => ({ operations: {}, score: resolveOperations().score }),
  isConverted: () => false,
}

/**
 * Folders of a project whose files are copied, in their own type: those of Vite, Next, Nuxt, Astro and of SvelteKit,
 * Gatsby, Docusaurus.
 */
const COPIED: ReadonlySet<string> = new Set(['public', 'static'])

const isVector = (file: string): boolean => /\.svg$/i.test(file)

/**
 * A build applies only their own settings to vectors. Their elements stay wherever a page may look for them, which is
 * the least that a build ships.
 */
const ofVector = ({ svgo, keepElements = true }: Operations): Operations => ({
  ...(svgo && { svgo }),
  ...(keepElements && { keepElements }),
})

/**
 * @param flags operations that are asked for above the configuration
 * @param root absolute folder that patterns are relative to
 */
export function createBuiltImages(config: Config, flags: Operations, root: string): BuiltImages {
  const projectOf = createPluginProjects()
  const { include, exclude, overrides = [], publicDir = true } = config
  const isIncluded = include === undefined ? () => true : createPathMatcher(include)
  const isExcluded = exclude === undefined ? () => false : createPathMatcher(exclude)
  const own = overrides.map(({ include: taken, exclude: left = [], ...given }) => ({
    isTaken: createPathMatcher(taken),
    isLeft: createPathMatcher(left),
    given,
  }))
  // The lock has the formats that a build chose by the project's browsers, which a check does not look up.
  const locked = readLockedFormats(lockFile(config, root))
  const auto = AUTO_TYPES.filter((type) => locked?.auto.includes(type) ?? true)
  const all = projectOperations(config, auto)
  const made = own.map(({ given }) => projectOperations(given, auto))
  const known = new Map<string, FileOperations>()

  const placeOf = (file: string): string => path.relative(root, file).split(path.sep).join('/')

  function isCopied(file: string): boolean {
    const folder = projectOf(file)?.folder
    return folder !== undefined && COPIED.has(path.relative(folder, file).split(path.sep)[0]!)
  }

  function keepsType(file: string): boolean {
    return isVector(file) || isCopied(file)
  }

  function matches(file: string): boolean {
    const place = placeOf(file)
    return isIncluded(place) && !isExcluded(place)
  }

  const built: BuiltImages = {
    hasPlugin: projectOf(path.join(root, 'package.json')) !== undefined,
    matches,
    isBuilt: (file) => projectOf(file) !== undefined && (publicDir || !isCopied(file)) && matches(file),
    folderOf: (file) => projectOf(file)?.folder,
    operationsOf(file) {
      const place = placeOf(file)
      const at = own.flatMap(({ isTaken, isLeft }, index) => (isTaken(place) && !isLeft(place) ? [index] : []))
      const [keeps, vector] = [keepsType(file), isVector(file)]
      const id = JSON.stringify([at, keeps, vector])
      const before = known.get(id)
      if (before !== undefined) return before
      const { convert, ...others }: Operations = Object.assign({}, all, ...at.map((index) => made[index]))
      const usual = vector ? ofVector(others) : others
      const converted = keeps || convert === undefined ? usual : { ...usual, convert }
      const operations: Operations = vector ? converted : { ...converted, ...operationsOf(flags) }
      const found = { operations, score: resolveOperations(operations).score }
      known.set(id, found)
      return found
    },
    isConverted: (file) => !keepsType(file) && built.operationsOf(file).operations.convert !== undefined,
  }
  return built
}
