import { writeFile } from 'node:fs/promises'
import { readRowOptions } from './options.mjs'
import { measure } from './first-build/measure.mjs'
import { renderFirstBuild } from './first-build/report.mjs'
import { judgeRow, ROWS } from './first-build/rows.mjs'
import { updateReadme } from './report/readme.mjs'

const NAMES = ROWS.map(({ name }) => name)

const USAGE = `What a first build costs, as ratios to plain encodes and to vite-plugin-image-optimizer in the same run.

  node first-build.mjs [options]

  --runs N      cold builds of each; the median counts (default 3)
  --only NAME   this row alone; may be repeated: ${NAMES.join(', ')}
  --json FILE   also writes the figures as data
  --update      also writes the result into README.md
  --check       ends with code 1 when a bound is broken`

const options = readRowOptions(USAGE, NAMES, { runs: 3 })
const rows = ROWS.filter(({ name }) => options.only.includes(name))
const results = await measure([...new Set(rows.flatMap(({ needs }) => needs))], options.runs)
const judged = rows.map((row) => ({ ...row, ...judgeRow(row, (name) => results.get(name)) }))

const markdown = renderFirstBuild(judged, results, options.runs)
console.log(markdown)
if (options.json !== undefined) {
  const figures = { version: 1, rows: judged, results: Object.fromEntries(results) }
  await writeFile(options.json, `${JSON.stringify(figures, undefined, 2)}\n`)
}
if (options.update) await updateReadme('first-build', markdown)
if (options.check && judged.some(({ kept }) => !kept)) process.exitCode = 1
