import { AUTO_TYPES } from '@pixpress/core/internal'
import { browsersOfTargets, projectBrowsers, typesForAll } from './browsers.ts'
import type { ResolvedOptions } from './options.ts'
import { standingSentence } from './standing.ts'

/** Finds the types of `convert: 'auto'`: those that the browsers read which the project or its bundler names. */
export function knownOfBrowsers(
  isAuto: boolean,
  root: string,
  targets: readonly string[],
): Pick<ResolvedOptions, 'covered' | 'unknownBrowsers' | 'standing'> {
  if (!isAuto) return { covered: [] }
  const own = projectBrowsers(root)
  // The project names browsers that cannot be read, so none of the new types is safe.
  if (own !== undefined && 'error' in own) return { covered: [], unknownBrowsers: own.error }
  const browsers = own ?? browsersOfTargets(targets)
  const covered =
    browsers.length === 0
      ? AUTO_TYPES
      : typesForAll(AUTO_TYPES, browsers, own === undefined ? 'targets' : 'browserslist')
  const standing = standingSentence(AUTO_TYPES, browsers, own === undefined ? targets : undefined)
  return { covered, ...(standing !== undefined && { standing }) }
}
