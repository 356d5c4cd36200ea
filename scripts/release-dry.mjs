import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { root, step } from './bootstrap.mjs'
import { sectionOf } from './release/changelog.mjs'
import { lintTarball } from './release/lint-tarball.mjs'
import { materialsOf } from './release/materials.mjs'
import { packAll } from './release/pack.mjs'
import { summaryOf } from './release/summary.mjs'
import { expectRefusal, install, listMaterials, runMainJob } from './release/trial.mjs'

// `npm run release:dry`: all of a release but its publication, from the built packages. `--out FOLDER` keeps what the
// workflow publishes: tarballs, their order, lists of materials and the section of the changelog.
const { values } = parseArgs({ options: { out: { type: 'string' } } })
const folder = mkdtempSync(path.join(tmpdir(), 'pixpress-release-'))
try {
  const [tarballs, trial] = ['tarballs', 'trial'].map((name) => path.join(folder, name))
  mkdirSync(tarballs)
  mkdirSync(trial)
  step('public interfaces', process.execPath, ['scripts/api-reports.mjs'], { shell: false })
  const packages = timed('tarballs', () => packAll(tarballs))
  timed('publint and attw', () => packages.forEach(({ tarball }) => lintTarball(tarball)))
  timed('installation outside of the workspace', () => install(trial, packages))
  const materials = timed('lists of materials', () => listMaterials(trial))
  const made = timed('main job', () => runMainJob(trial))
  for (const { name, before, after } of made) console.log(`  ${name}: ${before} → ${after} bytes`)
  const { version } = packages[0]
  console.log(`  ${timed('refusal of two versions', () => expectRefusal(trial, version))}`)
  const changelog = sectionOf(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), version)
  if (changelog === undefined)
    throw new Error(`CHANGELOG.md has no heading for ${version}. Run: npm run release:version`)
  if (values.out !== undefined) keep(path.resolve(values.out), { packages, materials, changelog })
  console.log(`\nThis would be published:\n\n${summaryOf(packages, changelog)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function timed(title, work) {
  const started = performance.now()
  console.log(`\n▶ ${title}`)
  const result = work()
  console.log(`✓ ${title} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  return result
}

function keep(out, { packages, materials, changelog }) {
  mkdirSync(out, { recursive: true })
  for (const { name, tarball } of packages) {
    const base = path.basename(tarball)
    copyFileSync(tarball, path.join(out, base))
    const list = JSON.stringify(materialsOf(materials, name), null, 2)
    writeFileSync(path.join(out, base.replace(/\.tgz$/, '.cdx.json')), `${list}\n`)
  }
  writeFileSync(path.join(out, 'order.txt'), packages.map(({ tarball }) => `${path.basename(tarball)}\n`).join(''))
  writeFileSync(path.join(out, 'changelog.md'), `${changelog}\n`)
}
