/**
 * Writes the table of docs/formats.md that tells which browsers read which type, by caniuse's data. Run it after an
 * update of `caniuse-lite`; with `--check` nothing is written, and the exit code is 1 where the table is another.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { agents, feature, features } from 'caniuse-lite'
import { table, withTables } from './options-docs.mjs'

const PAGE = new URL('../docs/formats.md', import.meta.url)

/** Features of caniuse by the names of types. */
const TYPES = { '`image/webp`': 'webp', '`image/avif`': 'avif', '`image/jxl`': 'jpegxl' }

/** Browsers that are named, by their keys in caniuse's data. */
const BROWSERS = { Chrome: 'chrome', Edge: 'edge', Firefox: 'firefox', Safari: 'safari', 'Safari on iOS': 'ios_saf' }

/** Returns the page with the table of today's data. */
export function withBrowsers(page) {
  const { version } = createRequire(import.meta.url)('caniuse-lite/package.json')
  const rows = Object.entries(TYPES).map(([name, key]) => {
    const { stats } = feature(features[key])
    const firsts = Object.values(BROWSERS).map((browser) => firstOf(stats[browser]))
    return [name, `${usage(stats, 'y')} %`, `${usage(stats, 'a')} %`, ...firsts]
  })
  const head = ['type', 'read by', 'partly by', ...Object.keys(BROWSERS)]
  return withTables(page, { browsers: `${table(head, rows)}\n\ncaniuse-lite ${version}.` })
}

/** The share of all browsing by versions whose support begins with a letter: `y` for yes, `a` for almost. */
function usage(stats, letter) {
  const shares = Object.entries(stats).flatMap(([browser, versions]) =>
    Object.entries(versions).map(([version, support]) =>
      support.startsWith(letter) ? (agents[browser].usage_global[version] ?? 0) : 0,
    ),
  )
  return shares.reduce((sum, share) => sum + share, 0).toFixed(0)
}

/** The first version from which on all read a type, with a note where it is partly; `–` where none does. */
function firstOf(versions) {
  const supports = Object.entries(versions).filter(([version]) => /^[\d.-]+$/.test(version))
  const ordered = supports.toSorted(([a], [b]) => Number.parseFloat(a) - Number.parseFloat(b))
  const lastWithout = ordered.findLastIndex(([, support]) => !/^[ya]/.test(support))
  const first = ordered[lastWithout + 1]
  if (first === undefined) return '–'
  return first[1].startsWith('a') ? `${first[0]} (partly)` : first[0]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = await readFile(PAGE, 'utf8')
  const made = withBrowsers(page)
  if (!process.argv.includes('--check')) await writeFile(PAGE, made)
  else if (made !== page) {
    console.error('docs/formats.md has another table of browsers: run node scripts/browsers-table.mjs')
    process.exitCode = 1
  }
}
