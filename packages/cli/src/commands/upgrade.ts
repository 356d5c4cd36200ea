import { ENGINE_REVISION, describeFlags } from '@pixpress/core/internal'
import type { Flags } from '@pixpress/core/internal'
import { formatBytes, formatChange } from '@pixpress/core/report'
import type { Surroundings } from '../base/output.ts'
import { amountOf } from '../base/output.ts'
import { LOCK_FLAGS, outdatedSaid, runLockCommand } from '../renew/lock-command.ts'
import type { LockCommand } from '../renew/lock-command.ts'
import type { Renewed } from '../renew/renew-lines.ts'

/** Flags of `pixpress upgrade`. */
export const UPGRADE_FLAGS: Flags = LOCK_FLAGS

const COMMAND: LockCommand = {
  flags: UPGRADE_FLAGS,
  help: `Makes the results of pixpress.lock that an older engine made anew, with this one. Makes the file where there is none.

  pixpress upgrade [options]

${describeFlags(UPGRADE_FLAGS)}

Exit codes: 0 all good, 1 some images failed, 2 wrong usage.
`,
  // Drafts have keys of their own: 'refine' is for those.
  isDue: ({ engine, draft, key: made }, { key }) =>
    engine !== 'service' && engine <= ENGINE_REVISION && !draft && made !== key,
  said,
}

/** `pixpress upgrade`. @throws UsageError, PixpressError `INVALID_OPTION` or `LOCK_INVALID` */
export const upgrade = (args: readonly string[], around: Surroundings): Promise<number> =>
  runLockCommand(COMMAND, args, around)

function said(counts: Renewed, dryRun: boolean): string {
  const { made, before, after, held, outdated } = counts
  if (made + held + outdated === 0) return 'nothing in it yet, the next build fills it.'
  const old = outdatedSaid(counts)
  if (made === 0) return `${amountOf(held, 'result')}, none of an older engine.${old}`
  if (dryRun) return `${made} of ${amountOf(made + held, 'result')} of an older engine.${old}`
  return `${made} of ${amountOf(made + held, 'result')} made anew: ${formatBytes(before)} → ${formatBytes(after)} (${formatChange(before, after)}).${old}`
}
