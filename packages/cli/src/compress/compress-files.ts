import { availableCpus, createImageStore } from '@pixpress/core/internal'
import type { Lock } from '@pixpress/core/internal'
import { createProgress, visibleText } from '@pixpress/core/report'
import type { Report } from '@pixpress/core/report'
import { createBackup } from '../backup/create-backup.ts'
import { openOriginals } from '../backup/originals.ts'
import { EXIT } from '../base/exit.ts'
import type { Surroundings } from '../base/output.ts'
import { compressAll, shownPath } from './batch.ts'
import type { BatchOptions } from './batch.ts'
import type { FileOutcome, FileTask } from './compress-file.ts'
import { findInputs } from './inputs.ts'
import type { InputFile } from './inputs.ts'
import { addressLines, outcomeLine } from './outcome-line.ts'
import { printRun } from './print-report.ts'
import type { CompressSettings } from './settings.ts'
import { ofShard } from './shard.ts'
import { skippedLine } from './skipped-line.ts'
import { createTargets } from './targets.ts'
import { unreadLine } from './unread.ts'
import { nameVariants } from './variants.ts'
import type { Skipped } from './walk.ts'
import { changeLine, watchInputs } from './watch.ts'
import { aborted, exitCodeOfSignal } from './workers.ts'
import type { Workers } from './workers.ts'
import { compressWorth } from './worth.ts'

/** The files that a run is for. */
export interface GivenFiles {
  /** Files, folders and globs. */
  readonly patterns: readonly string[]
  /** Files and folders by their very names. */
  readonly listed: readonly string[]
  /** Absolute paths of the only files to take; `undefined`: all. */
  readonly staged: ReadonlySet<string> | undefined
}

/** A run of `pixpress compress` over files. */
export interface CompressRun {
  readonly given: GivenFiles
  readonly settings: CompressSettings
  readonly workers: Workers
  readonly around: Surroundings
  /** Prints a line on standard error, unless the run is quiet. */
  readonly tell: (message: string) => void
}

/**
 * Compresses files, prints the report, and goes on with changed files where the run watches.
 * @returns the exit code
 * @throws UsageError, PixpressError of files that cannot be listed, of the backup and of the report's page
 */
export async function compressFiles(run: CompressRun): Promise<number> {
  const { settings, workers, around, tell } = run
  const { cwd, signal } = around
  const search = createSearch(run)
  const inputs = await search.find()
  const own = search.part(inputs)
  const lock = await workers.openLock()
  const originals = settings.originals === undefined ? undefined : openOriginals(settings.originals, cwd)
  const writes = new Set<Promise<void>>()
  const taskOf = createTask(run, { lock, originals, writes })
  const { options, finish } = createBatchOptions(run)
  const made = await Promise.race([compressAll(own, taskOf(inputs), options), aborted(signal)])
  finish()
  if (made === undefined) {
    await Promise.allSettled(writes)
    around.stderr.write('pixpress: stopped; every file is whole.\n')
    return exitCodeOfSignal(signal)
  }
  if (!settings.dryRun) await lock?.write()
  const { shard } = settings
  const worth = compressWorth(made, settings)
  const report: Report = {
    ...made,
    ...(shard !== undefined && { shard: { ...shard, of: inputs.length } }),
    ...(worth !== undefined && { worth }),
  }
  const notes = search.notes(inputs.length === 0 || settings.verbose)
  await printRun(report, own.length, { notes, kept: await originals?.finish() }, run)
  if (!settings.watch) return report.failures.length > 0 ? EXIT.failed : EXIT.ok
  await watchInputs({
    cwd,
    patterns: run.given.patterns,
    signal,
    onReady: () => tell('waiting for changes'),
    async compress(file) {
      // Other files count too, as one may have a claim to the same name.
      const all = await search.find()
      const due = search.part(all).filter((each) => each.file === file)
      const changed = await compressAll(due, taskOf(all), { ...options, concurrency: 1 })
      if (!settings.dryRun) await lock?.write()
      printChange(changed, run)
    },
  })
  return EXIT.ok
}

