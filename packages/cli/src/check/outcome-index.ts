import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { INPUT_TYPES, cacheFolderStamps, replaceFile, sha256 } from '@pixpress/core/internal'
import type { InputType } from '@pixpress/core'
import type { Outcome } from './images.ts'

/**
 * What compressing images gave, by the keys of the work: earlier runs' answers, without opening an entry of the cache for each.
 * A key is made of the source's bytes, the operations and the engine's versions.
 */
export interface OutcomeIndex {
  /** The outcome that the cache's entries would give; `undefined` where they have to be asked. */
  find(key: string): Outcome | undefined
  /**
   * @param outcome of a result in its source's own type
   * @param earlier the key under which the cache would say that the source is a lossy result itself
   * @param isLasting whether there is nothing left to do whatever the cache knows of earlier runs
   */
  note(key: string, outcome: Outcome, earlier: string, isLasting: boolean): void
  /** Writes what was noted, if there is anything. What cannot be written is found out again by the next run. */
  write(): Promise<void>
}

export interface OutcomeIndexSettings {
  /** Absolute folder of the cache, which need not be there. */
  readonly dir: string
  /** Whether the folder may be written to. */
  readonly isWritable: boolean
  /** Equal for runs that refuse the same images. */
  readonly limits: string
  /** Whether entries may come from elsewhere as well, so that the folder does not tell whether they changed. */
  readonly hasRemote: boolean
}

/** The file, beside the folder of the entries. */
export const INDEX_NAME = 'check-index-1'

/** Outcomes of images that a run has not met are kept up to this many: of other folders, branches and options. */
const KEPT_BESIDE = 200_000

const KEY_LENGTH = 64

type Stamps = ReadonlyMap<string, string>

/*
 * The file: a line with the digest of the rest, a line with the limits and the stamps of the cache's folder, then a line per outcome:
 *
 *   <key> <state> <bytes> <type> <score, or -> <first two digits of the key of an earlier run's note>
 *
 * State 2 stays true: the engine itself finds nothing left to do. Whether something is left (0), or nothing because the image is a
 * result of an earlier run (1), depends on what the cache knows of earlier runs, and it learns and forgets. Such a line counts only as
 * long as the entries that say so cannot have changed, which the stamps tell.
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
  const met = new Map<string, string>()
  let isChanged = false

  function holds(key: string, rest: string): boolean {
    return isLastingLine(rest) || (isSame(bucketOf(key)) && isSame(rest.slice(-2)))
  }

  function isSame(bucket: string): boolean {
    const stamp = stamps.get(bucket)
    return stamp !== undefined && stamp === former.get(bucket)
  }

  return {
    find(key) {
      const rest = lines.get(key)
      if (rest === undefined || !holds(key, rest)) return undefined
      const outcome = outcomeOf(rest)
      if (outcome !== undefined) met.set(key, rest)
      return outcome
    },
    note(key, { isDone: done, bytes, type, score }, earlier, isLasting) {
      const rest = ` ${isLasting ? 2 : done ? 1 : 0} ${bytes} ${type} ${score ?? '-'} ${bucketOf(earlier)}`
      if (!isLasting && !(stamps.has(bucketOf(key)) && stamps.has(bucketOf(earlier)))) return
      met.set(key, rest)
      isChanged = true
    },
    async write() {
      if (!isChanged || !isWritable) return
      const beside = [...lines].filter(([key, rest]) => !met.has(key) && holds(key, rest)).slice(-KEPT_BESIDE)
      const rows = [...beside, ...met].map(([key, rest]) => `${key}${rest}`)
      const body = Buffer.from([JSON.stringify([limits, ...stamps]), ...rows, ''].join('\n'))
      await replaceFile(file, Buffer.concat([Buffer.from(`${sha256(body)}\n`), body])).catch(() => undefined)
    },
  }
}

/** Lines by key, as text: most runs need each once, and many of them take little memory so. Nothing of a damaged file is used. */
function parseIndex(bytes: Buffer | undefined, limits: string): { lines: ReadonlyMap<string, string>; stamps: Stamps } {
  const nothing = { lines: new Map<string, string>(), stamps: new Map<string, string>() }
  const body = bytes?.subarray(KEY_LENGTH + 1)
  if (bytes === undefined || body === undefined || bytes.toString('latin1', 0, KEY_LENGTH) !== sha256(body)) {
    return nothing
  }
  const [first = '', ...rows] = body.toString('latin1').split('\n')
  const stamps = stampsOf(first, limits)
  if (stamps === undefined) return nothing
  return { lines: new Map(rows.map((row) => [row.slice(0, KEY_LENGTH), row.slice(KEY_LENGTH)])), stamps }
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

/** @param rest a line without its key. @returns `undefined` for what is no outcome */
function outcomeOf(rest: string): Outcome | undefined {
  // Cut by hand, as this is done for every image: splitting took longer than hashing it.
  const bytesEnd = rest.indexOf(' ', BYTES_AT)
  const typeEnd = rest.indexOf(' ', bytesEnd + 1)
  const scoreEnd = rest.indexOf(' ', typeEnd + 1)
  const bytes = Number(rest.slice(BYTES_AT, bytesEnd))
  const type = TYPES.get(rest.slice(bytesEnd + 1, typeEnd))
  const done = !rest.startsWith(' 0 ')
  if (type === undefined || !Number.isSafeInteger(bytes) || scoreEnd !== rest.length - 3) return undefined
  if (!STATES.includes(rest.slice(0, BYTES_AT))) return undefined
  if (rest.startsWith('- ', typeEnd + 1)) return { bytes, type, inputType: type, isDone: done }
  const score = Number(rest.slice(typeEnd + 1, scoreEnd))
  return Number.isFinite(score) ? { bytes, type, inputType: type, score, isDone: done } : undefined
}

/** Where the bytes stand in a line without its key. */
const BYTES_AT = 3

const TYPES: ReadonlyMap<string, InputType> = new Map(INPUT_TYPES.map((type) => [type, type]))

const STATES = [' 0 ', ' 1 ', ' 2 ']

const isLastingLine = (rest: string): boolean => rest.startsWith(' 2 ')

const bucketOf = (key: string): string => key.slice(0, 2)
