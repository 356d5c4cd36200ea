import { ASKED_EFFORTS, EFFORTS } from '../base/values.ts'
import type { AskedEffort, Effort } from '../base/values.ts'
import { code, oneOf } from '../options/parsers.ts'
import type { Operation } from './row.ts'

interface EffortOperation {
  /** `fast`, `default` (default) or `max`; `auto`: `default`, or `fast` where `firstBuild` has no time. */
  effort?: AskedEffort
}

interface ResolvedEffort {
  readonly effort: Effort
}

interface EffortDirective {
  effort: Effort
}

/** Sets the time that is spent on a result. */
export const effort: Operation<EffortOperation, AskedEffort, ResolvedEffort, EffortDirective> = {
  place: 7,
  parser: oneOf(ASKED_EFFORTS),
  resolved: (asked = 'default') => ({ effort: asked === 'auto' ? 'default' : asked }),
  shownDefault: "`'default'`",
  doc: "`'fast'`, `'default'`, `'max'`: [time for bytes](effort.md) at the same quality; `'auto'`: `'default'`, with [drafts](first-build.md) where `firstBuild` has no time",
  flags: {
    effort: {
      value: 'EFFORT',
      description: `[time for bytes](effort.md) at the same quality: ${code(EFFORTS)}`,
      choices: EFFORTS,
    },
  },
  fromFlags: ({ effort: text }) => text as AskedEffort | undefined,
  directive: {
    word: 'effort',
    doc: `${code(EFFORTS)}: [time for bytes](effort.md)`,
    alternatives: true,
    read: oneOf(EFFORTS).parse,
  },
}
