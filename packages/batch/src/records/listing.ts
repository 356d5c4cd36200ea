import { chunksOf, factsOfChunk, isOwnChunk } from '../chunks/chunks.ts'
import type { ChunkFacts, ChunkShard } from '../chunks/chunks.ts'
import type { Destination, Source } from '../places/contract.ts'
import { COUNT, TEXT, damaged, exactly, parseFields, parseRecordJson } from './fields.ts'
import type { Fields } from './fields.ts'
import { isChunkId, listingKey } from './layout.ts'
import { writeList } from './lists.ts'
import { listRecords } from './record.ts'

/** The chunks of a batch's latest listing. */
export interface BatchListing {
  readonly batch: string
  /** ISO 8601. */
  readonly listed: string
  readonly chunks: readonly ChunkFacts[]
}

/** Options of listing a source. */
export interface ListingOptions {
  readonly source: Source
  readonly destination: Destination
  readonly batch: string
  /** Images of a chunk. */
  readonly size: number
  /** The part of the chunks that is worked on here. Default: all. */
  readonly shard?: ChunkShard | undefined
  readonly signal: AbortSignal
  /** Told every chunk of the part that has no record yet, as soon as others can work on it. */
  readonly onDue: (facts: ChunkFacts) => Promise<void>
}

const HEAD: Fields = { format: exactly(1), batch: TEXT, listed: TEXT, chunks: COUNT, images: COUNT, bytes: COUNT }

/**
 * Lists the source, cuts it into chunks, and writes down what has to be done. A few numbers of each chunk stay in
 * memory.
 * @throws PixpressError; the signal's reason when it is aborted
 */
export async function listImages(options: ListingOptions): Promise<BatchListing> {
  const { source, destination, batch, size, shard, signal } = options
  const done = await listRecords(destination, batch)
  const chunks: ChunkFacts[] = []
  const seen = new Set<string>()
  for await (const chunk of chunksOf(source.list(), size)) {
    signal.throwIfAborted()
    // A manifest may list the same images twice.
    if (seen.has(chunk.id)) continue
    seen.add(chunk.id)
    const facts = factsOfChunk(chunk)
    chunks.push(facts)
    if (done.has(chunk.id) || (shard !== undefined && !isOwnChunk(chunk, shard))) continue
    await writeList(destination, batch, chunk)
    await options.onDue(facts)
  }
  const listing = { batch, listed: new Date().toISOString(), chunks }
  await destination.replace(listingKey(batch), { bytes: Buffer.from(listingText(listing)), type: 'application/jsonl' })
  return listing
}

function listingText({ batch, listed, chunks }: BatchListing): string {
  const { images, bytes } = chunkTotals(chunks)
  const head = { format: 1, batch, listed, chunks: chunks.length, images, bytes }
  const lines = chunks.map(({ chunk, images: count, bytes: size }) => JSON.stringify([chunk, count, size]))
  return [JSON.stringify(head), ...lines, ''].join('\n')
}

/** Reads the listing of a batch. `undefined` while its first listing goes on. @throws PixpressError `IO_FAILED` */
export async function readListing(destination: Destination, batch: string): Promise<BatchListing | undefined> {
  const key = listingKey(batch)
  const bytes = await destination.get(key)
  if (bytes === undefined) return undefined
  const [head = '', ...lines] = Buffer.from(bytes).toString().split('\n').slice(0, -1)
  const { listed, ...facts } = parseFields<{ listed: string; batch: string; chunks: number }>(key, head, HEAD)
  if (facts.batch !== batch || facts.chunks !== lines.length) throw damaged(key, 'the chunks of the batch')
  return { batch, listed, chunks: lines.map((line) => parseChunk(key, line)) }
}

/** @throws PixpressError `IO_FAILED` */
function parseChunk(key: string, line: string): ChunkFacts {
  const [chunk, images, bytes] = [parseRecordJson(key, line)].flat() as unknown[]
  if (isChunkId(chunk) && COUNT.holds(images) && COUNT.holds(bytes))
    return { chunk, images: images as number, bytes: bytes as number }
  throw damaged(key, 'an id and two numbers for each chunk')
}

/** Adds chunks up. */
export function chunkTotals(chunks: readonly ChunkFacts[]): Omit<ChunkFacts, 'chunk'> {
  return {
    images: chunks.reduce((sum, { images }) => sum + images, 0),
    bytes: chunks.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
