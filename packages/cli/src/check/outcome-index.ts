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
   */
  note(key: string, outcome: Outcome, earlier: string): void
  /** Writes what was noted, if there is anything. What cannot be written is found out again by the next run. */
  write(): Promise<void>
}

export interface OutcomeIndexSettings {
  /** Absolute folder of the cache, which need not be there. */
  readonly dir: string
  /** Whether the folder may be written to. */
  readonly isWritable: boolean
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
 * The file: a line with the digest of the rest, a line with the stamps of the cache's folder, then a line per outcome:
 *
 *   <key> <1: nothing is left to do> <bytes> <type> <score, or -> <first two digits of the key of an earlier run's note>
 *
 * That nothing is left to do with an image stays true whatever else the cache learns. That something is left does not: once the
 * cache learns that the image is itself a result, there is nothing left. Such a line counts only as long as the entries that
 * would say so cannot have changed, which the stamps tell.
 */
export async function openOutcomeIndex({ dir, isWritable, hasRemote }: OutcomeIndexSettings): Promise<OutcomeIndex> {
  const file = path.join(dir, INDEX_NAME)
  // Taken before the first entry is read, so that what changes meanwhile is noticed by the next run.
  const stamps = hasRemote ? new Map<string, string>() : cacheFolderStamps(dir)
  const { lines, stamps: former } = parseIndex(await readFile(file).catch(() => undefined))
  const met = new Map<string, string>()
  let isChanged = false

  function holds(key: string, rest: string): boolean {
    return isDone(rest) || (isSame(bucketOf(key)) && isSame(rest.slice(-2)))
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
    note(key, { isDone: done, bytes, type, score }, earlier) {
      const rest = ` ${done ? 1 : 0} ${bytes} ${type} ${score ?? '-'} ${bucketOf(earlier)}`
      if (!done && !(stamps.has(bucketOf(key)) && stamps.has(bucketOf(earlier)))) return
      met.set(key, rest)
      isChanged = true
    },
    async write() {
      if (!isChanged || !isWritable) return
      const beside = [...lines].filter(([key, rest]) => !met.has(key) && holds(key, rest)).slice(-KEPT_BESIDE)
      const rows = [...beside, ...met].map(([key, rest]) => `${key}${rest}`)
      const body = Buffer.from([JSON.stringify([...stamps]), ...rows, ''].join('\n'))
      await replaceFile(file, Buffer.concat([Buffer.from(`${sha256(body)}\n`), body])).catch(() => undefined)
    },
  }
}

/** Lines by key, as text: most runs need each once, and many of them take little memory so. Nothing of a damaged file is used. */
function parseIndex(bytes: Buffer | undefined): { lines: ReadonlyMap<string, string>; stamps: Stamps } {
  const nothing = { lines: new Map<string, string>(), stamps: new Map<string, string>() }
  const body = bytes?.subarray(KEY_LENGTH + 1)
  if (bytes === undefined || body === undefined || bytes.toString('latin1', 0, KEY_LENGTH) !== sha256(body)) {
    return nothing
  }
  const [first = '', ...rows] = body.toString('latin1').split('\n')
  const lines = new Map(rows.map((row) => [row.slice(0, KEY_LENGTH), row.slice(KEY_LENGTH)]))
  return { lines, stamps: stampsOf(first) }
}

function stampsOf(json: string): Stamps {
  try {
    return new Map(JSON.parse(json) as [string, string][])
  } catch {
    // Written by something else, digest and all: without stamps, the entries are asked.
    return new Map()
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
  const done = isDone(rest)
  if (type === undefined || !Number.isSafeInteger(bytes) || scoreEnd !== rest.length - 3) return undefined
  if (!done && !rest.startsWith(' 0 ')) return undefined
  if (rest.startsWith('- ', typeEnd + 1)) return { bytes, type, inputType: type, isDone: done }
  const score = Number(rest.slice(typeEnd + 1, scoreEnd))
  return Number.isFinite(score) ? { bytes, type, inputType: type, score, isDone: done } : undefined
}

/** Where the bytes stand in a line without its key. */
const BYTES_AT = 3

const TYPES: ReadonlyMap<string, InputType> = new Map(INPUT_TYPES.map((type) => [type, type]))

const isDone = (rest: string): boolean => rest.startsWith(' 1 ')

const bucketOf = (key: string): string => key.slice(0, 2)
