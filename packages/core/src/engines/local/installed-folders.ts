import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/**
 * Returns the folders that a package's code is loaded from: its own and those of all packages that it depends on, each
 * by the outermost `node_modules` that holds it, so that the links of package managers lead somewhere.
 * @param folder of the package
 */
export function installedFolders(folder: string): string[] {
  const seen = new Set<string>()
  const open = [realpathSync(folder)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...dependenciesOf(next))
  }
  const roots = [...seen].map(outermostModules)
  return [...new Set(roots)].filter((root) => !roots.some((other) => isInside(root, other))).toSorted()
}

function dependenciesOf(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
  const names = Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  })
  const require = createRequire(path.join(folder, 'package.json'))
  return names.flatMap((name) => {
    const places = (require.resolve.paths(name) ?? []).map((place) => path.join(place, name))
    const found = places.find((place) => existsSync(path.join(place, 'package.json')))
    // Packages for other systems are not installed, nor are peers that nobody needs.
    return found === undefined ? [] : [realpathSync(found)]
  })
}

function outermostModules(folder: string): string {
  const parts = folder.split(path.sep)
  const at = parts.indexOf('node_modules')
  return at === -1 ? folder : parts.slice(0, at + 1).join(path.sep)
}

const isInside = (folder: string, other: string): boolean => folder.startsWith(other + path.sep)
