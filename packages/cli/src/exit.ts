import { readFileSync } from 'node:fs'
import { PixpressError } from '@pixpress/core'

/** What a command ends with: all good, some files failed, wrong usage, and of `check` and `audit`: something was found. */
export const EXIT = { ok: 0, failed: 1, usage: 2, found: 3 } as const

/** The command line is wrong: the message says what was expected, and the command ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The code that an error ends the command with. */
export function exitCodeOf(error: unknown): number {
  const isUsage = error instanceof UsageError || (error instanceof PixpressError && error.code === 'INVALID_OPTION')
  return isUsage ? EXIT.usage : EXIT.failed
}

/** Version of the command's package. */
export function ownVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
