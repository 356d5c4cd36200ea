import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { InputType, OptimizeResult, Optimizer, PlaceholderKind, Plan } from '@pixpress/core'
import {
  availableCpus,
  expectedSaving,
  noteAskedLines,
  noteWhole,
  openBuilt,
  openDrafting,
  openLock,
  planLine,
  projectFolder,
} from '@pixpress/core/internal'
import type { Drafting, Lock, LockLine } from '@pixpress/core/internal'
import { nameOfCopy } from '../../base/copy-names.ts'
import type { ResolvedOptions } from '../options/options.ts'

/** Makes images as the lock of the project says, with drafts where there is no time, and keeps the lock up to date. */
export interface KeptLock {
  /**
   * Gives what the optimizer makes of a plan, an earlier engine's result that the lock holds on to, or a draft.
   * @param file absolute path of the source; `undefined` for an image that no line of the lock is about
   * @throws PixpressError as the optimizer, and `LOCK_INVALID`
   */
  materialize(plan: Plan, file: string | undefined, placeholder?: PlaceholderKind): Promise<OptimizeResult>
  /** The SHA-256 that the lock has of a remote image, by the name of its copy; none without a lock. */
  digestsOf(name: string): Promise<readonly string[]>
  /** Takes note of a result that is part of the build. */
  note(plan: Plan, file: string, result: OptimizeResult): void
  /** Takes note of a source that the build ships unchanged. @param file absolute */
  leave(file: string): void
  /**
   * Ends a build: writes the lock, or the record that `pixpress check` reads where there is no lock.
   * @param build as for `Session.endBuild`
   * @throws PixpressError `LOCK_INVALID`
   */
  flush(build?: string): Promise<void>
  /**
   * Makes the final result of the draft that is expected to save most, and writes the lock; `false` where there is no
   * draft that can be made.
   * @throws PixpressError `LOCK_INVALID`
   */
  refineNext(): Promise<boolean>
}

/**
 * Opens the lock. Without one, the optimizer works alone.
 */
export function keepLock(
  {
    lock: file,
    autoFormats: formats,
    firstBuild,
    concurrency,
    cache: { mode },
    cacheDir,
    persistent,
    root,
  }: Pick<
    ResolvedOptions,
    'lock' | 'autoFormats' | 'firstBuild' | 'concurrency' | 'cache' | 'cacheDir' | 'persistent' | 'root'
  >,
  {
    optimizer,
    ...settings
  }: {
    optimizer: Optimizer
    isByService(type: InputType): boolean
    onWarning(message: string): void
  },
): KeptLock {
  const isFrozen = mode === 'frozen'
  // A frozen cache lacks the final result, not a draft.
  const budget = firstBuild !== undefined && isFrozen ? Infinity : firstBuild
  let opening: Promise<Lock> | undefined
  let opened: Lock | undefined
  let drafting: Promise<Drafting> | undefined
  /** `pixpress check` finds out afterwards what the build has shipped. */
  const isRecorded = persistent && mode === 'readwrite'
  let recording: Promise<Lock> | undefined
  let record: Lock | undefined
  let began = Date.now()
  const unchanged = new Set<string>()
  /** Lines that were tried: what is a draft nevertheless has another source by now, or fails. */
  const tried = new Set<string>()

  async function open(): Promise<Lock | undefined> {
    if (file === undefined || opened !== undefined) return opened
    opening ??= openLock({ file, ...settings, ...(!isFrozen && formats && { formats }) })
    try {
      opened = await opening
    } finally {
      // A file that was mended is read in the next build of a watcher.
      opening = undefined
    }
    return opened
  }

  /** Project locks say themselves what was shipped. */
  async function openRecord(): Promise<void> {
    if (file !== undefined || !isRecorded || record !== undefined) return
    recording ??= openBuilt(cacheDir, settings.isByService)
    // A folder that cannot be read has no record, and the build needs none.
    record = await recording.catch(() => undefined)
  }

  async function refine(lock: Lock, line: LockLine): Promise<void> {
    const source = path.resolve(path.dirname(lock.file), line.source)
    const plan = await planLine(line, await readFile(source))
    if (plan === undefined) return
    lock.note(source, plan, await optimizer.materialize(plan))
    await lock.write()
  }

  return {
    async materialize(plan, source, placeholder) {
      if (source === undefined) return optimizer.materialize(plan, { placeholder })
      const lock = await open()
      await openRecord()
      const locked = lock?.lockedAs(nameOfCopy(source) ?? source, plan)
      const extras = { placeholder, pinned: locked?.pinned }
      if (budget === undefined || !plan.mayBeDraft || locked?.isFinal || settings.isByService(plan.type)) {
        return optimizer.materialize(plan, extras)
      }
      drafting ??= openDrafting({ optimizer, budget, workers: concurrency ?? availableCpus() })
      return (await drafting).materialize(plan, { ...extras, draft: locked?.draft })
    },
    async digestsOf(name) {
      const lines = (await open())?.lines ?? []
      return [...new Set(lines.filter(({ source }) => source === name).map(({ sha256 }) => sha256))]
    },
    note: (plan, source, result) => (opened ?? record)?.note(nameOfCopy(source) ?? source, plan, result),
    leave: (source) => void unchanged.add(source),
    async flush(build) {
      const dropsOf = async (lock: Lock): Promise<Parameters<Lock['write']>[0]> =>
        build !== undefined && persistent ? noteAskedLines(cacheDir, build, lock.asked()) : undefined
      if (opened !== undefined) await opened.write(await dropsOf(opened))
      if (record !== undefined) await record.write(await dropsOf(record)).catch(() => undefined)
      if (build !== undefined && isRecorded)
        await noteWhole(cacheDir, projectFolder(root) ?? root, { began, isLocked: file !== undefined, unchanged })
      began = Date.now()
      unchanged.clear()
      ;(await drafting)?.restart()
    },
    async refineNext() {
      const lock = await open()
      if (lock === undefined || isFrozen) return false
      await lock.write()
      const drafts = lock.lines.filter((each) => each.draft && !tried.has(nameOf(each)))
      const [line] = drafts.sort((a, b) => expectedSaving(b) - expectedSaving(a))
      if (line === undefined) return false
      tried.add(nameOf(line))
      // A source that is gone or broken is told of where it is asked for.
      await refine(lock, line).catch(() => undefined)
      // Images that are asked for from now on get the final result.
      ;(await drafting)?.restart()
      return true
    },
  }
}

const nameOf = ({ source, key }: LockLine): string => JSON.stringify([source, key])
