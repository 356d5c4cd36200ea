import { PixpressError } from '@pixpress/core'
import { chunkOf } from '../chunks/chunks.ts'
import type { Chunk } from '../chunks/chunks.ts'
import type { Destination, ListedImage } from '../places/contract.ts'
import { COUNT, TEXT, damaged, optional, parseFields } from './fields.ts'
import type { Fields } from './fields.ts'
import { listKey } from './layout.ts'

const FIELDS: Fields = { key: TEXT, source: optional(TEXT), size: optional(COUNT), version: optional(TEXT) }

/** Writes the images of a chunk, one a line. Whoever works on it need not list the source. */
export async function writeList(destination: Destination, batch: string, { id, images }: Chunk): Promise<void> {
  const lines = images.map(({ key, source, size, version }) => `${JSON.stringify({ key, source, size, version })}\n`)
  await destination.create(listKey(batch, id), { bytes: Buffer.from(lines.join('')), type: 'application/jsonl' })
}

/** Reads the images of a chunk. @throws PixpressError `IO_FAILED` where there is no list, or a damaged one */
export async function readList(destination: Destination, batch: string, id: string): Promise<Chunk> {
  const key = listKey(batch, id)
  const bytes = await destination.get(key)
  if (bytes === undefined) throw new PixpressError('IO_FAILED', `There is no '${key}' in ${destination.name}.`)
  const lines = Buffer.from(bytes).toString().split('\n').slice(0, -1)
  const chunk = chunkOf(lines.map((line) => parseFields<ListedImage>(key, line, FIELDS)))
  if (chunk.id !== id) throw damaged(key, 'the images of the chunk')
  return chunk
}
