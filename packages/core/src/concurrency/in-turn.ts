import { createHash } from 'node:crypto'
import { mkdir, rmdir, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemErrorCode } from '../base/system-error.ts'

/** Milliseconds between two tries while another process has its turn. */
const PATIENCE = 10

/**
 * Milliseconds after which a turn counts as lost: its process was killed. The work of one turn takes a few of these.
 */
const LOST = 10_000

/**
 * Does the work while no other process of this machine does work of the same file in its turn: for reading, changing
 * and replacing a file that several builds write. A folder among the system's temporary files says whose turn it is.
 * @param file absolute path
 */
export async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const mark = path.join(os.tmpdir(), `pixpress-${createHash('sha256').update(file).digest('hex').slice(0, 32)}.turn`)
  const isOurs = await take(mark)
  try {
    return await work()
  } finally {
    if (isOurs) await rmdir(mark).catch(() => undefined)
  }
}

/**
 * Takes the turn, and returns `true` if there is a mark to remove. Nobody waits for a mark that cannot be made, nor for
 * longer than one can count as lost: a turn keeps builds from losing each other's lines, and must not keep them from
 * ending.
 */
async function take(mark: string): Promise<boolean> {
  for (let waited = 0; waited <= LOST; waited += PATIENCE) {
    try {
      await mkdir(mark)
      return true
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') return false
    }
    const since = await stat(mark).catch(() => undefined)
    if (since !== undefined && Math.abs(Date.now() - since.mtimeMs) > LOST) await rmdir(mark).catch(() => undefined)
    await sleep(PATIENCE)
  }
  return false
}
