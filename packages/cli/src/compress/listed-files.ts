import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { UsageError } from '@pixpress/core/internal'
import { whyUnreadable } from '../base/why-unreadable.ts'
import type { Surroundings } from '../base/output.ts'

/**
 * The names that a file or standard input (`-`) lists: one a line, or with NUL between them as `find -print0` and
 * `git diff -z` write them.
 * @throws UsageError when the file cannot be read
 */
export async function readListedFiles(source: string, { cwd, stdin }: Surroundings): Promise<string[]> {
  const bytes =
    source === '-'
      ? await buffer(stdin)
      : await readFile(path.resolve(cwd, source)).catch((error: unknown) => {
          throw new UsageError(`${whyUnreadable(error, source)} '--files-from' names a list of files.`)
        })
  const text = bytes.toString('utf8')
  const names = text.includes('\0') ? text.split('\0') : text.split(/\r?\n/)
  return names.filter((name) => name !== '')
}
