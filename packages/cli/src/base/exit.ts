import { PixpressError } from '@pixpress/core'
import { UsageError } from '@pixpress/core/internal'
import { COMMAND } from './same-release.ts'

/** Exit codes of a command: all good, some files failed, wrong usage, and a finding of `check` or `audit`. */
export const EXIT = { ok: 0, failed: 1, usage: 2, found: 3 } as const

/** The code that an error ends the command with. */
export function exitCodeOf(error: unknown): number {
  const isUsage = error instanceof UsageError || (error instanceof PixpressError && error.code === 'INVALID_OPTION')
  return isUsage ? EXIT.usage : EXIT.failed
}

/** Returns the version of the command's package. */
export const ownVersion = (): string => COMMAND.version
