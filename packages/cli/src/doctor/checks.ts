import { checkAdvisories } from './advisories.ts'
import { checkCodecs, checkLibraries } from './codecs.ts'
import type { Check } from './contract.ts'
import { checkCache, checkProject } from './folders.ts'
import { checkBundler, checkConfiguration, checkNode, checkVersions } from './project.ts'

/** Checks of `pixpress doctor`, in the order in which they are printed. */
export const CHECKS: Readonly<Record<string, Check>> = {
  node: checkNode,
  versions: checkVersions,
  libraries: checkLibraries,
  codecs: checkCodecs,
  advisories: checkAdvisories,
  bundler: checkBundler,
  permissions: checkProject,
  cache: checkCache,
  configuration: checkConfiguration,
}
