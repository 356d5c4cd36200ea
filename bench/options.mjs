import { parseArgs } from 'node:util'
import { CONTENDERS } from './measure/benchmark.mjs'

const SHARED = {
  runs: { type: 'string', default: '3' },
  bundler: { type: 'string', multiple: true },
  tool: { type: 'string', multiple: true },
  json: { type: 'string' },
  update: { type: 'boolean', default: false },
}

/**
 * Reads the command line. Prints `usage` and exits for `--help`, and for invalid arguments.
 * @param options as `parseArgs` takes them, without `help`
 * @param check makes the result of the values; an error that it throws is printed with `usage`
 */
export function readCommandLine(usage, options, check) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', default: false } } })
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    return check(values)
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`)
    return process.exit(2)
  }
}

/** Returns a value as a number. @throws Error that names the option */
export function wholeNumber(name, value) {
  if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${name} takes a whole number from 1, not '${value}'.`)
  return Number(value)
}

/** Reads the options of scripts that compare tools, with those of one script in addition. */
export function readOptions(usage, own = {}) {
  return readCommandLine(usage, { ...SHARED, ...own }, (values) => ({
    ...values,
    runs: wholeNumber('runs', values.runs),
    contenders: chosen(values),
  }))
}

/**
 * Reads the options of scripts that measure rows and hold them to bounds.
 * @param names all rows
 * @param defaults `runs`, and the rows that are measured unasked: `only`
 */
export function readRowOptions(usage, names, { runs, only = names }) {
  const options = {
    runs: { type: 'string', default: String(runs) },
    only: { type: 'string', multiple: true, default: only },
    json: { type: 'string' },
    update: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  }
  return readCommandLine(usage, options, (values) => {
    const unknown = values.only.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new Error(`--only takes one of ${names.join(', ')}, not '${unknown}'.`)
    return { ...values, runs: wholeNumber('runs', values.runs) }
  })
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
