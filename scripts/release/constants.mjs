/** Files that hold the version of their package beside its manifest, relative to the repository. */
export const CONSTANT_FILES = [
  'packages/core/src/machine/same-release.ts',
  'packages/client/src/sender.ts',
  'packages/unplugin/src/base/same-release.ts',
  'packages/cli/src/base/same-release.ts',
  'packages/server/src/same-release.ts',
  'packages/astro/src/same-release.ts',
  'packages/nuxt/src/same-release.ts',
]

const CONSTANT = /((?:\bversion: |\bVERSION = )')[^']+(?=')/g

/**
 * The source of a module with another version in its one constant.
 * @param {string} source
 * @param {string} version
 */
export function withVersion(source, version) {
  const found = source.match(CONSTANT) ?? []
  if (found.length !== 1) throw new Error(`Expected one version in a module, found ${found.length}.`)
  return source.replace(CONSTANT, (_, start) => `${start}${version}`)
}
