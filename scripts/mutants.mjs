import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { serverNode } from '../packages/testkit/src/server-node.js'
import { root } from './bootstrap.mjs'
import { MUTANTS } from './mutants/list.mjs'
import { plant, prepareSources, restore } from './mutants/plant.mjs'
import { relatedTests } from './mutants/related.mjs'
import { lines, page } from './mutants/results.mjs'
import { PARTS } from './test-parts.mjs'

// Puts each fault of scripts/mutants/list.mjs into the sources, and tells which of them the tests find:
//   node scripts/mutants.mjs                   related tests first, and the rest of the suite for what survives them
//   node scripts/mutants.mjs --suite all       the tests that `npm test` leaves out, too
//   node scripts/mutants.mjs --related         related tests alone
//   node scripts/mutants.mjs --only ID,ID packages/core/test/work    some faults, and some tests
//   node scripts/mutants.mjs --list            the faults with their related tests
// A run that was stopped goes on, and --fresh begins again. Results: scripts/mutants/results.md.

/** The parts of each suite. Starters of frameworks are left out, as they install for minutes. */
const rowsOf = (parts) =>
  parts.map(({ name, node, sources }) => ({
    name,
    node: node === 'server' ? serverNode : undefined,
    isBuilt: !sources,
  }))
const SUITES = {
  test: rowsOf(PARTS.filter(({ suite }) => suite === 'test')),
  all: rowsOf(PARTS.filter(({ name }) => name !== 'projects')),
}

/** Milliseconds that a test of the sources may take: some faults make tests wait forever. */
const PATIENCE = 120_000

const cache = path.join(root, 'node_modules', '.cache', 'mutants')
const RESULTS = path.join(cache, 'results.json')
const PAGE = path.join(root, 'scripts', 'mutants', 'results.md')
const binary = (name) => path.join(root, 'node_modules', ...name.split('/'))

const { values: flags, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string', default: 'test' },
    only: { type: 'string' },
    related: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const wanted = flags.only?.split(',') ?? MUTANTS.map(({ id }) => id)
const mutants = wanted.map((id) => MUTANTS.find((each) => each.id === id) ?? refuse(`There is no mutant '${id}'.`))
const rows = SUITES[flags.suite] ?? refuse("Expected 'test' or 'all' for --suite.")

/** The tests that each mutant has met, and the one that found it, by its id and text. */
let results = {}
/** Tests that fail without any mutant. */
const broken = new Set()
/** The mutants that the built packages have, if this run has built them. */
let built
let running

process.on('exit', restore)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))

function refuse(message) {
  console.error(message)
  process.exit(2)
}

function list() {
  for (const mutant of mutants)
    console.log([`${mutant.id}: ${mutant.breaks}`, mutant.file, ...testsFor(mutant)].join('\n    '))
}

async function main() {
  prepareSources(MUTANTS)
  mkdirSync(cache, { recursive: true })
  results = readJson(RESULTS) ?? {}
  if (flags.fresh) for (const mutant of mutants) delete results[keyOf(mutant)]
  const began = performance.now()
  if (filters.length > 0) for (const row of rows) await meetGiven(row)
  else for (const row of rows) await meetRelated(row)
  if (!flags.related && filters.length === 0) for (const row of rows) await meetRest(row)
  if (built !== undefined) await build([])
  for (const line of lines(resultOf)) console.log(line)
  console.log(`${((performance.now() - began) / 60_000).toFixed(1)} minutes`)
  if (filters.length > 0) return
  writeFileSync(PAGE, page(resultOf, flags.related ? 'related tests alone' : `the suite '${flags.suite}'`))
  await run(process.execPath, [binary('oxfmt/bin/oxfmt'), PAGE])
}

/** The mutants that are left meet the tests that were given, together. */
async function meetGiven(row) {
  const left = mutants.filter((each) => isLeft(each))
  const tests = (await filesOf(row)).filter((file) => filters.some((filter) => file.includes(filter)))
  if (left.length > 0 && tests.length > 0) await hunt(row, left, tests)
}

/** Each mutant meets its related tests by itself. Tests that kill one are run without it as well. */
async function meetRelated(row) {
  const step = `related ${row.name}`
  const files = await filesOf(row)
  const testsOf = (mutant) => testsFor(mutant).filter((test) => files.includes(test) && !broken.has(test))
  for (const mutant of mutants.filter((each) => isLeft(each, step))) {
    const tests = testsOf(mutant)
    if (tests.length === 0) continue
    const { failing, seconds } = await failingTests(row, [mutant], tests)
    const outcome = failing.length === 0 ? `survives ${tests.length} files of ${row.name}` : `killed by ${failing[0]}`
    console.log(`${mutant.id}: ${outcome} (${seconds} s)`)
    note(mutant, { met: step, killed: failing[0] })
  }
  const doubtful = mutants.filter((each) => !resultOf(each).isSure && files.includes(resultOf(each).killed))
  await findBroken(row, [...new Set(doubtful.map((each) => resultOf(each).killed))])
  const refuted = doubtful.filter((each) => broken.has(resultOf(each).killed))
  for (const mutant of doubtful) note(mutant, { isSure: true })
  for (const mutant of refuted) results[keyOf(mutant)] = { met: resultOf(mutant).met.filter((each) => each !== step) }
  // The first test that fails has ended the run of the others.
  if (refuted.length > 0) await meetRelated(row)
}

const testsFor = ({ file, tests = [] }) => [...new Set([...tests, ...relatedTests(file)])]

