import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { packageManager, root } from '../bootstrap.mjs'

/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} version
 * @property {string} tarball absolute path
 * @property {Readonly<Record<string, string>>} dependencies
 * @property {number} files
 * @property {number} packed bytes of the tarball
 * @property {number} unpacked bytes of all files
 */

/**
 * Packs all packages that are published, as pnpm would publish them.
 * @param {string} folder of the tarballs: a new one, absolute
 * @returns {Packed[]} what others depend on comes first
 */
export function packAll(folder) {
  const folders = readdirSync(path.join(root, 'packages')).map((name) => path.join(root, 'packages', name))
  const manifests = folders.map((each) => JSON.parse(readFileSync(path.join(each, 'package.json'), 'utf8')))
  const filters = manifests.filter((manifest) => !manifest.private).flatMap(({ name }) => ['--filter', name])
  const args = ['-y', packageManager, '--recursive', ...filters, 'pack', '--pack-destination', folder]
  run('npx', args, root)
  return inOrder(readdirSync(folder).map((file) => describeTarball(path.join(folder, file))))
}

function describeTarball(tarball) {
  const [described] = JSON.parse(run('npm', ['pack', tarball, '--dry-run', '--json'], path.dirname(tarball)))
  const manifest = JSON.parse(run('tar', ['-xOzf', tarball, 'package/package.json'], path.dirname(tarball)))
  return {
    name: manifest.name,
    version: manifest.version,
    tarball,
    dependencies: { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies },
    files: described.entryCount,
    packed: described.size,
    unpacked: described.unpackedSize,
  }
}

/**
 * The packages in an order in which none depends on a later one.
 * @template {{ name: string, dependencies: Readonly<Record<string, string>> }} Package
 * @param {readonly Package[]} packages
 * @returns {Package[]}
 */
export function inOrder(packages) {
  const left = new Map(
    [...packages].sort((one, other) => (one.name < other.name ? -1 : 1)).map((each) => [each.name, each]),
  )
  const ordered = []
  while (left.size > 0) {
    const next = [...left.values()].find(
      ({ dependencies }) => !Object.keys(dependencies).some((name) => left.has(name)),
    )
    if (next === undefined)
      throw new Error(`Packages depend on each other in a circle: ${[...left.keys()].join(', ')}.`)
    left.delete(next.name)
    ordered.push(next)
  }
  return ordered
}

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'pipe'] })
