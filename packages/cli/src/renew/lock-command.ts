import path from 'node:path'
import type { Plan } from '@pixpress/core'
import { lockFile, parseFlags, UsageError } from '@pixpress/core/internal'
import type { Flags, FlagValues, LockLine } from '@pixpress/core/internal'
import { visibleText } from '@pixpress/core/report'
import { COMPRESS_FLAGS } from '../compress/flags.ts'
import { resolveCompressSettings } from '../compress/settings.ts'
import { exitCodeOfSignal, openWorkers } from '../compress/workers.ts'
import { loadConfig } from '../base/config.ts'
import { EXIT } from '../base/exit.ts'
import { amountOf, endingOf } from '../base/output.ts'
import type { Surroundings } from '../base/output.ts'
import { renewLines } from './renew-lines.ts'
import type { Renewed } from './renew-lines.ts'

/** The flags of every command that makes results of the lock anew. */
export const LOCK_FLAGS: Flags = {
  'dry-run': { short: 'n', description: 'counts the results that are due, and changes nothing' },
  json: { description: 'the counts as JSON' },
  concurrency: COMPRESS_FLAGS['concurrency']!,
  'cache-dir': COMPRESS_FLAGS['cache-dir']!,
  config: COMPRESS_FLAGS['config']!,
  help: COMPRESS_FLAGS['help']!,
}

/** The parts in which such commands differ. */
export interface LockCommand {
  readonly flags: Flags
  readonly help: string
  /** Lines in the order in which they are made anew. Default: that of the lock. */
  readonly order?: (lines: readonly LockLine[]) => readonly LockLine[]
  readonly isDue: (line: LockLine, plan: Plan) => boolean
  /** Milliseconds after which nothing more is begun. @throws PixpressError `INVALID_OPTION` */
  readonly budget?: (flags: FlagValues<Flags>) => number | undefined
  /** Returns a sentence about what was done. */
  readonly said: (counts: Renewed, dryRun: boolean) => string
}

/** Runs it. @throws UsageError, PixpressError `INVALID_OPTION` or `LOCK_INVALID` */
export async function runLockCommand(
  { flags: known, help, order = (lines) => lines, isDue, budget, said }: LockCommand,
  args: readonly string[],
  around: Surroundings,
): Promise<number> {
  const { cwd, stdout, stderr, signal } = around
  const { flags, positionals } = parseFlags(args, known)
  if (flags['help'] === true) {
    stdout.write(help)
    return EXIT.ok
  }
  if (positionals.length > 0) throw new UsageError('It takes no files: every line of the lock is looked at.')
  const { concurrency, 'cache-dir': cacheDir } = flags
  const loaded = await loadConfig(cwd, flags['config']?.toString())
  if (loaded.config.lock === false) throw new UsageError("There is no lock: the configuration has 'lock: false'.")
  const settings = resolveCompressSettings({ concurrency, 'cache-dir': cacheDir }, loaded, around)
  const file = settings.lock ?? lockFile({ lock: true }, settings.root)!
  const tell = (message: string): void => void stderr.write(`pixpress: ${visibleText(message)}\n`)
  const { optimizer, openLock } = openWorkers({ ...settings, lock: file }, tell)
  const dryRun = flags['dry-run'] === true
  const task = { optimizer, concurrency: settings.concurrency, dryRun, isDue, budget: budget?.(flags) }
  try {
    const lock = (await openLock())!
    const renewed = await renewLines(order(lock.lines), { ...task, lock }, around)
    if (!dryRun) await lock.write()
    if (renewed === undefined) return exitCodeOfSignal(signal)
    for (const { source, message } of renewed.failures) tell(`${source}: ${message}`)
    const text = `${path.basename(file)}: ${said(renewed, dryRun)}`
    stdout.write(flags['json'] === true ? `${JSON.stringify(renewed)}\n` : endingOf(text))
    return renewed.failures.length > 0 ? EXIT.failed : EXIT.ok
  } finally {
    // The threads of an aborted run would have to end their images first.
    if (!signal.aborted) await optimizer.close()
  }
}

/** Returns a sentence about results that are left to the next build; nothing if there are none. */
export const outdatedSaid = ({ outdated }: Renewed): string =>
  outdated === 0 ? '' : ` ${amountOf(outdated, 'result')} of images that have changed: the next build makes them.`
