import { PixpressError } from '../base/errors.ts'
import { adding } from '../base/faults.ts'

/** One of the packages of pixpress, as it is installed. */
export interface Release {
  readonly name: string
  /** The version of its manifest: `npm run release:version` writes both. */
  readonly version: string
}

/** The version of this package. It is no part of a cache key: `ENGINE_REVISION` is. */
export const CORE: Release = { name: '@pixpress/core', version: '0.1.0' }

/**
 * Refuses two packages of pixpress that are not of one release. They share functions that change with any version, and
 * package managers bring them together by exact versions, unless a project's `overrides` or an edited lock file say
 * otherwise.
 *
 * Every other package calls this function first of all, whatever its version: its name and parameters never change.
 * @param importing the package that calls
 * @param imported the package that it is about to use
 * @throws PixpressError `MACHINE_UNFIT`
 */
export function requireSameRelease(importing: Release, imported: Release = CORE): void {
  if (importing.version === imported.version) return
  throw new PixpressError('MACHINE_UNFIT', differenceOf(importing, imported))
}

function differenceOf(importing: Release, imported: Release): string {
  const newer = compareVersions(importing.version, imported.version) < 0 ? imported.version : importing.version
  const command = adding(`${importing.name}@${newer}`)
  return (
    `${importing.name} ${importing.version} is installed with ${imported.name} ${imported.version}, and all packages of ` +
    `pixpress need the same version. Remove '${imported.name}' from "overrides" or "resolutions" in package.json if it is ` +
    `there, and run: ${command}`
  )
}

/** Negative where the first is older. Versions that differ in their pre-release alone count as equal. */
function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => version.split('-')[0]!.split('.').map(Number))
  return first!.map((part, at) => part - (second![at] ?? 0)).find((difference) => difference !== 0) ?? 0
}
