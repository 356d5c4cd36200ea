import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { root } from './bootstrap.mjs'
import { PARTS } from './test-parts.mjs'

// Runs the tests that use a program of the system where that program is not there: they have to skip by name, and the
// others have to pass. Every program of scripts/install-test-packages.sh in turn, or those that are named:
//   node scripts/without-programs.mjs djpeg pngcheck
// bubblewrap lays an empty file over the program, so that it is missing wherever it is looked for. The packages have
// to be built.
const PROJECTS = PARTS.filter(({ name, node }) => node === undefined && name !== 'projects').map(({ name }) => name)
const RESULTS = path.join(root, 'node_modules', '.cache', 'without-programs.json')
const TOOLS = path.join(root, 'packages', 'testkit', 'src', 'tools.ts')

const given = process.argv.slice(2)
const programs = given.length > 0 ? given : [...listed(), 'chromium']
const texts = new Map()
const tests = ['packages', 'test'].flatMap((folder) => filesIn(path.join(root, folder), /\.test\.ts$/))
const runnable = tests.filter((file) => !/\/(?:packages\/server|test\/projects|fixtures)\//.test(file))
const closures = new Map(runnable.map((file) => [file, closureOf(file)]))
mkdirSync(path.dirname(RESULTS), { recursive: true })

const failed = programs.filter((program) => !passesWithout(program))
if (failed.length > 0) {
  console.error(`\nTests fail without ${failed.join(', ')}.`)
  process.exitCode = 1
}

/** @returns {boolean} whether all tests that may use the program pass or are skipped */
function passesWithout(program) {
  const word = new RegExp(`\\b${program}\\b|find${program}\\b`, 'i')
  const files = runnable.filter((file) => [...closures.get(file)].some((each) => word.test(textOf(each))))
  if (files.length === 0) {
    console.log(`${program}: no test names it`)
    return true
  }
  rmSync(RESULTS, { force: true })
  const hidden = placesOf(program).flatMap((place) => ['--ro-bind', '/dev/null', place])
  const vitest = [process.execPath, path.join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--maxWorkers=2']
  const chosen = PROJECTS.flatMap((name) => ['--project', name])
  const report = ['--reporter=json', `--outputFile.json=${RESULTS}`, ...files.map((file) => path.relative(root, file))]
  const { CI: _, ...env } = process.env
  const { error } = spawnSync('bwrap', ['--dev-bind', '/', '/', ...hidden, '--', ...vitest, ...chosen, ...report], {
    cwd: root,
    env,
    stdio: 'ignore',
  })
  if (error) throw new Error(`bwrap could not be started: ${error.message}`)
  if (!existsSync(RESULTS)) throw new Error(`vitest ended without results for ${program}`)
  const suites = JSON.parse(readFileSync(RESULTS, 'utf8')).testResults
  const results = suites.flatMap(({ assertionResults }) => assertionResults)
  const skipped = results.filter(({ status }) => status === 'pending' || status === 'skipped')
  const broken = suites.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
  const failures = [
    ...results
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => [fullName, failureMessages[0]]),
    ...broken.map(({ name, message }) => [path.relative(root, name), message]),
  ]
  console.log(
    `${program}: ${files.length} files, ${results.length} tests, ${skipped.length} skipped, ${failures.length} failed`,
  )
  for (const [name, message] of failures) console.log(`  ✗ ${name}\n    ${(message ?? '').split('\n')[0]}`)
  return failures.length === 0
}

/** The programs of the list in install-test-packages.sh. */
function listed() {
  const script = readFileSync(path.join(root, 'scripts', 'install-test-packages.sh'), 'utf8')
  const [, list] = /^needed=\(\n([\s\S]*?)^\)/m.exec(script)
  return list.match(/[\w-]+(?=:)/g)
}

/** Every place of a program that PATH, or the folder of servers, leads to. */
function placesOf(program) {
  const folders = [...process.env.PATH.split(path.delimiter), '/usr/sbin', '/usr/bin']
  const places = folders.map((folder) => path.join(folder, program)).filter((place) => existsSync(place))
  return [...new Set(places.map((place) => realpathSync(place)))]
}

/** A test with the files that it imports: its neighbours, and of the testkit those that export what it takes. */
function closureOf(file, seen = new Set()) {
  if (seen.has(file) || file === TOOLS || !existsSync(file)) return seen
  seen.add(file)
  for (const [, names, specifier] of textOf(file).matchAll(
    /(?:import|export)\s+(?:type\s+)?([^'";]*?)\s*from\s+'([^']+)'/g,
  )) {
    if (specifier.startsWith('.')) closureOf(path.resolve(path.dirname(file), specifier), seen)
    else if (specifier === '@pixpress/testkit') for (const each of exportersOf(names)) closureOf(each, seen)
  }
  return seen
}

function exportersOf(names) {
  const words = names.match(/\w+/g) ?? []
  const files = filesIn(path.dirname(TOOLS), /\.[jt]s$/).filter((file) => !file.endsWith('/index.ts'))
  return files.filter((file) =>
    words.some((word) =>
      new RegExp(`^export (?:async )?(?:function\\*?|const|interface|type) ${word}\\b`, 'm').test(textOf(file)),
    ),
  )
}

function textOf(file) {
  const known = texts.get(file) ?? readFileSync(file, 'utf8')
  texts.set(file, known)
  return known
}

function filesIn(folder, pattern) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return []
    const place = path.join(folder, entry.name)
    return entry.isDirectory() ? filesIn(place, pattern) : pattern.test(entry.name) ? [place] : []
  })
}
