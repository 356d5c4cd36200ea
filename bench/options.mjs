import { parseArgs } from 'node:util'
import { CONTENDERS } from './measure/benchmark.mjs'

const SHARED = {
  runs: { type: 'string', default: '3' },
  bundler: { type: 'string', multiple: true },
  tool: { type: 'string', multiple: true },
  json: { type: 'string' },
  update: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
}

/**
 * Reads the command line, with the options of one script in addition to the shared ones. Prints `usage` and exits for
 * `--help`, and for invalid arguments.
 */
export function readOptions(usage, own = {}) {
  try {
    const { values } = parseArgs({ options: { ...SHARED, ...own } })
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    const runs = Number(values.runs)
    if (!Number.isInteger(runs) || runs < 1)
      throw new Error(`--runs takes a whole number from 1, not '${values.runs}'.`)
    return { ...values, runs, contenders: chosen(values) }
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`)
    return process.exit(2)
  }
}

/** Builds without a plugin are always included, because the others are compared with them. */
function chosen({ bundler: bundlers = Object.keys(CONTENDERS), tool: wanted }) {
  const known = Object.values(CONTENDERS).flat()
  for (const name of bundlers)
    if (!(name in CONTENDERS))
      throw new Error(`--bundler takes ${Object.keys(CONTENDERS).join(' or ')}, not '${name}'.`)
  for (const name of wanted ?? [])
    if (!known.includes(name)) throw new Error(`--tool takes one of ${[...new Set(known)].join(', ')}, not '${name}'.`)
  return Object.fromEntries(
    bundlers.map((bundler) => [
      bundler,
      CONTENDERS[bundler].filter((tool) => tool === 'none' || (wanted?.includes(tool) ?? true)),
    ]),
  )
}
