import { AUTO_TYPES } from '@pixpress/core/internal'
import type { Fallback } from '@pixpress/core'
import { allKnowWhere, browsersOfTargets, projectBrowsers, typesForAll } from './browsers.ts'
import type { ResolvedOptions } from './options.ts'
import { standingSentence } from './standing.ts'

/** Finds the types and selectors that are safe in every browser that the project or its bundler names. */
export function knownOfBrowsers(
  fallback: Fallback,
  root: string,
  targets: readonly string[],
): Pick<ResolvedOptions, 'covered' | 'knowsWhere' | 'unknownBrowsers' | 'standing'> {
  if (fallback === false) return { covered: [], knowsWhere: true }
  const own = projectBrowsers(root)
  // The project names browsers that cannot be read, so none of the new types is safe.
  if (own !== undefined && 'error' in own)
    return { covered: [], knowsWhere: false, ...(fallback === 'auto' && { unknownBrowsers: own.error }) }
  const browsers = own ?? browsersOfTargets(targets)
  const knowsWhere = allKnowWhere(browsers)
  if (fallback !== 'auto') return { covered: [], knowsWhere }
  const covered = typesForAll(AUTO_TYPES, browsers, own === undefined ? 'targets' : 'browserslist')
  const standing = standingSentence(AUTO_TYPES, browsers, own === undefined ? targets : undefined)
  return { covered, knowsWhere, ...(standing !== undefined && { standing }) }
}
