/**
 * Writes the table of docs/payloads.md from the rows of the engine. Run it after `pnpm build`; with `--check` nothing
 * is written, and the exit code is 1 where the table is another.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { PAYLOADS } from '../packages/core/dist/formats/payloads/table.js'
import { table, withTables } from './options-docs.mjs'

const PAGE = new URL('../docs/payloads.md', import.meta.url)

const IN_BUILDS = { kept: 'kept', whole: 'the file stays', named: 'left out, and named' }

/** Returns what `compress` does in place: parts of a file are carried over, anything else needs all of it. */
const inPlace = ({ places, builds, exact }) => {
  if (builds === 'whole' || places.every((place) => place.in === 'file')) return 'the file stays'
  return exact ? 'kept, and every pixel' : 'kept'
}

const rows = PAYLOADS.map((payload) => [
  payload.name,
  payload.where,
  inPlace(payload),
  IN_BUILDS[payload.builds],
  payload.reason,
])
const page = await readFile(PAGE, 'utf8')
const made = withTables(page, { payloads: table(['payload', 'where', '`compress` in place', 'builds', 'why'], rows) })
if (!process.argv.includes('--check')) await writeFile(PAGE, made)
else if (made !== page) {
  console.error('docs/payloads.md has another table: run node scripts/payloads-table.mjs')
  process.exitCode = 1
}
