/**
 * Writes the data that `convert: 'auto'` chooses formats by, from caniuse-lite. Run it after an update of
 * `caniuse-lite`; with `--check` nothing is written, and the exit code is 1 if the file differs.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { agents, feature, features } from 'caniuse-lite'

const FILE = new URL('../packages/unplugin/src/session/options/browser-data.ts', import.meta.url)

/** The formats of `convert: 'auto'`, best first, by their names in caniuse. */
const FORMATS = { 'image/avif': 'avif', 'image/webp': 'webp' }

/** The browsers of Baseline. A feature is widely available 30 months after the last of them supports it. */
const BASELINE = ['chrome', 'and_chr', 'edge', 'firefox', 'and_ff', 'safari', 'ios_saf']
const WIDELY = 30

/** Browsers whose versions after the WebView of Android 4 are those of Chrome. caniuse names the newest alone. */
const CHROMIUM = { android: 'chrome' }

const oldestFirst = (versions) => versions.toSorted((a, b) => Number.parseFloat(a) - Number.parseFloat(b))

/** Versions without full support, and the version from which on there is full support: 0 for all versions. */
function supportOf(stats, browser) {
  const versions = oldestFirst(Object.keys(stats[browser]))
  const without = versions.filter((version) => !stats[browser][version].startsWith('y'))
  if (without.length === 0) return { without, since: 0 }
  const first = versions[versions.indexOf(without.at(-1)) + 1]
  if (first === undefined) return { without, since: undefined }
  const twin = CHROMIUM[browser]
  return { without, since: twin ? supportOf(stats, twin).since : Number.parseFloat(first) }
}

function monthsLater(seconds, months) {
  const date = new Date(seconds * 1000)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

/** The day of the newest release that the data knows. */
function dayOfData() {
  const seconds = Object.values(agents).flatMap(({ release_date: dates }) => Object.values(dates))
  return monthsLater(Math.max(...seconds), 0)
}

/** The day on which a format became Baseline newly available, in seconds. Browsers of one version tell no day. */
function newlyAvailable(since) {
  const days = BASELINE.flatMap((browser) => {
    const dates = agents[browser].release_date
    const version = Object.keys(dates).find((each) => Number.parseFloat(each) === since[browser])
    return version === undefined ? [] : [dates[version]]
  })
  return BASELINE.every((browser) => since[browser] !== undefined) ? Math.max(...days) : Infinity
}

/** The members of an object literal, one a line. */
function members(values, indent) {
  return Object.entries(values)
    .map(([key, value]) => `${indent}${/^\w+$/.test(key) ? key : `'${key}'`}: ${value},\n`)
    .join('')
}

/** Returns the text of the file. */
export function browserData() {
  const { version } = createRequire(import.meta.url)('caniuse-lite/package.json')
  const date = dayOfData()
  const use = {}
  const since = {}
  for (const [format, key] of Object.entries(FORMATS)) {
    const { stats } = feature(features[key])
    const own = (since[format] = {})
    for (const browser of Object.keys(agents).toSorted()) {
      const support = supportOf(stats, browser)
      if (support.since !== undefined) own[browser] = support.since
      for (const without of support.without) {
        const share = (agents[browser].usage_global[without] ?? 0).toFixed(3)
        if (share !== '0.000') use[`${browser} ${without}`] = Number(share)
      }
    }
  }
  const baseline = Object.keys(since).filter((format) => monthsLater(newlyAvailable(since[format]), WIDELY) <= date)
  const versions = Object.entries(since).map(([format, own]) => `  '${format}': {\n${members(own, '    ')}  },\n`)
  return `/**
 * Written by scripts/browser-data.mjs: change that, and run it.
 * From caniuse-lite ${version}, which knows browsers released up to ${date}.
 */

/** The formats that were Baseline widely available on that day, best first. */
export const BASELINE_FORMATS: readonly string[] = [${baseline.map((format) => `'${format}'`).join(', ')}]

/**
 * The version of each browser from which on a format has full support; 0: every version. A browser that is not listed
 * does not support the format.
 */
export const FIRST_VERSIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
${versions.join('')}}

/** Percent of tracked use of the versions that lack one of the formats. Versions that are not listed have none. */
export const USE: Readonly<Record<string, number>> = {
${members(use, '  ')}}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const made = browserData()
  if (!process.argv.includes('--check')) await writeFile(FILE, made)
  else if (made !== (await readFile(FILE, 'utf8'))) {
    console.error(`${fileURLToPath(FILE)} is not what caniuse-lite says: run node scripts/browser-data.mjs`)
    process.exitCode = 1
  }
}
