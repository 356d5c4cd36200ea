import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import parseChangeset from '@changesets/parse'
import { root } from '../bootstrap.mjs'

/**
 * The changes since the last release, as `pnpm changeset` wrote them down, by the names of their files.
 * @returns {{ file: string, summary: string, releases: { name: string, type: string }[] }[]} `file` is absolute
 */
export function readChangesets(folder = path.join(root, '.changeset')) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
  return names.sort().map((name) => {
    const file = path.join(folder, name)
    return { file, ...parseChangeset(readFileSync(file, 'utf8').replaceAll('\r\n', '\n')) }
  })
}
