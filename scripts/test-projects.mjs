import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pnpm, root } from './bootstrap.mjs'

// Starters of frameworks, each installed from the packed packages and built twice. Names as arguments choose some of
// them.
const cache = path.join(root, 'node_modules', '.cache')
const results = path.join(cache, 'project-results.json')

pnpm('install', 'install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=error')
pnpm('build', 'run', '--silent', 'build')
mkdirSync(cache, { recursive: true })

const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${results}`]
const chosen = process.argv.slice(2).join('|')
const args = [vitest, 'run', '--project', 'projects', ...reporters, ...(chosen === '' ? [] : ['-t', chosen])]
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })

const tests = JSON.parse(readFileSync(results, 'utf8')).testResults.flatMap(({ assertionResults }) => assertionResults)
console.log()
for (const { title, status: state, meta, duration } of tests) {
  const name = title.replace(/ builds, .*/, '').padEnd(26)
  if (state === 'passed') console.log(`✓ ${name}${meta.summary} (${(duration / 1000).toFixed(0)} s in all)`)
  else if (state === 'failed') console.log(`✗ ${name}failed`)
  else if (meta?.summary !== undefined) console.log(`– ${name}${meta.summary}`)
}
const passed = tests.filter(({ status: state }) => state === 'passed').length
if (passed === 0) console.log('No project was built.')
process.exit(passed === 0 ? 1 : (status ?? 1))
