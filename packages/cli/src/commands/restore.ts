import path from 'node:path'
import { describeFlags, parseFlags, UsageError } from '@pixpress/core/internal'
import { compare, visibleText } from '@pixpress/core/report'
import { originalsFolder } from '../backup/originals.ts'
import { readRecords } from '../backup/records.ts'
import type { BackupRecord } from '../backup/records.ts'
import { restoreFile } from '../backup/restore-files.ts'
import type { RestoredFile } from '../backup/restore-files.ts'
import { configuredCacheFolder } from '../base/cache-folder.ts'
import { shownPath } from '../compress/batch.ts'
import { createExclusion, splitGlobs, splitPatterns } from '../compress/exclusions.ts'
import { loadConfig } from '../base/config.ts'
import { EXIT } from '../base/exit.ts'
import { endingOf } from '../base/output.ts'
import type { Surroundings } from '../base/output.ts'

/** Flags of `pixpress restore`. */
export const RESTORE_FLAGS = {
  exclude: {
    value: 'GLOB',
    several: true,
    description:
      'leaves out what matches: files, folders, or names at any depth. May be given several times; `!GLOB` among the files means the same',
  },
  force: { description: 'replaces files that were changed since as well' },
  'cache-dir': { value: 'DIR', description: "the cache's folder, where `compress` was given one" },
  'dry-run': { short: 'n', description: 'shows what would be, and writes nothing' },
  json: { description: 'what became of each file as JSON' },
  config: {
    value: 'FILE',
    short: 'c',
    description: 'the configuration file (default: the nearest `pixpress.config.ts`)',
  },
  help: { short: 'h', description: 'this text' },
} as const

const HELP = `Brings back the files that 'pixpress compress' replaced in place, byte for byte.

  pixpress restore [files or folders…] [options]
  pixpress restore DIR [files or folders…] [options]

DIR is the folder of a --backup. Without one, what the cache keeps of the last weeks is taken. Without files, all that was
replaced below this folder, or by runs that were started in it. A file that was changed after it had been compressed is left as
it is, and the command ends with code 1. What is kept stays.

Examples:
  pixpress restore                    undoes what was done here
  pixpress restore src/hero.jpg       brings back one file
  pixpress restore --exclude src/hero.jpg  brings back all but one
  pixpress restore ../kept --dry-run  shows what a backup would bring back

${describeFlags(RESTORE_FLAGS)}
`

/** The files to bring back, and the backup that has them. */
interface Chosen {
  /** Absolute. */
  readonly folder: string
  readonly records: readonly BackupRecord[]
}

/** `pixpress restore [DIR] [files…]`. @throws UsageError for a folder without a backup, or a file that is not in it */
export async function restore(args: readonly string[], around: Surroundings): Promise<number> {
  const { cwd, stdout, stderr } = around
  const { flags, positionals } = parseFlags(args, RESTORE_FLAGS)
  if (flags.help) {
    stdout.write(HELP)
    return EXIT.ok
  }
  const { taken, left: without } = splitPatterns(positionals, cwd)
  const isLeftOut = createExclusion([...without, ...splitGlobs(flags.exclude ?? '')], cwd)
  const { folder, records } =
    (await ofBackup(taken, cwd)) ??
    (await ofCache(taken, flags['cache-dir'], await loadConfig(cwd, flags.config), around))
  const dryRun = flags['dry-run'] === true
  const files: RestoredFile[] = []
  // One after the other: a backup of large images is not read into memory as a whole.
  for (const record of records) {
    if (!isLeftOut(record.file)) files.push(await restoreFile(record, { folder, force: flags.force === true, dryRun }))
  }
  const left = files.filter(({ message }) => message !== undefined)
  if (flags.json) {
    const shown = files.map(({ file, ...others }) => ({ file: shownPath(cwd, file), ...others }))
    stdout.write(`${JSON.stringify({ files: shown })}\n`)
  } else {
    for (const { file, message = '' } of left)
      stderr.write(`pixpress: ${visibleText(`${shownPath(cwd, file)} is left as it is: ${message}`)}.\n`)
    stdout.write(endingOf(summary(files, dryRun)))
  }
  return left.length > 0 ? EXIT.failed : EXIT.ok
}

/** The records of the folder that is named first; `undefined` where it is no backup. */
async function ofBackup([named, ...wanted]: readonly string[], cwd: string): Promise<Chosen | undefined> {
  if (named === undefined) return undefined
  const folder = path.resolve(cwd, named)
  const records = await readRecords(folder)
  return records && { folder, records: wantedOf(records, wanted, cwd) }
}

async function ofCache(
  wanted: readonly string[],
  cacheDir: string | undefined,
  config: Awaited<ReturnType<typeof loadConfig>>,
  around: Surroundings,
): Promise<Chosen> {
  const { cwd } = around
  const folder = originalsFolder(
    cacheDir === undefined ? configuredCacheFolder(config, around) : path.resolve(cwd, cacheDir),
  )
  const kept = (await readRecords(folder)) ?? new Map<string, BackupRecord>()
  const [named] = wanted
  if (named !== undefined && kept.size === 0) {
    throw new UsageError(`'${named}' is no folder of a backup, and the cache keeps nothing of it.`)
  }
  if (named !== undefined) return { folder, records: wantedOf(kept, wanted, cwd) }
  // The cache of a person may keep what runs in other folders have replaced.
  const records = inOrder(kept).filter(({ file, from }) => isWithin(cwd, file) || from === cwd)
  if (records.length > 0) return { folder, records }
  throw new UsageError(
    'Nothing is kept of files here. Originals stay for 30 days after compress has replaced them; of a --backup, name the folder.',
  )
}

/** @throws UsageError for a name that nothing was replaced below */
function wantedOf(
  records: ReadonlyMap<string, BackupRecord>,
  wanted: readonly string[],
  cwd: string,
): readonly BackupRecord[] {
  const all = inOrder(records)
  for (const each of wanted) {
    const place = path.resolve(cwd, each)
    if (!all.some(({ file }) => isWithin(place, file))) throw new UsageError(`The backup has nothing of '${each}'.`)
  }
  return all.filter(({ file }) => wanted.length === 0 || wanted.some((each) => isWithin(path.resolve(cwd, each), file)))
}

const inOrder = (records: ReadonlyMap<string, BackupRecord>): readonly BackupRecord[] =>
  [...records.values()].sort((a, b) => compare(a.file, b.file))

const isWithin = (place: string, file: string): boolean => file === place || file.startsWith(place + path.sep)

function summary(files: readonly RestoredFile[], dryRun: boolean): string {
  const count = (state: RestoredFile['state']): number => files.filter((each) => each.state === state).length
  const [restored, unchanged] = [count('restored'), count('unchanged')]
  const parts = [
    `${restored} ${restored === 1 ? 'file' : 'files'} ${dryRun ? 'would be restored' : 'restored'}`,
    ...(unchanged > 0 ? [`${unchanged} had their original bytes already`] : []),
    ...(files.length > restored + unchanged ? [`${files.length - restored - unchanged} left`] : []),
  ]
  return parts.join(', ')
}
