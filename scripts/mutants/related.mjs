import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { root } from '../bootstrap.mjs'

/** Tests that a fault meets first. All others are a part of the rest of the suite. */
const MOST = 6

const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g

/** Files between a source and a test of the folder that mirrors its own, at most: such a test need not import it. */
const NEIGHBOUR = 2

/**
 * Finds the tests of a source, the nearest first: the test at the same path, then those of the same folder and those
 * that import the source, by the number of files between them.
 * @param {string} file relative to the root, as all paths here
 * @returns {string[]}
 */
export function relatedTests(file) {
  const distances = new Map([[file, 0]])
  for (const [each, distance] of distances)
    for (const importer of importers().get(each) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  const mirror = file.replace('/src/', '/test/').replace(/\.ts$/, '.test.ts')
  const isNeighbour = (test) => path.dirname(test) === path.dirname(mirror)
  const distanceOf = (test) => Math.min(distances.get(test) ?? Infinity, isNeighbour(test) ? NEIGHBOUR : Infinity)
  const isForeign = (test) => test.split('/')[1] !== file.split('/')[1]
  const rank = (test) => (test === mirror ? 0 : 2 * distanceOf(test) + (isForeign(test) ? 1 : 0))
  return sources()
    .filter((each) => each.endsWith('.test.ts') && distanceOf(each) < Infinity)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, MOST)
}

let knownImporters
let knownSources

/** The files that import each file of the packages. */
function importers() {
  if (knownImporters !== undefined) return knownImporters
  knownImporters = new Map()
  const folders = new Map(
    packages().map((folder) => [
      JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')).name,
      folder,
    ]),
  )
  for (const file of sources()) {
    for (const [, specifier] of readFileSync(path.join(root, file), 'utf8').matchAll(IMPORT)) {
      const target = specifier.startsWith('.')
        ? path.posix.join(path.posix.dirname(file), specifier)
        : entryOf(specifier, folders)
      if (target === undefined) continue
      if (!knownImporters.has(target)) knownImporters.set(target, [])
      knownImporters.get(target).push(file)
    }
  }
  return knownImporters
}

const packages = () => readdirSync(path.join(root, 'packages')).map((folder) => `packages/${folder}`)

/** The files of all packages and of their tests. */
function sources() {
  knownSources ??= packages().flatMap((folder) => [...sourcesIn(`${folder}/src`), ...sourcesIn(`${folder}/test`)])
  return knownSources
}

/** Returns the source of a package's entry: of `@pixpress/core/internal`, say. */
function entryOf(specifier, folders) {
  const name = [...folders.keys()].find((each) => specifier === each || specifier.startsWith(`${each}/`))
  if (name === undefined) return undefined
  return `${folders.get(name)}/src/${specifier.slice(name.length + 1) || 'index'}.ts`
}

function sourcesIn(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
}