/** Finds the inputs of a run, as often as it is asked. */
interface Search {
  find(): Promise<InputFile[]>
  /** Leaves only the inputs of this run's shard. */
  part(files: readonly InputFile[]): readonly InputFile[]
  /** Returns lines about files that are not read and, if asked for, about skipped places, of the last search. */
  notes(withSkipped: boolean): readonly (string | undefined)[]
}

function createSearch({ given, settings, workers: { optimizer }, around: { cwd } }: CompressRun): Search {
  const { patterns, listed, staged } = given
  const { out, template, shard } = settings
  const unread: string[] = []
  const skipped: Skipped[] = []
  return {
    async find() {
      unread.length = skipped.length = 0
      const onUnread = (type: string): void => void unread.push(type)
      const onSkipped = (each: Skipped): void => void skipped.push(each)
      const all = await findInputs(patterns, { ...settings, cwd, listed, onUnread, onSkipped })
      const found = staged === undefined ? all : all.filter(({ file }) => staged.has(file))
      const isNamed = template !== undefined && out !== undefined
      return isNamed ? nameVariants(found, { ...settings, optimizer, template, out }) : found
    },
    part: (files) => (shard === undefined ? files : ofShard(files, shard, cwd)),
    notes: (withSkipped) => [unreadLine(unread), withSkipped ? skippedLine(skipped, cwd) : undefined],
  }
}

/** Parts of a run that its files share. */
interface RunState {
  readonly lock: Lock | undefined
  readonly originals: FileTask['originals']
  /** Files that are being written. */
  readonly writes: Set<Promise<void>>
}

/** Returns the task of each file, made of all inputs whose results must not have the same name. */
function createTask(
  { settings, workers: { optimizer, earlier }, around: { signal } }: CompressRun,
  { lock, originals, writes }: RunState,
): (files: readonly InputFile[]) => FileTask {
  const store = settings.store && createImageStore(settings.store)
  const backup = settings.backup === undefined ? undefined : createBackup(settings.backup)
  const { operations, out, dryRun, overwrite, force, preserveTimes, minSaving } = settings
  const shared = { optimizer, operations, store, lock, dryRun, overwrite, earlier, force, preserveTimes, minSaving }
  return (files) => ({
    ...shared,
    targetOf: createTargets(files, out),
    inPlace: out === undefined,
    backup,
    originals,
    async writing(start) {
      // Images that were under way are finished after the others have been waited for.
      if (signal.aborted) return new Promise(() => undefined)
      const write = start()
      writes.add(write)
      await write.finally(() => writes.delete(write))
    },
  })
}

function createBatchOptions({ settings, workers: { engine }, around, tell }: CompressRun): {
  options: BatchOptions
  /** Ends the progress on the terminal. */
  finish: () => void
} {
  const { cwd, signal, stderr, env } = around
  const progress = createProgress({
    enabled: !settings.quiet && !settings.json,
    lines: true,
    stream: stderr,
    environment: env,
  })
  const options: BatchOptions = {
    cwd,
    concurrency: settings.concurrency ?? placesAt(settings.remote),
    progress,
    signal,
    usage: async () => engine?.endBuild(),
    ...(settings.verbose && {
      seen(input: InputFile, outcome: FileOutcome) {
        progress.clear()
        stderr.write(`pixpress: ${visibleText(outcomeLine(shownPath(cwd, input.file), outcome))}\n`)
      },
    }),
    tell(message) {
      progress.clear()
      tell(message)
    },
  }
  return { options, finish: () => progress.finish() }
}

/** Prints the results of files that changed while the run watches. */
function printChange(
  changed: Awaited<ReturnType<typeof compressAll>>,
  { around: { stdout }, tell }: CompressRun,
): void {
  for (const { source, before, after, written } of changed.images) {
    if (written === true) stdout.write(`${visibleText(changeLine(source, before, after))}\n`)
  }
  if (changed.store !== undefined && changed.store.uploaded > 0) stdout.write(addressLines(changed))
  for (const { source, message } of changed.failures) tell(`${source}: ${message}`)
}

/** Returns the number of images that a service takes at once, at all its endpoints; `undefined` without one. */
const placesAt = (remote: CompressSettings['remote']): number | undefined =>
  remote && Math.max(availableCpus(), remote.concurrency * [remote.endpoint].flat().length)
