import path from 'node:path'
import { describeFlags, parseFlags } from '@pixpress/core/internal'
import { compare, visibleText } from '@pixpress/core/report'
import { readRecords } from '../backup/records.ts'
import { restoreFile } from '../backup/restore-files.ts'
import type { RestoredFile } from '../backup/restore-files.ts'
import { shownPath } from '../compress/batch.ts'
import { EXIT, UsageError } from '../exit.ts'
import type { Surroundings } from '../output.ts'

export const RESTORE_FLAGS = {
  force: { description: 'replaces files that were changed since as well' },
  'dry-run': { short: 'n', description: 'shows what would be, and writes nothing' },
  json: { description: 'what became of each file as JSON' },
  help: { short: 'h', description: 'this text' },
} as const

const HELP = `Brings back the files that 'pixpress compress --backup DIR' replaced, byte for byte.

  pixpress restore DIR [files or folders…] [options]

Without files, all of them. A file that was changed after it had been compressed is left as it is, and the command ends with
code 1. The backup stays.

${describeFlags(RESTORE_FLAGS)}
`

/** `pixpress restore DIR [files…]`. @throws UsageError for a folder without a backup, or a file that is not in it */
export async function restore(args: readonly string[], { cwd, stdout, stderr }: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, RESTORE_FLAGS)
  if (flags.help) {
    stdout.write(HELP)
    return EXIT.ok
  }
  const [named, ...wanted] = positionals
  if (named === undefined) throw new UsageError("Expected the backup's folder: pixpress restore DIR.")
  const folder = path.resolve(cwd, named)
  const records = await readRecords(folder)
  if (records === undefined) throw new UsageError(`'${named}' holds no backup of pixpress.`)
  const all = [...records.values()].sort((a, b) => compare(a.file, b.file))
  for (const each of wanted) {
    const place = path.resolve(cwd, each)
    if (!all.some(({ file }) => isWithin(place, file))) throw new UsageError(`The backup has nothing of '${each}'.`)
  }
  const chosen = all.filter(
    ({ file }) => wanted.length === 0 || wanted.some((each) => isWithin(path.resolve(cwd, each), file)),
  )
  const dryRun = flags['dry-run'] === true
  const files: RestoredFile[] = []
  // One after the other: a backup of large images is not read into memory as a whole.
  for (const record of chosen) files.push(await restoreFile(record, { folder, force: flags.force === true, dryRun }))
  const left = files.filter(({ message }) => message !== undefined)
  if (flags.json) {
    const shown = files.map(({ file, ...others }) => ({ file: shownPath(cwd, file), ...others }))
    stdout.write(`${JSON.stringify({ files: shown })}\n`)
  } else {
    for (const { file, message = '' } of left)
      stderr.write(`pixpress: ${visibleText(`${shownPath(cwd, file)} is left as it is: ${message}`)}.\n`)
    stdout.write(`${summary(files, dryRun)}\n`)
  }
  return left.length > 0 ? EXIT.failed : EXIT.ok
}

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
