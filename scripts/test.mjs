import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { serverNode } from '../packages/testkit/src/server-node.js'
import { attempt, pnpm, prepare, root } from './bootstrap.mjs'
import { PARTS } from './test-parts.mjs'

// `npm test` installs, builds, checks, and runs the parts of suite 'test'. With --all the other parts follow; --rest
// runs those alone. --part NAME chooses parts. Other arguments go to vitest: paths, -t, --shard=1/4.
const { values, tokens } = parseArgs({
  options: {
    all: { type: 'boolean' },
    rest: { type: 'boolean' },
    part: { type: 'string', multiple: true },
  },
  strict: false,
  tokens: true,
})
const ours = new Set(['all', 'rest', 'part'])
const args = tokens.flatMap((token) => {
  if (token.kind === 'positional') return [token.value]
  if (token.kind !== 'option' || ours.has(token.name)) return []
  return token.value === undefined ? [token.rawName] : [`${token.rawName}=${token.value}`]
})

const unknown = values.part?.find((name) => !PARTS.some((part) => part.name === name))
if (unknown !== undefined) {
  console.error(`--part ${unknown}: the parts are ${PARTS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const cache = path.join(root, 'node_modules', '.cache')
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const started = performance.now()

prepare()
// Lint, types, packages and unused code at once, by one npx: that takes a second or two to start.
if (!values.rest && !values.part) pnpm('checks', 'run', 'check')
mkdirSync(cache, { recursive: true })

const chosen = PARTS.filter(({ name, suite }) => {
  if (values.part) return values.part.includes(name)
  return values.all || (values.rest ? suite === 'rest' : suite === 'test')
})
const took = [['install, build and checks', performance.now() - started]]
const files = chosen.flatMap(runPart)

console.log('\nThe slowest files:')
for (const line of slowestFiles(files)) console.log(line)
for (const file of files) nameOthers(file)
for (const line of summaries(files)) console.log(line)

console.log('\nWhat was tried:')
for (const [title, milliseconds] of took) console.log(`${seconds(milliseconds).padStart(9)}  ${title}`)
console.log(`${seconds(performance.now() - started).padStart(9)}  in all`)
const left = PARTS.filter((part) => !chosen.includes(part)).map(({ title }) => title)
if (left.length > 0 && !values.rest && !values.part) console.log(`\n'npm run test:all' would add: ${left.join('; ')}.`)

const count = (wanted) =>
  files.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => wanted(status)).length
const passed = count((status) => status === 'passed')
const failed = count((status) => status === 'failed') + files.filter(unloadable).length
console.log(`\n${passed} passed, ${failed} failed, ${count((status) => !/passed|failed/.test(status))} skipped`)

/**
 * Runs one part in a process: where the set-up of one fails, vitest ends, and the others must still run.
 *
 * @returns the results of its files
 */
function runPart({ name, title, node }) {
  const binary = node === 'server' ? findServerNode() : process.execPath
  if (binary === undefined) {
    console.log(`\n'${title}' is skipped: it needs Node 22.13 or newer.`)
    took.push([`${title} (skipped: no Node 22.13)`, 0])
    return []
  }
  const results = path.join(cache, `test-results-${name}.json`)
  // A path may select files of another part.
  const filter = args.length > 0 ? ['--passWithNoTests', ...args] : []
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const version = spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout.trim()
  rmSync(results, { force: true })
  const begun = performance.now()
  const command = [vitest, 'run', '--project', name, ...reporters, ...filter]
  const code = attempt(`${title}, Node ${version}`, binary, command, { shell: false })
  if (code !== 0) process.exitCode = code
  // There are no results where vitest itself has failed.
  const { testResults } = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : { testResults: [] }
  took.push([`${title}: ${testResults.length} files`, performance.now() - begun])
  return testResults
}

/** A file that cannot be loaded has a message and no tests. */
function unloadable({ message, assertionResults }) {
  return assertionResults.length === 0 && Boolean(message)
}

/** Names the tests of a file that failed or were skipped once more, at the end: a log of 10,000 tests is cut. */
function nameOthers({ name, message, assertionResults }) {
  const file = path.relative(root, name)
  const others = assertionResults.filter(({ status }) => status !== 'passed')
  if (unloadable({ message, assertionResults })) console.log(`\n✗ ${file}\n${message}`)
  for (const { status, fullName, failureMessages } of others) {
    console.log(`\n${status === 'failed' ? '✗' : '-'} ${file}: ${fullName} (${status})`)
    for (const failure of failureMessages ?? []) console.log(failure.split('\n').slice(0, 12).join('\n'))
  }
}

/** Lines that tests leave about what they built, such as the starters of frameworks. */
function summaries(testResults) {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ meta }) => meta?.summary !== undefined)
    .map(({ title, meta }) => `  ${title.replace(/ builds, .*/, '').padEnd(26)} ${meta.summary}`)
}

/** The files that took the longest, each with the time from its first test to its last. */
function slowestFiles(testResults) {
  return (
    testResults
      .map(({ name, startTime, endTime }) => ({ file: path.relative(root, name), time: endTime - startTime }))
      // A file that could not be loaded has no times.
      .filter(({ time }) => time > 0)
      .sort((a, b) => b.time - a.time)
      .slice(0, 15)
      .map(({ file, time }) => `${seconds(time).padStart(9)}  ${file}`)
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
