import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { cacheFolderStamps, replaceFile, sha256 } from '@pixpress/core/internal'
import type { LockLine } from '@pixpress/core/internal'
import type { Why } from '@pixpress/core/report'
import type { Outcome } from './images.ts'
import { KEY_LENGTH, createLineTable } from './line-table.ts'
import type { LineTable } from './line-table.ts'
import {
  bucketOfLine,
  convertedLine,
  isLastingLine,
  isLockedLine,
  knowsMore,
  lockedLine,
  indexLineOf,
  parseConverted,
  parseLocked,
  parseOutcome,
} from './outcome-lines.ts'
import type { ConvertedOutcome } from './outcome-lines.ts'

/**
 * Outcomes of earlier runs by the keys of the work, so that no entry of the cache has to be opened for each image. A
 * key is made of the source's bytes, the operations and the engine's versions.
 */
export interface OutcomeIndex {
  /**
   * Returns the outcome that the cache's entries would give; `undefined` if they have to be asked, or if the result is
   * of another type.
   */
  find(key: string): Outcome | undefined
  /** The same of a result of another type, of which the file that it belongs into decides whether it is done. */
  findConverted(key: string): ConvertedOutcome | undefined
  /**
   * @param outcome of a result in its source's own type
   * @param earlier the key under which the cache would say that the source is a lossy result itself
   * @param isLasting whether there is nothing left to do whatever the cache knows of earlier runs
   */
  note(key: string, outcome: Outcome, earlier: string, isLasting: boolean): void
  noteConverted(key: string, converted: ConvertedOutcome, earlier: string): void
  /**
   * Returns a value if the cache's entry of a lock's line is known to hold the result that the line says, else
   * `undefined`.
   */
  findLocked(line: LockLine): { readonly why?: Why } | undefined
  /** @param why as the entry has it */
  noteAsLocked(line: LockLine, why: Why | undefined): void
  /** Writes the noted outcomes, if there are any. The next run finds out again what cannot be written. */
  write(): Promise<void>
}

/** Settings of the index. */
export interface OutcomeIndexSettings {
  /** Absolute folder of the cache, which need not be there. */
  readonly dir: string
  /** True if the folder may be written to. */
  readonly isWritable: boolean
  /** Equal for runs that refuse the same images. */
  readonly limits: string
  /** True if entries may come from elsewhere as well, so that the folder does not tell whether they changed. */
  readonly hasRemote: boolean
}

/** The file, beside the folder of the entries. */
export const INDEX_NAME = 'check-index-2'

/** Outcomes of images that a run has not met are kept up to this many: of other folders, branches and options. */
const KEPT_BESIDE = 200_000

type Stamps = ReadonlyMap<string, string>

/**
 * Opens the index. Its file has a line with the digest of the rest, a line with the limits and the stamps of the
 * cache's folder, and a line per outcome: its key, and the text of outcome-lines.ts. Most lines depend on the entries
 * of earlier runs, so they count only while the stamps show that these entries cannot have changed.
 */
