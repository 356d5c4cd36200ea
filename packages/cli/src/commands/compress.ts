import { buffer } from 'node:stream/consumers'
import { availableCpus, createImageStore, parseFlags, UsageError } from '@pixpress/core/internal'
import type { FlagValues, Flags } from '@pixpress/core/internal'
import type { Operations, Optimizer, PixpressError } from '@pixpress/core'
import {
  createProgress,
  endLine,
  firstBuildHint,
  renderProfile,
  renderReport,
  tableStyle,
  visibleText,
  wantsProfile,
  writeReportPage,
} from '@pixpress/core/report'
import type { Report } from '@pixpress/core/report'
import { createBackup } from '../backup/create-backup.ts'
import { openOriginals } from '../backup/originals.ts'
import { compressAll, shownPath } from '../compress/batch.ts'
import type { BatchOptions } from '../compress/batch.ts'
import type { FileOutcome, FileTask } from '../compress/compress-file.ts'
import { orHere, splitPatterns } from '../compress/exclusions.ts'
import { COMPRESS_FLAGS } from '../compress/flags.ts'
import { COMPRESS_HELP } from '../compress/help.ts'
import { findInputs } from '../compress/inputs.ts'
import type { InputFile } from '../compress/inputs.ts'
import { readListedFiles } from '../compress/listed-files.ts'
import { addressLines, outcomeLine } from '../compress/outcome-line.ts'
import { resolveSettings } from '../compress/settings.ts'
import type { CompressSettings } from '../compress/settings.ts'
import { ofShard, shardLine } from '../compress/shard.ts'
import { skippedLine } from '../compress/skipped-line.ts'
import { createTargets } from '../compress/targets.ts'
import { unreadLine } from '../compress/unread.ts'
import { nameVariants } from '../compress/variants.ts'
import type { Skipped } from '../compress/walk.ts'
import { changeLine, watchInputs } from '../compress/watch.ts'
import { aborted, exitCodeOfSignal, openWorkers } from '../compress/workers.ts'
import type { Workers } from '../compress/workers.ts'
import { compressWorth } from '../compress/worth.ts'
import { loadConfig } from '../base/config.ts'
import { EXIT } from '../base/exit.ts'
import { stagedFiles } from '../git/repository.ts'
import type { Surroundings } from '../base/output.ts'

/** `pixpress compress`. @throws UsageError, PixpressError `INVALID_OPTION` */
export async function compress(args: readonly string[], around: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, COMPRESS_FLAGS)
  if (flags['help'] === true) {
    around.stdout.write(COMPRESS_HELP)
    return EXIT.ok
  }
  const from = flags['files-from']?.toString()
  const isStaged = flags['staged'] === true
  if (splitPatterns(positionals, around.cwd).taken.length === 0 && from === undefined && !isStaged) {
    throw new UsageError("Nothing to compress: give files, folders or globs, or '-' for standard input.")
  }
  const settings = resolveSettings(flags, await loadConfig(around.cwd, flags['config']?.toString()), around)
  const tell = (message: string): void => {
    if (!settings.quiet) around.stderr.write(`pixpress: ${visibleText(message)}\n`)
  }
  const workers = openWorkers(settings, tell)
  const { optimizer } = workers
  try {
    if (!positionals.includes('-')) {
      const listed = from === undefined ? [] : await readListedFiles(from, around)
      const staged = isStaged ? await stagedFiles(around.cwd) : undefined
      const given = { patterns: isStaged ? orHere(positionals, around.cwd) : positionals, listed, staged }
      return await compressFiles(given, settings, workers, around, tell)
    }
    assertForPipe(flags)
    if (positionals.length > 1) throw new UsageError("'-' stands alone: standard input is the only image then.")
    for (const note of await compressPipe(optimizer, settings.operations(undefined).operations, around)) tell(note)
    return EXIT.ok
  } finally {
    // The threads of an aborted run would have to end their images first.
    if (!around.signal.aborted) await optimizer.close()
  }
}

