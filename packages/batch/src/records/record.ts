import type { Destination } from '../places/contract.ts'
import { COUNT, TEXT, asFields, damaged, exactly, optional, parseRecordJson } from './fields.ts'
import type { Field, Fields } from './fields.ts'
import { isBatchId, isChunkId, recordFolder, recordKey } from './layout.ts'

/** All ends of the work on an image. `changed`, `gone`: since it was listed, so that nothing was written. */
export const STATES = ['written', 'present', 'failed', 'changed', 'gone'] as const

/** The end of the work on an image. `present`: its result was there already. */
export type ImageState = (typeof STATES)[number]

/** The outcome of one image. */
export interface ImageOutcome {
  readonly key: string
  /** Bytes of the source, and the version of it that was read. */
  readonly size?: number | undefined
  readonly version?: string | undefined
  readonly state: ImageState
  /** Key of the result. */
  readonly output?: string
  /** Bytes of the result. */
  readonly bytes?: number
  /** MIME type of the result. */
  readonly type?: string
  /** Stable code of a failure. */
  readonly code?: string
  /** One sentence about a failure. */
  readonly message?: string
}

/** The first line of a record, which says what there is to say of the chunk as a whole. */
export interface RecordSummary {
  readonly format: 1
  readonly batch: string
  readonly chunk: string
  readonly images: number
  readonly written: number
  readonly present: number
  readonly failed: number
  readonly changed: number
  readonly gone: number
  /** Images that were encoded, as no cache had their results. */
  readonly encoded: number
  /** Bytes of the sources that have a result, and of their results. */
  readonly before: number
  readonly after: number
  /** ISO 8601. */
  readonly began: string
  readonly ended: string
  /** Name and process of the machine. */
  readonly worker: string
  /** Versions that decide the bytes of results. */
  readonly engine: string
}

/** A completion record: every image of the chunk is in it once. */
export interface ChunkRecord {
  readonly summary: RecordSummary
  readonly images: readonly ImageOutcome[]
}

const ID = (expected: string, holds: Field['holds']): Field => ({ expected, holds })
const TIME: Field = {
  expected: 'a time of ISO 8601',
  holds: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
}

const SUMMARY: Fields = {
  format: exactly(1),
  batch: ID('the id of a batch', isBatchId),
  chunk: ID('the id of a chunk', isChunkId),
  images: COUNT,
  written: COUNT,
  present: COUNT,
  failed: COUNT,
  changed: COUNT,
  gone: COUNT,
  encoded: COUNT,
  before: COUNT,
  after: COUNT,
  began: TIME,
  ended: TIME,
  worker: TEXT,
  engine: TEXT,
}

const IMAGE: Fields = {
  key: TEXT,
  size: optional(COUNT),
  version: optional(TEXT),
  state: { expected: `one of ${STATES.join(', ')}`, holds: (value) => (STATES as readonly unknown[]).includes(value) },
  output: optional(TEXT),
  bytes: optional(COUNT),
  type: optional(TEXT),
  code: optional(TEXT),
  message: optional(TEXT),
}

/** Bytes that hold every summary, as the first line of a record. */
const SUMMARY_BYTES = 4096

/**
 * Writes a record, of which there is one for each chunk: whoever ends second has done the same.
 * @returns the summary of the record that counts
 */
export async function writeRecord(destination: Destination, record: ChunkRecord): Promise<RecordSummary> {
  const { summary, images } = record
  const key = recordKey(summary.batch, summary.chunk)
  const bytes = Buffer.from(recordText(record))
  if ((await destination.create(key, { bytes, type: 'application/json' })) === 'created') return summary
  const present = await readRecord(destination, summary.batch, summary.chunk)
  if (present === undefined || present.images.length !== images.length) throw damaged(key, 'the record of the chunk')
  return present.summary
}

/** One JSON document, of which the summary is the first line, and each image a line of its own. */
function recordText({ summary, images }: ChunkRecord): string {
  const lines = images.map((image) => JSON.stringify(image)).join(',\n')
  return `{"summary":${JSON.stringify(summary)},\n"images":[\n${lines}\n]}\n`
}

/** Reads a record. `undefined` where there is none. @throws PixpressError `IO_FAILED` for a damaged one */
export async function readRecord(
  destination: Destination,
  batch: string,
  chunk: string,
): Promise<ChunkRecord | undefined> {
  const key = recordKey(batch, chunk)
  const bytes = await destination.get(key)
  if (bytes === undefined) return undefined
  const fields = { summary: { expected: 'an object', holds: () => true }, images: LIST_OF_IMAGES }
  const { summary, images } = asFields<ChunkRecord>(key, parseRecordJson(key, Buffer.from(bytes).toString()), fields)
  return {
    summary: checkedSummary(key, summary, { batch, chunk }),
    images: images.map((image) => asFields<ImageOutcome>(key, image, IMAGE)),
  }
}

const LIST_OF_IMAGES: Field = { expected: 'a list', holds: (value) => Array.isArray(value) }

/** Reads the summary of a record alone. `undefined` where there is none. @throws PixpressError `IO_FAILED` */
export async function readSummary(
  destination: Destination,
  batch: string,
  chunk: string,
): Promise<RecordSummary | undefined> {
  const key = recordKey(batch, chunk)
  const bytes = await destination.get(key, SUMMARY_BYTES)
  if (bytes === undefined) return undefined
  const [line = ''] = Buffer.from(bytes).toString().split('\n', 1)
  const { summary } = parseRecordJson(key, `${line.replace(/,$/, '')}}`) as { summary: unknown }
  return checkedSummary(key, summary, { batch, chunk })
}

function checkedSummary(key: string, value: unknown, own: { batch: string; chunk: string }): RecordSummary {
  const summary = asFields<RecordSummary>(key, value, SUMMARY)
  if (summary.batch === own.batch && summary.chunk === own.chunk) return summary
  throw damaged(key, 'the record of the chunk that it is named after')
}

/** Lists the chunks that have a record. */
export async function listRecords(destination: Destination, batch: string): Promise<Set<string>> {
  const found = new Set<string>()
  const folder = recordFolder(batch)
  for await (const key of destination.keys(folder)) {
    const chunk = key.slice(folder.length).replace(/\.json$/, '')
    if (isChunkId(chunk)) found.add(chunk)
  }
  return found
}