/** All mutants that are left meet all tests of a row together. */
async function meetRest(row) {
  const step = `all ${row.name}`
  const left = mutants.filter((each) => isLeft(each, step))
  if (left.length === 0) return
  console.log(`\n${left.length} mutants meet all tests of ${row.name}.`)
  await hunt(row, left, [])
  for (const mutant of left) note(mutant, { met: step })
}

/** Finds out which of several mutants fail tests: all together, then each half with the tests that have failed. */
async function hunt(row, group, tests, isFirst = true) {
  const { failing, seconds } = await failingTests(row, group, tests)
  if (isFirst) await findBroken(row, failing)
  const found = failing.filter((each) => !broken.has(each))
  console.log(`${found.length} files fail with ${group.map(({ id }) => id).join(', ')} (${seconds} s)`)
  if (found.length === 0) return
  if (group.length === 1) return note(group[0], { killed: found[0], isSure: true })
  const half = Math.ceil(group.length / 2)
  await hunt(row, group.slice(0, half), found, false)
  await hunt(row, group.slice(half), found, false)
}

/** Finds out which tests fail without any mutant as well. */
async function findBroken(row, tests) {
  const { failing } = tests.length === 0 ? { failing: [] } : await failingTests(row, [], tests)
  for (const each of failing) broken.add(each)
  if (failing.length > 0) console.log(`These fail without a mutant, too, and do not count: ${failing.join(', ')}`)
}

/** Runs tests with some mutants. @param tests none: all of the row */
async function failingTests(row, group, tests) {
  const began = performance.now()
  if (row.isBuilt) await build(group)
  plant(group)
  const output = path.join(cache, 'vitest.json')
  rmSync(output, { force: true })
  const reporting = ['--reporter=json', `--outputFile=${output}`, '--passWithNoTests']
  if (!row.isBuilt) reporting.push(`--testTimeout=${PATIENCE}`)
  // One that is alone is found by the first test that fails.
  const bail = group.length === 1 ? ['--bail=1'] : []
  const { code, text } = await runVitest(row, ['run', ...reporting, ...bail, ...tests])
  restore()
  const testResults = readJson(output)?.testResults
  if (testResults === undefined) throw new Error(`vitest ended with ${code} and without results.\n${text}`)
  const failed = testResults.filter(({ status }) => status === 'failed')
  // An error outside of tests counts for all of them.
  const failing = code !== 0 && failed.length === 0 ? testResults : failed
  return { failing: failing.map(({ name }) => relative(name)), seconds: Math.round((performance.now() - began) / 1000) }
}

/** The test files of a row. */
async function filesOf(row) {
  const output = path.join(cache, 'files.json')
  const { text } = await runVitest(row, ['list', '--filesOnly', `--json=${output}`])
  const files = readJson(output)
  if (files === undefined) throw new Error(`vitest does not list the tests of ${row.name}.\n${text}`)
  return files.map(({ file }) => relative(file))
}

const relative = (file) => path.relative(root, file).split(path.sep).join('/')

function runVitest({ name, node = () => process.execPath }, args) {
  return run(node(), [binary('vitest/vitest.mjs'), ...args, '--project', name])
}

/** Builds the packages from sources that have some mutants. */
async function build(group) {
  const ids = group.map(({ id }) => id).join()
  if (built === ids) return
  built = `a part of ${ids}`
  plant(group)
  for (const args of [[binary('typescript/bin/tsc'), '-b'], [path.join(root, 'scripts', 'bundle.mjs')]]) {
    const { code, text } = await run(process.execPath, args)
    if (code !== 0) throw new Error(`The packages cannot be built with these mutants: ${ids}.\n${text}`)
  }
  restore()
  built = ids
}

/** Runs a program to its end. @returns its exit code, and the last that it has printed */
function run(command, args) {
  return new Promise((resolve, reject) => {
    let text = ''
    // A group of its own, so that what tests have started ends with it.
    running = spawn(command, args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [running.stdout, running.stderr])
      stream.on('data', (piece) => (text = (text + piece).slice(-8000)))
    running.on('error', reject)
    running.on('close', (code, signal) => resolve({ code: code ?? signal, text }))
  })
}

function stop(signal) {
  if (running?.exitCode === null) process.kill(-running.pid, 'SIGKILL')
  if (built !== undefined) console.error("The built packages may have a mutant: run 'npm run build'.")
  console.error(`Stopped by ${signal}. The next run goes on.`)
  process.exit(130)
}

const isLeft = (mutant, step) => resultOf(mutant).killed === undefined && !resultOf(mutant).met.includes(step)

/** Returns what is known of a mutant with its present text. */
function resultOf(mutant) {
  return results[keyOf(mutant)] ?? { met: [] }
}

function keyOf({ id, file, find, replace }) {
  const digest = createHash('sha256')
    .update(JSON.stringify([file, find, replace]))
    .digest('hex')
  return `${id} ${digest.slice(0, 16)}`
}

/** Adds to what is known of a mutant. @param facts `met`: tests that it has met; `isSure`: they pass without it */
function note(mutant, { met, ...facts }) {
  const before = resultOf(mutant)
  results[keyOf(mutant)] = {
    ...before,
    ...facts,
    met: [...new Set([...before.met, ...(met === undefined ? [] : [met])])],
  }
  writeFileSync(RESULTS, JSON.stringify(results, null, 2))
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

if (flags.list) list()
else await main()
