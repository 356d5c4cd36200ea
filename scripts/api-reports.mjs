import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { baseCommit, stateOf } from './api/base.mjs'
import { publicEntries } from './api/entries.mjs'
import { extractReports } from './api/extract.mjs'
import { differences, unannounced } from './api/judge.mjs'
import { root } from './bootstrap.mjs'
import { readChangesets } from './release/changesets.mjs'

// `pnpm api` writes the reports of all public entries, `pnpm check:api` compares them with those that are committed,
// and asks for a changeset where they are not as in the last release. Both read the built declarations (`pnpm build`).
const packages = publicEntries()
const made = new Map(packages.flatMap((each) => [...extractReports(each)]))
const committed = new Map(packages.flatMap(({ folder }) => readReports(folder)))

if (process.argv.includes('--write')) {
  for (const file of committed.keys()) if (!made.has(file)) rmSync(path.join(root, file))
  for (const [file, text] of made) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
} else {
  const problems = [...differences(committed, made), ...withoutChangeset()]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

function readReports(folder) {
  const place = path.join(root, folder, 'api')
  const names = existsSync(place) ? readdirSync(place, { recursive: true }) : []
  const files = names.filter((name) => name.endsWith('.api.md')).map((name) => name.replaceAll('\\', '/'))
  return files.map((file) => [
    `${folder}/api/${file}`,
    readFileSync(path.join(place, file), 'utf8').replaceAll('\r\n', '\n'),
  ])
}

function withoutChangeset() {
  const commit = baseCommit()
  if (commit === undefined) {
    // A shallow copy knows neither tags nor the main branch. CI fetches all of it.
    if (!process.env.CI) return []
    return ['No release and no main branch to compare the API reports with: check out with fetch-depth 0.']
  }
  const base = stateOf(commit)
  const { version } = JSON.parse(readFileSync(path.join(root, 'packages/core/package.json'), 'utf8'))
  const names = new Map(packages.map(({ folder, name }) => [folder, name]))
  const isRelease = base.version !== version
  return unannounced({ before: base.reports, after: made, changesets: readChangesets(), names, isRelease })
}
