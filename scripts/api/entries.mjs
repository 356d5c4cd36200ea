import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { root } from '../bootstrap.mjs'

/** Entries that are no interface: those that our packages load of each other, and ambient declarations. */
const NO_INTERFACE = new Set(['./internal', './engine', './client', './package.json'])

/**
 * The public entries of every published package.
 * @returns {{ folder: string, name: string, entries: { name: string, types: string, report: string }[] }[]} paths
 * relative to the repository
 */
export function publicEntries() {
  const folders = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`)
  return folders.flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
    if (manifest.private) return []
    const entries = Object.entries(manifest.publishConfig.exports)
      .filter(([entry, { types }]) => !NO_INTERFACE.has(entry) && types !== undefined)
      .map(([entry, { types }]) => {
        const name = entry === '.' ? 'index' : entry.slice(2)
        return { name, types: path.posix.join(folder, types), report: `${folder}/api/${name}.api.md` }
      })
    return [{ folder, name: manifest.name, entries }]
  })
}
