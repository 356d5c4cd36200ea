import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sha256 } from '../base/sha256.ts'
import { lineId } from './lines.ts'
import type { LockLine } from './lines.ts'

/**
 * Merges lines that a build has made into those that stay, of which there is one for each id then.
 * @param made by id
 * @param folder absolute: the one that lines name their sources in
 */
export async function mergeLines(
  staying: readonly LockLine[],
  made: ReadonlyMap<string, LockLine>,
  folder: string,
): Promise<LockLine[]> {
  const merged = new Map<string, LockLine>()
  for (const group of grouped(staying, lineId).values()) {
    const line = group.length > 1 ? await betterOf(group, folder) : group[0]!
    merged.set(lineId(line), line)
  }
  for (const [id, line] of made) merged.set(id, line)
  return [...merged.values()]
}

/** Returns lines by a member of theirs, in their order. */
export function grouped(lines: readonly LockLine[], by: (line: LockLine) => string): Map<string, LockLine[]> {
  const groups = new Map<string, LockLine[]>()
  for (const line of lines) {
    const group = groups.get(by(line))
    if (group === undefined) groups.set(by(line), [line])
    else group.push(line)
  }
  return groups
}

/**
 * Chooses among several lines for one result, none of which the build has seen: one of the source as it is now, of the
 * newest engine.
 */
async function betterOf(lines: readonly LockLine[], folder: string): Promise<LockLine> {
  const source = await readFile(path.resolve(folder, lines[0]!.source)).catch(() => undefined)
  const digest = source && sha256(source)
  const right = lines.filter((line) => line.sha256 === digest)
  return (right.length > 0 ? right : lines).reduce((best, line) => (engineOf(line) > engineOf(best) ? line : best))
}

const engineOf = ({ engine }: LockLine): number => (engine === 'service' ? 0 : engine)
