import { describeFlags, expectedSaving, parseDuration } from '@pixpress/core/internal'
import type { Flags } from '@pixpress/core/internal'
import { formatBytes, formatChange } from '@pixpress/core/report'
import type { Surroundings } from '../base/output.ts'
import { amountOf } from '../base/output.ts'
import { LOCK_FLAGS, outdatedSaid, runLockCommand } from '../renew/lock-command.ts'
import type { LockCommand } from '../renew/lock-command.ts'
import type { Renewed } from '../renew/renew-lines.ts'

/** Flags of `pixpress refine`. */
export const REFINE_FLAGS: Flags = {
  budget: {
    value: 'TIME',
    description:
      'begins no image after this time but the first, as `2m` or `30s`; those that are expected to save most come first',
  },
  ...LOCK_FLAGS,
}

const COMMAND: LockCommand = {
  flags: REFINE_FLAGS,
  help: `Makes the final results of the drafts that pixpress.lock names.

  pixpress refine [options]

${describeFlags(REFINE_FLAGS)}

Exit codes: 0 all good, 1 some images failed, 2 wrong usage.
`,
  order: (lines) => lines.filter(({ draft }) => draft).toSorted((a, b) => expectedSaving(b) - expectedSaving(a)),
  isDue: ({ draft }) => draft === true,
  budget: ({ budget }) => (budget === undefined ? undefined : parseDuration('--budget', budget.toString())),
  said,
}

/** `pixpress refine`. @throws UsageError, PixpressError `INVALID_OPTION` or `LOCK_INVALID` */
export const refine = (args: readonly string[], around: Surroundings): Promise<number> =>
  runLockCommand(COMMAND, args, around)

function said(counts: Renewed, dryRun: boolean): string {
  const { made, before, after, left } = counts
  const old = outdatedSaid(counts)
  if (made + left === 0) return `no drafts.${old}`
  if (dryRun) return `${amountOf(made, 'draft')}.${old}`
  const rest = left === 0 ? '' : ` No time for ${left} more.`
  if (made === 0) return `no draft refined.${rest}${old}`
  return `${amountOf(made, 'draft')} refined: ${formatBytes(before)} → ${formatBytes(after)} (${formatChange(before, after)}).${rest}${old}`
}
