import { checkAdvisories } from './advisories.ts'
import { checkCodecs } from './codecs.ts'
import type { Check } from './contract.ts'
import { checkCache, checkProject } from './folders.ts'
import { checkBundler, checkConfiguration, checkNode, checkVersions } from './project.ts'

/** What `pixpress doctor` looks at, in the order in which it says so. */
export const CHECKS: Readonly<Record<string, Check>> = {
  node: checkNode,
  versions: checkVersions,
  codecs: checkCodecs,
  advisories: checkAdvisories,
  bundler: checkBundler,
  permissions: checkProject,
  cache: checkCache,
  configuration: checkConfiguration,
}
