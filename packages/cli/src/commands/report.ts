import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { renderReport, tableStyle } from '@pixpress/core/report'
import type { Report } from '@pixpress/core/report'
import { describeFlags, parseFlags } from '@pixpress/core/internal'
import type { Surroundings } from '../output.ts'
import { EXIT, UsageError } from '../exit.ts'

const FLAGS = {
  full: { description: 'every image, however many there are' },
  help: { short: 'h', description: 'this text' },
} as const

const HELP = `Prints the report that a build has written as JSON ('report: { json }' of the plugin, '--json' of the command).

  pixpress report FILE [options]

${describeFlags(FLAGS)}
`

/** `pixpress report FILE`. @throws UsageError when the file is not there or is no report */
export async function report(args: readonly string[], { cwd, env, stdout }: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, FLAGS)
  if (flags.help) {
    stdout.write(HELP)
    return EXIT.ok
  }
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new UsageError('Expected one report: pixpress report FILE.')
  const data = await readReport(path.resolve(cwd, file), file)
  const style = tableStyle(stdout, env)
  const text = renderReport(data, { ...style, full: style.full || flags.full === true })
  stdout.write(text === '' ? 'pixpress  no images\n' : `${text}\n`)
  return EXIT.ok
}

async function readReport(file: string, shown: string): Promise<Report> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UsageError(
      `'${shown}' cannot be read as a report: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (!isReport(value)) throw new UsageError(`'${shown}' is no report of pixpress, or one of a newer version.`)
  return value
}

function isReport(value: unknown): value is Report {
  if (typeof value !== 'object' || value === null) return false
  const { version, images, failures, totals } = value as Partial<Record<keyof Report, unknown>>
  return (
    version === 1 && Array.isArray(images) && Array.isArray(failures) && typeof totals === 'object' && totals !== null
  )
}
