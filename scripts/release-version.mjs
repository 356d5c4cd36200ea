import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { pnpm, root } from './bootstrap.mjs'
import { isTagged } from './release/tags.mjs'
import { linesOf, withRelease } from './release/changelog.mjs'
import { readChangesets } from './release/changesets.mjs'
import { CONSTANT_FILES, withVersion } from './release/constants.mjs'

// `npm run release:version` prepares a release: changesets raise the versions and become lines of CHANGELOG.md. A
// version that was never released keeps its number, and its section gets the lines.
const changesets = readChangesets()
const before = ownVersion()
if (changesets.length === 0 && isTagged(before)) {
  console.error(`There is nothing to release: ${before} is out, and .changeset holds no change since.`)
  process.exit(1)
}

if (isTagged(before)) pnpm('versions', 'exec', 'changeset', 'version')
else for (const { file } of changesets) rmSync(file)

const version = ownVersion()
for (const file of CONSTANT_FILES) change(file, (source) => withVersion(source, version))
change('CHANGELOG.md', (changelog) => withRelease(changelog, version, linesOf(changesets)))
pnpm('lock file', 'install', '--lockfile-only', '--reporter=append-only', '--loglevel=error')
console.log(`\n${version} is prepared. Read CHANGELOG.md, run 'npm run release:dry', and commit.`)

function ownVersion() {
  return JSON.parse(readFileSync(path.join(root, 'packages/core/package.json'), 'utf8')).version
}

function change(file, changed) {
  const place = path.join(root, file)
  writeFileSync(place, changed(readFileSync(place, 'utf8')))
}
