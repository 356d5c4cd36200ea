import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { root } from '../bootstrap.mjs'

/** Tests that a fault meets first. All others are a part of the rest of the suite. */
const MOST = 6

const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g

/** Entries of packages, by which every test that imports the package would be related to all of it. */
const ENTRY = /\/src\/(?:index|internal)\.ts$/

/**
 * Finds the tests of a source, the nearest first: the test at the same path, those of the same folder, then those that
 * import the source, by the number of files between them. Shared words in the paths decide between equals.
 * @param {string} file relative to the root, as all paths here
 * @returns {string[]}
 */
export function relatedTests(file) {
  const distances = new Map([[file, 0]])
  for (const [each, distance] of distances) {
    if (each !== file && ENTRY.test(each)) continue
    for (const importer of importers().get(each) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  }
  const mirror = file.replace('/src/', '/test/').replace(/\.ts$/, '.test.ts')
  const mirrors = [mirror, mirror.replace('.test.', '.slow.test.')]
  const words = new Set(wordsOf(file))
  const ranked = sources()
    .filter((each) => each.endsWith('.test.ts'))
    .map((test) => {
      const distance = distances.get(test) ?? Infinity
      const near = mirrors.includes(test)
        ? 0
        : path.dirname(test) === path.dirname(mirror)
          ? Math.min(distance, 2)
          : distance + 2
      return { test, near, shared: wordsOf(test).filter((word) => words.has(word)).length }
    })
  return ranked
    .filter(({ near }) => near < Infinity)
    .sort((a, b) => a.near - b.near || b.shared - a.shared || (a.test < b.test ? -1 : 1))
    .slice(0, MOST)
    .map(({ test }) => test)
}

const wordsOf = (file) => file.split(/\W+/)

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
