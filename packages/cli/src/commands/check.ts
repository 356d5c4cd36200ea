import path from 'node:path'
import { setImmediate as breath } from 'node:timers/promises'
import { oneOf, parseFlags, resolveBudgets, UsageError } from '@pixpress/core/internal'
import type { FlagValues, Flags } from '@pixpress/core/internal'
import { tableStyle, visibleText } from '@pixpress/core/report'
import { NOTHING_BUILT, createBuiltImages } from '../check/built-images.ts'
import { CHECK_FLAGS, CHECK_HELP, MIN_SAVING } from './check-flags.ts'
import type { CheckFlag } from './check-flags.ts'
import { FORMATS, FORMAT_NAMES } from '../check/formats/index.ts'
import type { FormatName } from '../check/formats/index.ts'
import { findRepository } from '../git/repository.ts'
import type { Changes, Repository } from '../git/repository.ts'
import { checkImages } from '../check/run.ts'
import { compressCommand } from '../check/worth.ts'
import { shownPath } from '../compress/batch.ts'
import { orHere, splitPatterns } from '../compress/exclusions.ts'
import { resolveCompressSettings } from '../compress/settings.ts'
import { exitCodeOfSignal, openWorkers } from '../compress/workers.ts'
import { loadConfig } from '../base/config.ts'
import { EXIT, ownVersion } from '../base/exit.ts'
import type { Surroundings } from '../base/output.ts'
import { percentOf } from '../base/percent.ts'

/** `pixpress check`. @throws UsageError, PixpressError `INVALID_OPTION` */
export async function check(args: readonly string[], around: Surroundings): Promise<number> {
  const { cwd, env, stdout, stderr, signal } = around
  const { flags, positionals } = parseFlags(args, CHECK_FLAGS)
  if (flags['help'] === true) {
    stdout.write(CHECK_HELP)
    return EXIT.ok
  }
  const format = formatOf(flags)
  const minSaving = percentOf(textOf(flags, 'min-saving') ?? String(MIN_SAVING), 'min-saving')
  const { baseline, pages, files } = flags
  const loaded = await loadConfig(cwd, flags['config']?.toString())
  const settings = resolveCompressSettings(flags, loaded, around)
  const repository = await findRepository(cwd)
  const changes = await changesOf(flags, repository)
  const tell = (message: string): void => void stderr.write(`pixpress: ${visibleText(message)}\n`)
  const workers = openWorkers(settings, tell)
  try {
    const patterns = orHere(positionals, cwd)
    const result = await checkImages(patterns, around, {
      settings,
      workers,
      built: files === true ? NOTHING_BUILT : createBuiltImages(loaded.config, settings.flagged, settings.root),
      changes,
      baseline: baseline?.toString(),
      budgets: resolveBudgets(loaded.config.budgets),
      pages: pages === undefined ? undefined : path.resolve(cwd, pages.toString()),
      minSaving,
      options: new Set(Object.keys(loaded.config)),
      tellsBefore: format === 'json',
      isWhole: splitPatterns(positionals, cwd).taken.length === 0 && cwd === settings.root,
      tell,
    })
    if (result === undefined) return exitCodeOfSignal(signal)
    const { root } = settings
    const top = repository?.top ?? root
    const shown = FORMATS[format](result, {
      color: tableStyle(stdout, env).color,
      verbose: settings.verbose,
      repositoryPath: (source) => shownPath(top, path.resolve(root, source)),
      version: ownVersion(),
      compress: compressCommand(patterns, flags),
    })
    for (const { source, message } of result.failures) tell(`${source}: ${message}`)
    for (const text of inChunks(shown)) {
      stdout.write(text)
      // A stream lets go of what it has written once others have had their turn.
      await breath()
    }
    if (result.failures.length > 0) return EXIT.failed
    return result.findings.length > 0 ? EXIT.found : EXIT.ok
  } finally {
    // The threads of an aborted run would have to end their images first.
    if (!signal.aborted) await workers.optimizer.close()
  }
}

/** @throws UsageError for flags that exclude each other, and outside of a repository */
async function changesOf(
  { changed, staged }: FlagValues<Flags>,
  repository: Repository | undefined,
): Promise<Changes | undefined> {
  if (changed === undefined && staged !== true) return undefined
  if (changed !== undefined && staged === true) throw new UsageError('--changed and --staged exclude each other.')
  const flag = changed === undefined ? 'staged' : 'changed'
  if (repository === undefined) throw new UsageError(`--${flag} needs a Git repository, and there is none here.`)
  return changed === undefined ? repository.staged() : repository.changesSince(changed.toString())
}

/** Characters that are written at once. */
const CHUNK = 64 * 1024

/** Small pieces put together, as writing each would take longer than making it. */
function* inChunks(pieces: Iterable<string>): Iterable<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

const textOf = (flags: FlagValues<Flags>, name: CheckFlag): string | undefined => flags[name]?.toString()

/** @throws UsageError for two formats, PixpressError `INVALID_OPTION` for an unknown one */
function formatOf(flags: FlagValues<Flags>): FormatName {
  const isJson = flags['json'] === true
  const format = oneOf(FORMAT_NAMES).parse(textOf(flags, 'format') ?? (isJson ? 'json' : 'text'), '--format')
  if (!isJson || format === 'json') return format
  throw new UsageError(
    `--json is short for '--format json', and '--format ${format}' was given: leave one of them out.`,
  )
}
