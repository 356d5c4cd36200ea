import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { serverNode } from '../packages/testkit/src/server-node.js'
import { attempt, root } from './bootstrap.mjs'
import { PARTS } from './test-parts.mjs'

// `npm run coverage`: which lines of the packages no test of theirs runs, by V8, on a Node that can run the server.
// Writes coverage/holes.md, with the files that have the most of them first. It decides nothing: a release looks at the
// list. Paths select tests.
//   npm run coverage -- packages/migrate
const folder = path.join(root, 'coverage')
const SHOWN = 40

const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const projects = PARTS.filter(({ sources }) => sources).flatMap(({ name }) => ['--project', name])
const coverage = [
  '--coverage.enabled',
  '--coverage.provider=v8',
  // Files that no test loads count as well.
  ...measured().map((name) => `--coverage.include=packages/${name}/src/**/*.ts`),
  '--coverage.reporter=json-summary',
  '--coverage.reportOnFailure',
  `--coverage.reportsDirectory=${folder}`,
]
const args = ['run', ...projects, ...coverage, ...process.argv.slice(2)]
const code = attempt('tests of the packages with coverage', serverNode(), [vitest, ...args], { shell: false })

const { total, ...byFile } = JSON.parse(readFileSync(path.join(folder, 'coverage-summary.json'), 'utf8'))
const rows = Object.entries(byFile).map(([file, { lines, branches }]) => ({
  file: path.relative(root, file).split(path.sep).join('/'),
  missed: lines.total - lines.covered,
  lines: lines.total,
  covered: lines.covered,
  branches: branches.pct,
}))
const holes = rows
  .filter(({ missed }) => missed > 0)
  .toSorted((a, b) => b.missed - a.missed || (a.file < b.file ? -1 : 1))

mkdirSync(folder, { recursive: true })
writeFileSync(path.join(folder, 'holes.md'), page())
console.log(
  `\n${share(total.lines)} of the lines and ${total.branches.pct} % of the branches; the holes: coverage/holes.md`,
)
for (const { file, missed, lines } of holes.slice(0, 10)) console.log(`  ${missed} of ${lines}  ${file}`)
process.exitCode = code

/** The packages of the product. */
function measured() {
  return readdirSync(path.join(root, 'packages')).filter((name) => name !== 'testkit')
}

function page() {
  const table = [...byPackage()].map(([name, files]) => {
    const sum = (key) => files.reduce((all, file) => all + file[key], 0)
    return `| ${name} | ${files.length} | ${sum('lines')} | ${share({ total: sum('lines'), covered: sum('covered') })} |`
  })
  const list = holes
    .slice(0, SHOWN)
    .map(({ file, missed, lines, branches }) => `| ${file} | ${missed} | ${lines} | ${branches} % |`)
  return `# Lines that no test of their package runs

Code in threads and processes of its own is not seen, nor what end-to-end tests run: Vite's hooks, the inspector, the command's
process. ${share(total.lines)} of ${total.lines.total} lines.

| package | files | lines | run |
| --- | --- | --- | --- |
${table.join('\n')}

| file | lines not run | lines | branches run |
| --- | --- | --- | --- |
${list.join('\n')}
`
}

function byPackage() {
  const groups = new Map()
  for (const row of rows) {
    const name = row.file.split('/')[1]
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return groups
}

function share({ total: all, covered }) {
  return `${((100 * covered) / Math.max(1, all)).toFixed(1)} %`
}
