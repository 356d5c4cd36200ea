import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
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

const options = readOptions()
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

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        runs: { type: 'string', default: '3' },
        only: { type: 'string', multiple: true, default: NAMES },
        json: { type: 'string' },
        update: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    const unknown = values.only.find((name) => !NAMES.includes(name))
    if (unknown !== undefined) throw new Error(`--only takes one of ${NAMES.join(', ')}, not '${unknown}'.`)
    if (!/^[1-9]\d*$/.test(values.runs)) throw new Error(`--runs takes a whole number from 1, not '${values.runs}'.`)
    return { ...values, runs: Number(values.runs) }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}
