import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { PixpressError } from '@pixpress/core'
import type { Operations } from '@pixpress/core'
import { UsageError } from '@pixpress/core/internal'
import type { Destination } from '../places/contract.ts'
import { FLAG, LIST, OBJECT, TEXT, exactly, optional, parseFields } from './fields.ts'
import type { Fields } from './fields.ts'
import { BATCHES, batchKey, isBatchId } from './layout.ts'

/** The task of a batch: everything that every worker has to know, and nothing of a machine. JSON-serialisable. */
export interface BatchDescription {
  readonly format: 1
  /** Names of the places, as `placeName` gives them. */
  readonly from: string
  readonly to: string
  readonly operations: Operations
  /** The configuration's `overrides`, whose patterns are relative to the source. */
  readonly overrides: readonly object[]
  /** Template of the results' names; absent where they are those of the sources. */
  readonly name?: string
  /** Results take the place of other objects of their names. */
  readonly overwrite: boolean
}

const FIELDS: Fields = {
  format: exactly(1),
  from: TEXT,
  to: TEXT,
  operations: OBJECT,
  overrides: LIST,
  name: optional(TEXT),
  overwrite: FLAG,
}

/**
 * Makes a description of what was given. Other machines read it, so that it is all JSON.
 * @throws UsageError for operations that JSON does not hold, such as functions of a configuration
 */
export function batchDescription(given: Omit<BatchDescription, 'format'>): BatchDescription {
  const description = { format: 1, ...given } as const
  const read = JSON.parse(JSON.stringify(description)) as BatchDescription
  if (isDeepStrictEqual(read, description)) return read
  throw new UsageError("A batch's operations go to other machines as JSON, which takes no functions: remove them.")
}

/** Returns the id of a batch, by which the same command finds what it has done before. */
export function idOfBatch(description: BatchDescription): string {
  return createHash('sha256').update(JSON.stringify(description)).digest('hex').slice(0, 16)
}

/**
 * Writes a description, and finds out whether the destination keeps what it has.
 * @throws PixpressError `STORE_FAILED` for a bucket that replaces objects though it is asked not to
 */
export async function writeBatchDescription(destination: Destination, description: BatchDescription): Promise<void> {
  const key = batchKey(idOfBatch(description))
  const object = { bytes: Buffer.from(`${JSON.stringify(description)}\n`), type: 'application/json' }
  if ((await destination.create(key, object)) === 'present' || (await destination.create(key, object)) === 'present')
    return
  throw new PixpressError(
    'STORE_FAILED',
    `${destination.name} replaces objects though it is asked not to (If-None-Match): no result would be safe there.`,
  )
}

/** Reads a description. @throws PixpressError `IO_FAILED` where there is none, or a damaged one */
export async function readBatchDescription(destination: Destination, batch: string): Promise<BatchDescription> {
  const key = batchKey(batch)
  const bytes = await destination.get(key)
  if (bytes === undefined) throw new PixpressError('IO_FAILED', `There is no '${key}' in ${destination.name}.`)
  return parseFields(key, Buffer.from(bytes).toString(), FIELDS)
}

/** Lists the ids of the batches of a destination. */
export async function listBatches(destination: Destination): Promise<string[]> {
  const found: string[] = []
  for await (const key of destination.keys(BATCHES)) {
    const id = key.slice(BATCHES.length).replace(/\.json$/, '')
    if (isBatchId(id)) found.push(id)
  }
  return found.sort()
}
