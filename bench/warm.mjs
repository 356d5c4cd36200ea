import { writeFile } from 'node:fs/promises'
import { readRowOptions } from './options.mjs'
import { describeMachine } from './measure/versions.mjs'
import { ratio, seconds, table, wholeMegabytes } from './report/markdown.mjs'
import { updateReadme } from './report/readme.mjs'
import { measureWarm } from './warm/measure.mjs'
import { PROJECTS, USUAL } from './warm/projects.mjs'

const NAMES = Object.keys(PROJECTS)

const USAGE = `What a warm build with Vite costs over the same build without a plugin, in processor time.

  node warm.mjs [options]

  --runs N      warm builds of each, in turn; the median counts (default 5)
  --only NAME   this project alone; may be repeated: ${NAMES.join(', ')} (default ${USUAL.join(' and ')})
  --json FILE   also writes the figures as data
  --update      also writes the result into README.md
  --check       ends with code 1 when a bound is broken`

const options = readRowOptions(USAGE, NAMES, { runs: 5, only: USUAL })
const results = []
for (const name of options.only) {
  results.push({ name, ...PROJECTS[name], ...(await measureWarm(PROJECTS[name], options.runs)) })
}
const markdown = render()
console.log(markdown)
if (options.json !== undefined) {
  await writeFile(options.json, `${JSON.stringify({ version: 1, runs: options.runs, results }, undefined, 2)}\n`)
}
if (options.update) await updateReadme('warm', markdown)
if (options.check && results.some(isBroken)) process.exitCode = 1

function isBroken({ bound = Infinity, ...result }) {
  return result.ratio > bound
}

function render() {
  const { cpu, cores, system, node, versions } = describeMachine(['vite'])
  const rows = results.map((result) => [
    result.title,
    seconds(result.none.cpu),
    seconds(result.pixpress.cpu),
    ratio(result.ratio, 1),
    verdict(result),
    wholeMegabytes(result.none.memory),
    wholeMegabytes(result.pixpress.memory),
  ])
  return [
    `${new Date().toISOString().slice(0, 10)}, medians of ${options.runs} warm builds, ${cpu}, ${cores} cores, ${system}, Node ${node}; Vite ${versions.vite}.`,
    table(['', 'CPU, no plugin', 'CPU, pixpress', 'ratio', 'bound', 'memory, no plugin', 'memory, pixpress'], rows),
  ].join('\n\n')
}

function verdict(result) {
  const { bound, aim } = result
  if (bound === undefined) return '–'
  return `${ratio(bound, 1)}: ${isBroken(result) ? '**broken**' : result.ratio <= aim ? 'aim reached' : 'kept'}`
}
