import { readFile } from 'node:fs/promises'
import { sha256 } from '../base/sha256.ts'
import { replaceFile } from '../files/replace-file.ts'
import { lineId } from './lines.ts'
import type { LockLine } from './lines.ts'

/** Its name in the folder of the cache, which stays on the machine. */
export const ASKED_NAME = 'asked-lines.json'

/** Identities of the lines that each build of a project has asked for last, by the build's name. */
type Asked = Readonly<Record<string, readonly string[]>>

/**
 * Notes which lines a build has asked for, and tells which of those that it asked for before no build asks for any
 * more: a width that a page has dropped, say. Other builds of the project, and those of other machines, have their own
 * say: what is not known to be this build's alone stays.
 * @param file absolute; what cannot be read or written is as if it were not there
 * @param build equal for builds that ask for the same images as long as nothing changes
 * @param asked every line that it has asked for now
 */
export async function noteAsked(
  file: string,
  build: string,
  asked: readonly LockLine[],
): Promise<(line: LockLine) => boolean> {
  if (asked.length === 0) return () => false
  const { [build]: former = [], ...others } = await readAsked(file)
  const present = asked.map(identityOf).sort()
  const needed = new Set([...present, ...Object.values(others).flat()])
  const dropped = new Set(former.filter((id) => !needed.has(id)))
  if (JSON.stringify(former) !== JSON.stringify(present)) {
    await replaceFile(file, JSON.stringify({ ...others, [build]: present })).catch(() => undefined)
  }
  return (line) => dropped.has(identityOf(line))
}

async function readAsked(file: string): Promise<Asked> {
  try {
    const asked = JSON.parse(await readFile(file, 'utf8')) as Asked
    return Object.values(asked).every((ids) => Array.isArray(ids)) ? asked : {}
  } catch {
    return {}
  }
}

/** Returns 16 hexadecimal digits that stand for a line. */
const identityOf = (line: LockLine): string => sha256(Buffer.from(`${lineId(line)}\0${line.sha256}`)).slice(0, 16)
