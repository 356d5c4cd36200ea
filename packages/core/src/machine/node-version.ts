/** The oldest Node of each line that runs pixpress, as in the manifests' `engines`. */
const OLDEST = [
  [20, 19],
  [22, 12],
] as const

/**
 * Returns a message about a version of Node that is too old; `undefined` where it is new enough. It uses nothing that
 * an old version lacks, as it runs before anything else is loaded.
 * @param found the value of `process.versions.node`
 */
export function oldNode(found: string): string | undefined {
  const [major = 0, minor = 0] = found.split('.').map(Number)
  const [, least] = OLDEST.find(([line]) => line === major) ?? [0, major > OLDEST[0][0] && major !== 21 ? 0 : Infinity]
  if (minor >= least) return undefined
  return `This is Node ${found}, and pixpress needs 20.19, 22.12 or newer. Run: nvm install 22`
}