export async function openOutcomeIndex({
  dir,
  isWritable,
  hasRemote,
  limits,
}: OutcomeIndexSettings): Promise<OutcomeIndex> {
  const file = path.join(dir, INDEX_NAME)
  // Taken before the first entry is read, so that what changes meanwhile is noticed by the next run.
  const stamps = hasRemote ? new Map<string, string>() : cacheFolderStamps(dir)
  const { lines, stamps: former } = parseIndex(await readFile(file).catch(() => undefined), limits)
  const isMet = new Uint8Array(lines.length)
  const noted = new Map<string, string>()

  function holds(key: string, line: string): boolean {
    if (isLastingLine(line)) return true
    return isSame(bucketOfLine(line)) && (isLockedLine(line) || isSame(bucketOf(key)))
  }

  function isSame(bucket: string): boolean {
    const stamp = stamps.get(bucket)
    return stamp !== undefined && stamp === former.get(bucket)
  }

  function found<Parsed>(key: string, parse: (line: string) => Parsed | undefined): Parsed | undefined {
    const at = lines.find(key)
    if (at === undefined) return undefined
    const line = lines.restOf(at)
    const parsed = holds(key, line) ? parse(line) : undefined
    if (parsed !== undefined) isMet[at] = 1
    return parsed
  }

  /** @param buckets first digits of the keys that it depends on */
  function add(key: string, line: string, ...buckets: string[]): void {
    if (buckets.every((bucket) => stamps.has(bucket))) noted.set(key, line)
  }

  function rows(): Uint8Array[] {
    const [beside, met]: [number[], number[]] = [[], []]
    for (let at = 0; at < lines.length; at++) {
      const key = lines.keyOf(at)
      // The last of several lines with a key is the one that was found.
      if (noted.has(key) || lines.find(key) !== at) continue
      if (isMet[at] === 1) met.push(at)
      else if (holds(key, lines.restOf(at))) beside.push(at)
    }
    return [
      ...[...beside.slice(-KEPT_BESIDE), ...met].map((at) => lines.bytesOf(at)),
      ...[...noted].map(([key, line]) => Buffer.from(`${key}${line}\n`)),
    ]
  }

  return {
    find: (key) => found(key, parseOutcome),
    findConverted: (key) => found(key, parseConverted),
    note(key, outcome, earlier, isLasting) {
      const line = indexLineOf(outcome, bucketOf(earlier), isLasting)
      add(key, line, ...(isLasting ? [] : [bucketOf(key), bucketOf(earlier)]))
    },
    noteConverted(key, converted, earlier) {
      const line = convertedLine(converted, bucketOf(earlier))
      const before = noted.get(key)
      if (before === undefined || !knowsMore(before, line)) add(key, line, bucketOf(key), bucketOf(earlier))
    },
    findLocked: (line) => found(lockedKey(line), parseLocked),
    noteAsLocked: (line, why) => add(lockedKey(line), lockedLine(why, bucketOf(line.key)), bucketOf(line.key)),
    async write() {
      if (noted.size === 0 || !isWritable) return
      const body = Buffer.concat([Buffer.from(`${JSON.stringify([limits, ...stamps])}\n`), ...rows()])
      await replaceFile(file, Buffer.concat([Buffer.from(`${sha256(body)}\n`), body])).catch(() => undefined)
    },
  }
}

/**
 * Returns a key of what was compared: the entry under a key, of a source with these bytes, with this result of so many
 * bytes.
 */
const lockedKey = ({ key, sha256: source, result, bytes }: LockLine): string =>
  sha256(Buffer.from(`locked ${key} ${source} ${result} ${bytes}`))

/** Lines as they stand in the file: many of them take little memory so. Nothing of a damaged file is used. */
function parseIndex(bytes: Buffer | undefined, limits: string): { lines: LineTable; stamps: Stamps } {
  const body = bytes?.subarray(KEY_LENGTH + 1)
  if (bytes !== undefined && body !== undefined && bytes.toString('latin1', 0, KEY_LENGTH) === sha256(body)) {
    const firstEnd = body.indexOf('\n')
    const stamps = stampsOf(body.toString('latin1', 0, Math.max(firstEnd, 0)), limits)
    if (stamps !== undefined) return { lines: createLineTable(body, firstEnd + 1), stamps }
  }
  return { lines: createLineTable(Buffer.alloc(0), 0), stamps: new Map() }
}

function stampsOf(json: string, limits: string): Stamps | undefined {
  try {
    const [of, ...stamps] = JSON.parse(json) as [string, ...[string, string][]]
    return of === limits ? new Map(stamps) : undefined
  } catch {
    // Written by something else, digest and all.
    return undefined
  }
}

const bucketOf = (key: string): string => key.slice(0, 2)
