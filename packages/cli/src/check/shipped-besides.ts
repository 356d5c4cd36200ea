import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Lock } from '@pixpress/core/internal'
import { createExclusion } from '../compress/exclusions.ts'
import type { FoundFiles } from '../compress/inputs.ts'
import type { BuiltImages } from './built-images.ts'

interface Selection {
  readonly built: Pick<BuiltImages, 'hasPlugin' | 'matches'>
  readonly cwd: string
  /** Globs of what a person has left out. */
  readonly without: readonly string[]
}

/**
 * The images that builds of a project ship although they are not to be found in its folder: those of a folder beside
 * it, of a package, or that Git ignores. They count for budgets as they do in a build. Absolute paths.
 * @param found what was found in the project's folder
 */
export function shippedBesides(
  { file: lockFile, lines }: Pick<Lock, 'file' | 'lines'>,
  found: readonly FoundFiles[],
  { built, cwd, without }: Selection,
): string[] {
  if (!built.hasPlugin) return []
  const known = new Set(found.flatMap(({ folder, places }) => places.map((place) => path.join(folder, place))))
  const isLeftOut = createExclusion(without, cwd)
  const shipped = new Set(lines.map(({ source }) => path.resolve(path.dirname(lockFile), source)))
  return [...shipped].filter((file) => !known.has(file) && !isLeftOut(file) && built.matches(file) && existsSync(file))
}