/** Which files a run is for. */
interface Given {
  /** Files, folders and globs. */
  readonly patterns: readonly string[]
  /** Files and folders by their very names. */
  readonly listed: readonly string[]
  /** Only these, by their absolute paths; `undefined`: all. */
  readonly staged: ReadonlySet<string> | undefined
}

async function compressFiles(
  { patterns, listed, staged }: Given,
  settings: CompressSettings,
  { optimizer, engine, earlier, openLock }: Workers,
  around: Surroundings,
  tell: (message: string) => void,
): Promise<number> {
  const { cwd, signal } = around
  const { out, template } = settings
  const unread: string[] = []
  const skipped: Skipped[] = []
  const find = async (): Promise<InputFile[]> => {
    unread.length = skipped.length = 0
    const onUnread = (type: string): void => void unread.push(type)
    const onSkipped = (each: Skipped): void => void skipped.push(each)
    const all = await findInputs(patterns, { ...settings, cwd, listed, onUnread, onSkipped })
    const found = staged === undefined ? all : all.filter(({ file }) => staged.has(file))
    const isNamed = template !== undefined && out !== undefined
    return isNamed ? nameVariants(found, { ...settings, optimizer, template, out }) : found
  }
  const inputs = await find()
  const part = (files: readonly InputFile[]): readonly InputFile[] =>
    settings.shard === undefined ? files : ofShard(files, settings.shard, cwd)
  const own = part(inputs)
  const store = settings.store && createImageStore(settings.store)
  const lock = await openLock()
  const originals = settings.originals === undefined ? undefined : openOriginals(settings.originals, cwd)
  const backup = settings.backup === undefined ? undefined : createBackup(settings.backup)
  const writes = new Set<Promise<void>>()
  const progress = createProgress({
    enabled: !settings.quiet && !settings.json,
    stream: around.stderr,
    environment: around.env,
  })
  const task = (files: readonly InputFile[]): FileTask => ({
    optimizer,
    operations: settings.operations,
    targetOf: createTargets(files, settings.out),
    store,
    lock,
    dryRun: settings.dryRun,
    inPlace: settings.out === undefined,
    overwrite: settings.overwrite,
    earlier,
    force: settings.force,
    preserveTimes: settings.preserveTimes,
    minSaving: settings.minSaving,
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
  const options: BatchOptions = {
    cwd,
    concurrency: settings.concurrency ?? placesAt(settings.remote),
    progress,
    signal,
    usage: async () => engine?.endBuild(),
    ...(settings.verbose && {
      seen(input: InputFile, outcome: FileOutcome) {
        progress.clear()
        around.stderr.write(`pixpress: ${visibleText(outcomeLine(shownPath(cwd, input.file), outcome))}\n`)
      },
    }),
    tell(message) {
      progress.clear()
      tell(message)
    },
  }
  const batch = compressAll(own, task(inputs), options)
  const made = await Promise.race([batch, aborted(signal)])
  progress.finish()
  if (made === undefined) {
    await Promise.allSettled(writes)
    around.stderr.write('pixpress: stopped; every file is whole.\n')
    return exitCodeOfSignal(signal)
  }
  await lock?.write()
  const { shard } = settings
  const worth = compressWorth(made, settings)
  const report: Report = {
    ...made,
    ...(shard !== undefined && { shard: { ...shard, of: inputs.length } }),
    ...(worth !== undefined && { worth }),
  }
  const end = print(report, own.length, settings, around)
  const notRead = unreadLine(unread)
  if (notRead !== undefined) tell(notRead)
  const passed = inputs.length === 0 || settings.verbose ? skippedLine(skipped, cwd) : undefined
  if (passed !== undefined) tell(passed)
  const kept = await originals?.finish()
  if (kept !== undefined && !settings.quiet && !settings.json) around.stdout.write(`${kept}\n`)
  tellMissing(optimizer, around)
  if (settings.html !== undefined) await writeReportPage(settings.html, report, cwd)
  if (end !== undefined) around.stdout.write(end)
  // Beside what standard output carries, which may be JSON.
  if (wantsProfile(around.env)) around.stderr.write(`${renderProfile(report)}\n`)
  if (settings.watch) {
    await watchInputs({
      cwd,
      patterns,
      signal,
      onReady: () => tell('waiting for changes'),
      async compress(file) {
        // Its neighbours count, as they may have a claim to the same name.
        const all = await find()
        const due = part(all).filter((each) => each.file === file)
        const changed = await compressAll(due, task(all), { ...options, concurrency: 1 })
        await lock?.write()
        for (const { source, before, after, written } of changed.images) {
          if (written === true) around.stdout.write(`${visibleText(changeLine(source, before, after))}\n`)
        }
        if (changed.store !== undefined && changed.store.uploaded > 0) around.stdout.write(addressLines(changed))
        for (const { source, message } of changed.failures) tell(`${source}: ${message}`)
      },
    })
    return EXIT.ok
  }
  return report.failures.length > 0 ? EXIT.failed : EXIT.ok
}

/**
 * Standard input → standard output. Nothing is printed where the image is broken.
 * @throws PixpressError
 */
async function compressPipe(
  optimizer: Optimizer,
  operations: Operations,
  { stdin, stdout }: Surroundings,
): Promise<readonly string[]> {
  const { data, notes } = await optimizer.optimize(await buffer(stdin), operations, { file: 'standard input' })
  stdout.write(data)
  return notes
}

/** @throws UsageError for flags that need a file */
function assertForPipe(flags: FlagValues<Flags>): void {
  const reasons = {
    store: 'standard input has no name',
    html: 'standard input has no report',
    name: 'standard input has no name',
    backup: 'standard input is not replaced',
    'min-saving': 'standard input is not replaced',
    shard: 'standard input is the only image then',
    'files-from': 'standard input is the only image then',
  }
  for (const [name, reason] of Object.entries(reasons)) {
    if (flags[name] !== undefined) throw new UsageError(`--${name} is for files: ${reason}.`)
  }
  if (flags['width']?.toString().includes(','))
    throw new UsageError('Several widths are for files: standard output is one.')
}

/**
 * @param own inputs of this run
 * @returns the last line; nothing where none is wanted, or what was printed is that line
 */
function print(
  report: Report,
  own: number,
  { json, quiet, dryRun, cache, verbose, isFull }: CompressSettings,
  around: Surroundings,
): string | undefined {
  const { stdout, stderr, env } = around
  if (json) {
    stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    return undefined
  }
  // The missing ones are told of all together.
  const failures = report.failures.filter(({ code }) => code !== 'NOT_CACHED')
  if (quiet) {
    for (const { source, message } of failures) stderr.write(`pixpress: ${visibleText(`${source}: ${message}`)}\n`)
    return undefined
  }
  const cacheFolder = cache === false ? undefined : shownPath(around.cwd, cache.dir)
  const style = { ...tableStyle(stdout, env), fullBy: '--report full' }
  const text = renderReport(
    { ...report, failures },
    { ...style, full: style.full || isFull || verbose },
    firstBuildHint(report.totals, cacheFolder),
  )
  stdout.write(text === '' ? 'pixpress  no images\n' : `${text}\n`)
  stdout.write(addressLines(report))
  if (report.shard !== undefined) stdout.write(`${shardLine(report.shard, own, report.shard.of)}\n`)
  if (dryRun) stdout.write('Nothing was written: --dry-run.\n')
  const end = endLine(report, style)
  const isSaid = !text.includes('\n') && !dryRun && report.worth === undefined
  return end === '' || isSaid ? undefined : `${end}\n`
}

/** Every result that a frozen cache lacks. Of the table's rows a terminal shows some. */
function tellMissing(optimizer: Optimizer, { stderr }: Surroundings): void {
  try {
    optimizer.assertComplete()
  } catch (error) {
    // Its lines are harmless, each by itself.
    stderr.write(`pixpress: ${(error as PixpressError).message}\n`)
  }
}

/** Images that a service takes at once, at all its endpoints; `undefined` without one. */
const placesAt = (remote: CompressSettings['remote']): number | undefined =>
  remote && Math.max(availableCpus(), remote.concurrency * [remote.endpoint].flat().length)
