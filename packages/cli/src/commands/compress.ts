import { buffer } from 'node:stream/consumers'
import { parseFlags, UsageError } from '@pixpress/core/internal'
import type { FlagValues, Flags } from '@pixpress/core/internal'
import type { Operations, Optimizer } from '@pixpress/core'
import { visibleText } from '@pixpress/core/report'
import { loadConfig } from '../base/config.ts'
import { EXIT } from '../base/exit.ts'
import type { Surroundings } from '../base/output.ts'
import { compressFiles } from '../compress/compress-files.ts'
import { orHere, splitPatterns } from '../compress/exclusions.ts'
import { COMPRESS_FLAGS } from '../compress/flags.ts'
import { COMPRESS_HELP } from '../compress/help.ts'
import { readListedFiles } from '../compress/listed-files.ts'
import { resolveCompressSettings } from '../compress/settings.ts'
import { openWorkers } from '../compress/workers.ts'
import { stagedFiles } from '../git/repository.ts'

/** Runs `pixpress compress`. @throws UsageError, PixpressError `INVALID_OPTION` */
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
  const settings = resolveCompressSettings(flags, await loadConfig(around.cwd, flags['config']?.toString()), around)
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
      return await compressFiles({ given, settings, workers, around, tell })
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

/**
 * Compresses standard input to standard output. Nothing is printed of a broken image.
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
