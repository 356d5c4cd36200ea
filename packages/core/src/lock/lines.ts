import { PixpressError } from '../base/errors.ts'
import type { InputType } from '../base/types.ts'
import { INPUT_TYPES } from '../base/formats.ts'
import { compare } from '../report/json.ts'
import { LOCK_VERSION, isHeader, renderHeader } from './header.ts'
import type { LockedFormats } from './header.ts'

/** A line of `pixpress.lock`: the result of a source with some operations. */
export interface LockLine {
  /** Path of the source, relative to the folder of the lock, with forward slashes. */
  readonly source: string
  /** The resolved operations, without those that ask for nothing. */
  readonly operations: Readonly<Record<string, unknown>>
  /** The type of the result. */
  readonly type: InputType
  /** The bytes of the result. */
  readonly bytes: number
  /** SSIMULACRA2 score of the result, two decimals; absent where nothing was compared. */
  readonly score?: number
  /** Only these may be replaced by other bytes without an upgrade: a quick path made them. */
  readonly draft?: true
  /** The revision of the engine that made it; `service`: not made on this machine. */
  readonly engine: number | 'service'
  /** Digest of the source, 64 hexadecimal digits. */
  readonly sha256: string
  /** Digest of the result, 64 hexadecimal digits. */
  readonly result: string
  /** Under which the cache has the result, 64 hexadecimal digits. */
  readonly key: string
}

const DIGEST = /^[0-9a-f]{64}$/
const CONFLICT = /^(?:<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)/
const TYPES: ReadonlySet<unknown> = new Set(INPUT_TYPES)

/** Returns the id that tells a line from every other: one source has one result for the same operations. */
export function lineId({ source, operations }: Pick<LockLine, 'source' | 'operations'>): string {
  return `${source}\0${JSON.stringify(operations)}`
}

/**
 * Reads the text of a lock. An empty one has no lines.
 * @param file named in errors
 * @throws PixpressError `LOCK_INVALID`: names the line
 */
export function parseLock(text: string, file: string): LockLine[] {
  const [header = '', ...rows] = text.split(/\r?\n/)
  if (text.trim() === '') return []
  assertNoConflict(header, 1, file)
  if (versionIn(header) !== LOCK_VERSION) throw wrongHeader(header, file)
  const lines = parsedAtOnce(rows.filter((row) => row !== '' && !isHeader(row)))
  if (lines === undefined) throw firstProblem(rows, file)
  return lines
}

/**
 * Returns the text of a lock: a header, then the lines by source and operations, so that two branches rarely change the
 * same place.
 */
export function renderLock(lines: Iterable<LockLine>, formats?: LockedFormats): string {
  const sorted = [...lines]
    .map((line) => ({ id: lineId(line), line }))
    .sort((a, b) => compare(a.id, b.id))
    .map(({ line }) => renderLine(line))
  return `${[renderHeader(formats), ...sorted].join('\n')}\n`
}

/** Returns one line of the text, without its end: equal for lines that say the same. */
export const renderLine = (line: LockLine): string => JSON.stringify(inOrder(line))

/** Sorts the members so that those which people read come first. */
function inOrder(line: LockLine): LockLine {
  const { source, operations, type, bytes, score, draft, engine, sha256, result, key } = line
  return {
    source,
    operations,
    type,
    bytes,
    ...(score !== undefined && { score }),
    ...(draft && { draft }),
    engine,
    sha256,
    result,
    key,
  }
}

/** One parse for ten thousand lines takes a fraction of one parse each. */
function parsedAtOnce(rows: readonly string[]): LockLine[] | undefined {
  try {
    const values = JSON.parse(`[${rows.join(',')}]`) as unknown[]
    return values.length === rows.length && values.every(isLine) ? values : undefined
  } catch {
    return undefined
  }
}

function firstProblem(rows: readonly string[], file: string): PixpressError {
  for (const [index, row] of rows.entries()) {
    const number = index + 2
    assertNoConflict(row, number, file)
    if (row !== '' && !isHeader(row) && parsedAtOnce([row]) === undefined) {
      return invalid(`Line ${number} of ${file} is no line of a lock: restore the file, or delete it and build again.`)
    }
  }
  return invalid(`${file} is no lock: restore the file, or delete it and build again.`)
}

function assertNoConflict(row: string, number: number, file: string): void {
  if (!CONFLICT.test(row)) return
  throw invalid(
    `Line ${number} of ${file} belongs to a conflict of a merge: keep the lines of one side, delete the marks, and build again.`,
  )
}

function versionIn(header: string): unknown {
  try {
    return (JSON.parse(header) as { lock?: unknown } | null)?.lock
  } catch {
    return undefined
  }
}

function wrongHeader(header: string, file: string): PixpressError {
  const version = versionIn(header)
  return invalid(
    version === undefined
      ? `${file} is no lock: its first line is not ${renderHeader()}.`
      : `${file} has version ${JSON.stringify(version)} of the format, and this version of pixpress reads ${LOCK_VERSION}.`,
  )
}

const invalid = (message: string): PixpressError => new PixpressError('LOCK_INVALID', message)

function isLine(value: unknown): value is LockLine {
  if (typeof value !== 'object' || value === null) return false
  const { source, operations, type, bytes, score, draft, engine, sha256, result, key } = value as Record<
    string,
    unknown
  >
  return (
    typeof source === 'string' &&
    typeof operations === 'object' &&
    operations !== null &&
    TYPES.has(type) &&
    Number.isSafeInteger(bytes) &&
    (score === undefined || typeof score === 'number') &&
    (draft === undefined || draft === true) &&
    (engine === 'service' || Number.isSafeInteger(engine)) &&
    isDigest(sha256) &&
    isDigest(result) &&
    isDigest(key)
  )
}

/** Tells whether a source is an image of another server, which is named by its URL. */
export const isUrl = (source: string): boolean => /^https?:\/\//.test(source)

const isDigest = (value: unknown): boolean => typeof value === 'string' && DIGEST.test(value)
