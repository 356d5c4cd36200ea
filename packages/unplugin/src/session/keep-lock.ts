import type { InputType, OptimizeResult, Optimizer, PlaceholderKind, Plan } from '@pixpress/core'
import { openLock } from '@pixpress/core/internal'
import type { Lock } from '@pixpress/core/internal'
import type { ResolvedOptions } from './options.ts'

/** Makes images as the lock of the project says, and keeps it up to date. */
export interface KeptLock {
  /**
   * What the optimizer makes of a plan, or an earlier engine's result that the lock holds on to.
   * @param file absolute path of the source
   * @throws PixpressError as the optimizer, and `LOCK_INVALID`
   */
  materialize(plan: Plan, file: string, placeholder?: PlaceholderKind): Promise<OptimizeResult>
  /** Takes note of a result that is part of the build. */
  note(plan: Plan, file: string, result: OptimizeResult): void
  /** Writes the lock at the end of a build. @throws PixpressError `LOCK_INVALID` */
  flush(): Promise<void>
}

/** Without a lock, the optimizer alone: nothing is read or loaded. */
export function keepLock(
  { lock: file }: Pick<ResolvedOptions, 'lock'>,
  {
    optimizer,
    ...settings
  }: {
    optimizer: Optimizer
    isByService(type: InputType): boolean
    onWarning(message: string): void
  },
): KeptLock {
  let opening: Promise<Lock> | undefined
  let opened: Lock | undefined

  async function open(): Promise<Lock | undefined> {
    if (file === undefined || opened !== undefined) return opened
    opening ??= openLock({ file, ...settings })
    try {
      opened = await opening
    } finally {
      // A file that was mended is read in the next build of a watcher.
      opening = undefined
    }
    return opened
  }

  return {
    async materialize(plan, source, placeholder) {
      const lock = await open()
      return optimizer.materialize(plan, { placeholder, pinned: lock?.pinOf(source, plan) })
    },
    note: (plan, source, result) => opened?.note(source, plan, result),
    flush: async () => opened?.write(),
  }
}
