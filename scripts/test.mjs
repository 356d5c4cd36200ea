import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { serverNode } from '../packages/testkit/src/server-node.js'
import { attempt, pnpm, prepare, root } from './bootstrap.mjs'

const cache = path.join(root, 'node_modules', '.cache')
const NO_RESULTS = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] }
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')

prepare()
// Lint, types, packages and unused code at once, by one npx: that takes a second or two to start.
pnpm('checks', 'run', 'check')
mkdirSync(cache, { recursive: true })

const args = process.argv.slice(2)
const durations = []
// A process for each: a project whose set-up fails ends the process, and must not keep the others from running.
const counts = [
  runTests('unit tests', process.execPath, ['unit', 'unit-alone']),
  runTests('end-to-end tests', process.execPath, ['e2e']),
  runTests('tests under load', process.execPath, ['e2e-alone']),
]
// The server needs the SQLite that Node has had since 22.13; on an older one its tests run on the one from the
// registry.
const newerNode = findServerNode()
if (newerNode === undefined) console.log('\nThe tests of the server are skipped: they need Node 22.13 or newer.')
else counts.push(runTests("the server's tests", newerNode, ['server']))

console.log(`\n${durations.join(', ')}`)
for (const line of slowestFiles(counts.flatMap(({ testResults }) => testResults))) console.log(line)
for (const { testResults } of counts) for (const file of testResults) nameOthers(file)
const sum = (name) => counts.reduce((total, count) => total + count[name], 0)
console.log(`\n${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed, ${sum('numPendingTests')} skipped`)

function runTests(title, node, projects) {
  const results = path.join(cache, `test-results-${projects.at(-1)}.json`)
  // A filter may be for the one or the other.
  const filter = args.length > 0 ? ['--passWithNoTests', ...args] : []
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  const chosen = projects.flatMap((name) => ['--project', name])
  rmSync(results, { force: true })
  const started = performance.now()
  const code = attempt(`${title}, Node ${version}`, node, [vitest, 'run', ...chosen, ...reporters, ...filter], {
    shell: false,
  })
  durations.push(`${title} ${seconds(performance.now() - started)}`)
  if (code !== 0) process.exitCode = code
  // There are no results where vitest itself has failed.
  return existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : NO_RESULTS
}

/** Names the tests of a file that failed or were skipped once more, at the end: a log of 10,000 tests is cut. */
function nameOthers({ name, message, assertionResults }) {
  const file = path.relative(root, name)
  const others = assertionResults.filter(({ status }) => status !== 'passed')
  // A file that cannot be loaded has a message and no tests.
  if (assertionResults.length === 0 && message) console.log(`\n✗ ${file}\n${message}`)
  for (const { status, fullName, failureMessages } of others) {
    console.log(`\n${status === 'failed' ? '✗' : '-'} ${file}: ${fullName} (${status})`)
    for (const failure of failureMessages ?? []) console.log(failure.split('\n').slice(0, 12).join('\n'))
  }
}

/** The files that took the longest, each with the time from its first test to its last. */
function slowestFiles(files) {
  return (
    files
      .map(({ name, startTime, endTime }) => ({ file: path.relative(root, name), took: endTime - startTime }))
      // A file that could not be loaded has no times.
      .filter(({ took }) => took > 0)
      .sort((a, b) => b.took - a.took)
      .slice(0, 15)
      .map(({ file, took }) => `${seconds(took).padStart(8)}  ${file}`)
  )
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

function findServerNode() {
  try {
    return serverNode()
  } catch (error) {
    if (process.env.CI) throw error
    return undefined
  }
}
