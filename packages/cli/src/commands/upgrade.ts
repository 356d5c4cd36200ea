import path from 'node:path'
import { ENGINE_REVISION, describeFlags, lockFile, parseFlags } from '@pixpress/core/internal'
import type { Flags } from '@pixpress/core/internal'
import { formatBytes, formatChange, visibleText } from '@pixpress/core/report'
import { COMPRESS_FLAGS } from '../compress/flags.ts'
import { resolveSettings } from '../compress/settings.ts'
import { exitCodeOfSignal, openWorkers } from '../compress/workers.ts'
import { loadConfig } from '../config.ts'
import { EXIT, UsageError } from '../exit.ts'
import type { Surroundings } from '../output.ts'
import { renewLines } from '../renew/renew-lines.ts'
import type { Renewed } from '../renew/renew-lines.ts'

export const UPGRADE_FLAGS: Flags = {
  'dry-run': { short: 'n', description: 'counts the results that are due, and changes nothing' },
  json: { description: 'the counts as JSON' },
  concurrency: COMPRESS_FLAGS['concurrency']!,
  'cache-dir': COMPRESS_FLAGS['cache-dir']!,
  config: COMPRESS_FLAGS['config']!,
  help: COMPRESS_FLAGS['help']!,
}

const HELP = `Makes the results of pixpress.lock that an older engine made anew, with this one. Makes the file where there is none.

  pixpress upgrade [options]

${describeFlags(UPGRADE_FLAGS)}

Exit codes: 0 all good, 1 some images failed, 2 wrong usage.
`

/** `pixpress upgrade`. @throws UsageError, PixpressError `INVALID_OPTION` or `LOCK_INVALID` */
export async function upgrade(args: readonly string[], around: Surroundings): Promise<number> {
  const { cwd, stdout, stderr, signal } = around
  const { flags, positionals } = parseFlags(args, UPGRADE_FLAGS)
  if (flags['help'] === true) {
    stdout.write(HELP)
    return EXIT.ok
  }
  if (positionals.length > 0) throw new UsageError('It takes no files: every line of the lock is looked at.')
  const { 'dry-run': isDry, json, ...shared } = flags
  const loaded = await loadConfig(cwd, flags['config']?.toString())
  if (loaded.config.lock === false)
    throw new UsageError("There is no lock to upgrade: the configuration has 'lock: false'.")
  const settings = resolveSettings(shared, loaded, around)
  const file = settings.lock ?? lockFile(true, settings.root)!
  const tell = (message: string): void => void stderr.write(`pixpress: ${visibleText(message)}\n`)
  const { optimizer, openLock } = openWorkers({ ...settings, lock: file }, tell)
  const dryRun = isDry === true
  try {
    const lock = (await openLock())!
    const renewed = await renewLines(
      lock.lines,
      {
        lock,
        optimizer,
        concurrency: settings.concurrency,
        dryRun,
        isDue: (line, { key }) => line.engine !== 'service' && line.engine <= ENGINE_REVISION && line.key !== key,
      },
      around,
    )
    if (!dryRun) await lock.write()
    if (renewed === undefined) return exitCodeOfSignal(signal)
    for (const { source, message } of renewed.failures) tell(`${source}: ${message}`)
    const { failures, ...counts } = renewed
    stdout.write(json === true ? `${JSON.stringify(renewed)}\n` : `${path.basename(file)}: ${said(counts, dryRun)}\n`)
    return failures.length > 0 ? EXIT.failed : EXIT.ok
  } finally {
    // The threads of an aborted run would have to end their images first.
    if (!signal.aborted) await optimizer.close()
  }
}

function said({ made, before, after, held, outdated }: Omit<Renewed, 'failures'>, dryRun: boolean): string {
  if (made + held + outdated === 0) return 'nothing in it yet, the next build fills it.'
  const old = outdated === 0 ? '' : ` ${counted(outdated)} of images that have changed: the next build makes them.`
  if (made === 0) return `${counted(held)}, none of an older engine.${old}`
  if (dryRun) return `${made} of ${counted(made + held)} of an older engine.${old}`
  return `${made} of ${counted(made + held)} made anew: ${formatBytes(before)} → ${formatBytes(after)} (${formatChange(before, after)}).${old}`
}

const counted = (count: number): string => `${count} ${count === 1 ? 'result' : 'results'}`
