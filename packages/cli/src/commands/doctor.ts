import { describeFlags, parseFlags, UsageError } from '@pixpress/core/internal'
import { visibleText } from '@pixpress/core/report'
import { CHECKS } from '../doctor/checks.ts'
import { faultVerdict } from '../doctor/contract.ts'
import type { Verdict } from '../doctor/contract.ts'
import { EXIT } from '../base/exit.ts'
import { endingOf } from '../base/output.ts'
import type { Surroundings } from '../base/output.ts'

/** Flags of `pixpress doctor`. */
export const DOCTOR_FLAGS = {
  json: { description: 'what was found as JSON' },
  help: { short: 'h', description: 'this text' },
} as const

const HELP = `Looks at what pixpress needs of this machine and project, and says what to do about what is missing.

  pixpress doctor [options]

It makes a small picture of every type, and writes into the cache's folder, which it leaves as it was. Ends with code 1 where
images cannot be made.

${describeFlags(DOCTOR_FLAGS)}
`

/** How a verdict is marked, so that nobody needs colours. */
const MARKS: Readonly<Record<Verdict['state'], string>> = { ok: 'ok', warning: 'warning', problem: 'PROBLEM' }

/** `pixpress doctor`. @throws UsageError for anything but flags */
export async function doctor(args: readonly string[], around: Surroundings): Promise<number> {
  const { stdout } = around
  const { flags, positionals } = parseFlags(args, DOCTOR_FLAGS)
  if (flags.help) {
    stdout.write(HELP)
    return EXIT.ok
  }
  if (positionals.length > 0) throw new UsageError('Expected no files: pixpress doctor looks at the current folder.')
  const verdicts: (Verdict & { readonly name: string })[] = []
  for (const [name, check] of Object.entries(CHECKS))
    verdicts.push({ name, ...(await check(around).catch(faultVerdict)) })
  const problems = verdicts.filter(({ state }) => state === 'problem').length
  if (flags.json) stdout.write(`${JSON.stringify({ ok: problems === 0, checks: verdicts }, null, 2)}\n`)
  else for (const verdict of verdicts) stdout.write(`${visibleLines(verdict)}\n`)
  if (!flags.json) stdout.write(endingOf(summary(problems)))
  return problems > 0 ? EXIT.failed : EXIT.ok
}

function visibleLines({ name, state, says, mend }: Verdict & { readonly name: string }): string {
  const line = `${MARKS[state].padEnd(8)}  ${name.padEnd(13)}  ${visibleText(says)}`
  return mend === undefined ? line : `${line}\n${' '.repeat(25)}${visibleText(mend)}`
}

const summary = (problems: number): string =>
  problems === 0
    ? 'Images can be made here.'
    : `${problems === 1 ? '1 problem keeps' : `${problems} problems keep`} images from being made.`
