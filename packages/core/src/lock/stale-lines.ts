import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sha256 } from '../base/sha256.ts'
import { isUrl, lineId, renderLine } from './lines.ts'
import type { LockLine } from './lines.ts'
import { slotOf } from './locked-operations.ts'

/** The lines that a build has noted: those that hold, and those to be written, by their ids. */
interface Noted {
  readonly seen: ReadonlySet<LockLine>
  readonly made: ReadonlyMap<string, LockLine>
  /** Tells whether another line of the same source is removed. */
  readonly drops: (line: LockLine) => boolean
}

/**
 * Makes the test of lines that no longer hold.
 * @param before what the file said when the build began: a line that another build has written since is left to it
 */
export function isStale(
  { seen, made, drops }: Noted,
  before: readonly LockLine[],
  folder: string,
): (line: LockLine) => boolean {
  const noted = [...seen, ...made.values()]
  const held = new Set(noted.map(lineId))
  const texts = new Set(noted.map(renderLine))
  const known = new Set(before.filter((line) => held.has(lineId(line))).map(renderLine))
  const sources = new Set(noted.map(({ source }) => source))
  const contents = new Set(noted.map(contentOf))
  const pictures = new Set(noted.map(pictureOf))
  const digests = new Map(noted.map((line) => [line.key, line.sha256]))
  const exists = new Map<string, boolean>()
  return (line) => {
    const { source, key } = line
    if (held.has(lineId(line))) return !texts.has(renderLine(line)) && known.has(renderLine(line))
    // A key is made of source and operations: with others, it is not this line's.
    if (sources.has(source))
      return !contents.has(contentOf(line)) || pictures.has(pictureOf(line)) || digests.has(key) || drops(line)
    // Nobody knows whether a remote image is still used, but the build that asked for it.
    if (isUrl(source)) return drops(line)
    const isThere = exists.get(source) ?? existsSync(path.resolve(folder, source))
    exists.set(source, isThere)
    return !isThere || (digests.has(key) && !isCopy(path.resolve(folder, source), digests.get(key)!))
  }
}

/** Tells whether a file has these bytes: the same picture may lie in several places. */
function isCopy(file: string, digest: string): boolean {
  try {
    return sha256(readFileSync(file)) === digest
  } catch {
    return false
  }
}

const contentOf = ({ source, sha256: digest }: LockLine): string => `${source}\0${digest}`

const pictureOf = ({ source, operations }: LockLine): string => `${source}\0${slotOf(operations)}`

/** Tells whether two lines are for the same result. */
export const hasDoubles = (lines: readonly LockLine[]): boolean => new Set(lines.map(lineId)).size < lines.length
