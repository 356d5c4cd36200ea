import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { useTemporaryFolder, failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { chunkOf } from '../../src/chunks/chunks.ts'
import { createFolderDestination } from '../../src/places/folder.ts'
import type { Destination } from '../../src/places/contract.ts'
import {
  batchDescription,
  idOfBatch,
  listBatches,
  readBatchDescription,
  writeBatchDescription,
} from '../../src/records/description.ts'
import { batchKey, listKey, listingKey, recordKey } from '../../src/records/layout.ts'
import { readList, writeList } from '../../src/records/lists.ts'
import { listImages, readListing } from '../../src/records/listing.ts'
import type { ListingOptions } from '../../src/records/listing.ts'
import { listRecords, readRecord, readSummary, writeRecord } from '../../src/records/record.ts'
import type { ChunkRecord } from '../../src/records/record.ts'
import { createStatusReader } from '../../src/records/status.ts'

const folder = useTemporaryFolder()
const BATCH = '0123456789abcdef'
const CHUNK = chunkOf([
  { key: 'a.jpg', size: 3, version: 'v1' },
  { key: 'b.jpg', source: 's3://shop/b.jpg' },
])

const destination = (): Destination => createFolderDestination(path.join(folder.path, 'to'))

const record = (more: Partial<ChunkRecord['summary']> = {}): ChunkRecord => ({
  summary: {
    format: 1,
    batch: BATCH,
    chunk: CHUNK.id,
    images: 2,
    written: 1,
    present: 0,
    failed: 1,
    changed: 0,
    gone: 0,
    encoded: 1,
    before: 3,
    after: 2,
    began: '2026-11-27T10:00:00.000Z',
    ended: '2026-11-27T10:01:00.000Z',
    worker: 'machine 1',
    engine: 'engine 1',
    ...more,
  },
  images: [
    { key: 'a.jpg', size: 3, version: 'v1', state: 'written', output: 'a.webp', bytes: 2, type: 'image/webp' },
    { key: 'b.jpg', state: 'failed', code: 'DECODE_FAILED', message: 'The image is damaged.' },
  ],
})

async function spoil(key: string, change: (text: string) => string): Promise<void> {
  await folder.write({ [`to/${key}`]: change((await folder.read(`to/${key}`)).toString()) })
}

describe('a description', () => {
  const described = batchDescription({
    from: '/in',
    to: '/out',
    operations: { quality: 80 },
    overrides: [{ include: 'logos/**', lossless: true }],
    overwrite: false,
  })

  it('is read as it was written, under an id that follows from it', async () => {
    await writeBatchDescription(destination(), described)
    await writeBatchDescription(destination(), described)
    const id = idOfBatch(described)
    expect(await readBatchDescription(destination(), id)).toEqual(described)
    expect(await listBatches(destination())).toEqual([id])
    expect(idOfBatch({ ...described, to: '/other' })).not.toBe(id)
  })

  it('refuses operations that JSON does not hold', () => {
    const svgo = { plugins: [{ name: 'own', fn: () => null }] } as object
    expect(() => batchDescription({ ...described, operations: { svgo } })).toThrow(failure('UsageError', 'JSON'))
  })

  it('is refused by a place that replaces what it has', async () => {
    const careless: Destination = { ...destination(), create: async () => 'created' }
    await expect(writeBatchDescription(careless, described)).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  it.each([
    ['a member that is unknown', (text: string) => text.replace('"from"', '"form":1,"from"')],
    ['a member of another type', (text: string) => text.replace('"/in"', '1')],
    ['another format', (text: string) => text.replace('"format":1', '"format":2')],
    ['no JSON', () => '{'],
  ])('is refused with %s', async (_, change) => {
    await writeBatchDescription(destination(), described)
    const id = idOfBatch(described)
    await spoil(batchKey(id), change)
    await expect(readBatchDescription(destination(), id)).rejects.toThrow(failure('IO_FAILED', 'and run again'))
  })
})

describe('the list of a chunk', () => {
  it('is read as it was written', async () => {
    await writeList(destination(), BATCH, CHUNK)
    expect(await readList(destination(), BATCH, CHUNK.id)).toEqual(CHUNK)
  })

  it('is refused where it is not that of the chunk', async () => {
    await writeList(destination(), BATCH, CHUNK)
    await spoil(listKey(BATCH, CHUNK.id), (text) => text.replace('v1', 'v2'))
    await expect(readList(destination(), BATCH, CHUNK.id)).rejects.toThrow(failure('IO_FAILED', 'of the chunk'))
  })
})

describe('a completion record', () => {
  it('is read as it was written, as a whole and by its summary', async () => {
    expect(await writeRecord(destination(), record())).toEqual(record().summary)
    expect(await readRecord(destination(), BATCH, CHUNK.id)).toEqual(record())
    expect(await readSummary(destination(), BATCH, CHUNK.id)).toEqual(record().summary)
    expect(await listRecords(destination(), BATCH)).toEqual(new Set([CHUNK.id]))
    expect(JSON.parse((await folder.read(`to/${recordKey(BATCH, CHUNK.id)}`)).toString())).toEqual(record())
  })

  it('stays the first one where two workers end', async () => {
    await writeRecord(destination(), record({ worker: 'first' }))
    expect(await writeRecord(destination(), record({ worker: 'second' }))).toMatchObject({ worker: 'first' })
    expect(await readSummary(destination(), BATCH, CHUNK.id)).toMatchObject({ worker: 'first' })
  })

  it('is absent until the chunk is done', async () => {
    expect(await readRecord(destination(), BATCH, CHUNK.id)).toBeUndefined()
    expect(await readSummary(destination(), BATCH, CHUNK.id)).toBeUndefined()
    expect(await listRecords(destination(), BATCH)).toEqual(new Set())
  })

  it.each([
    ['a count that is none', (text: string) => text.replace('"written":1', '"written":-1')],
    ['a time that is none', (text: string) => text.replace('"2026-11-27T10:01', '"then')],
    ['the name of another chunk', (text: string) => text.replace(CHUNK.id, '0'.repeat(32))],
    ['a member that is unknown', (text: string) => text.replace('"images":2', '"images":2,"more":1')],
  ])('is refused with %s', async (_, change) => {
    await writeRecord(destination(), record())
    await spoil(recordKey(BATCH, CHUNK.id), change)
    await expect(readSummary(destination(), BATCH, CHUNK.id)).rejects.toMatchObject({ code: 'IO_FAILED' })
    await expect(readRecord(destination(), BATCH, CHUNK.id)).rejects.toMatchObject({ code: 'IO_FAILED' })
  })

  it('is refused with an image of an unknown state', async () => {
    await writeRecord(destination(), record())
    await spoil(recordKey(BATCH, CHUNK.id), (text) => text.replace('"state":"written"', '"state":"lost"'))
    await expect(readRecord(destination(), BATCH, CHUNK.id)).rejects.toThrow(
      failure('IO_FAILED', 'of written, present,'),
    )
  })
})

describe('a listing', () => {
  const keys = Array.from({ length: 40 }, (_, index) => `${index}.jpg`)
  const options = (more: Partial<ListingOptions> = {}): ListingOptions => ({
    source: {
      name: 'source',
      async *list() {
        for (const key of keys) yield { key, size: 10, version: 'v1' }
      },
      read: async () => 'gone',
    },
    destination: destination(),
    batch: BATCH,
    size: 10,
    signal: new AbortController().signal,
    onDue: async () => undefined,
    ...more,
  })

  it('tells every chunk that has no record, when its list is there', async () => {
    const due: string[] = []
    const listing = await listImages(
      options({
        async onDue({ chunk }) {
          due.push(chunk)
          expect((await readList(destination(), BATCH, chunk)).id).toBe(chunk)
        },
      }),
    )
    expect(due).toEqual(listing.chunks.map(({ chunk }) => chunk))
    expect(await readListing(destination(), BATCH)).toEqual(listing)
    const [done] = due
    await writeRecord(destination(), record({ chunk: done! }))
    const again: string[] = []
    await listImages(options({ onDue: async ({ chunk }) => void again.push(chunk) }))
    expect(again).toEqual(due.slice(1))
  })

  it('writes the lists of its own part alone', async () => {
    const parts = await Promise.all(
      [1, 2].map(async (index) => {
        const due: string[] = []
        const onDue = async ({ chunk }: { chunk: string }): Promise<void> => void due.push(chunk)
        const own = createFolderDestination(path.join(folder.path, `part ${index}`))
        const listing = await listImages(options({ shard: { index, count: 2 }, destination: own, onDue }))
        const lists = await readdir(path.join(folder.path, `part ${index}`, path.dirname(listKey(BATCH, ''))))
        expect(lists.sort()).toEqual(due.map((chunk) => `${chunk}.jsonl`).sort())
        return { listing, due }
      }),
    )
    expect(parts.flatMap(({ due }) => due).sort()).toEqual(parts[0]!.listing.chunks.map(({ chunk }) => chunk).sort())
  })

  it('is refused where it is cut', async () => {
    await listImages(options())
    await spoil(listingKey(BATCH), (text) => text.split('\n').slice(0, -2).join('\n') + '\n')
    await expect(readListing(destination(), BATCH)).rejects.toThrow(failure('IO_FAILED', 'of the batch'))
  })

  it('gives the status from any machine, with the time that is left', async () => {
    const { chunks } = await listImages(options())
    const images = chunks[0]!.images
    const summary = { chunk: chunks[0]!.chunk, images, written: images - 1, encoded: images - 1 }
    await writeRecord(destination(), { ...record(summary), summary: record(summary).summary })
    const reader = createStatusReader(destination(), BATCH)
    const status = await reader.read(Date.parse('2026-11-27T10:01:00.000Z'))
    expect(status).toMatchObject({
      chunks: { all: chunks.length, done: 1 },
      images: { all: 40, done: images, failed: 1 },
      bytes: { all: 400, done: 10 * images, before: 3, after: 2 },
      millisecondsLeft: Math.round(((40 - images) / images) * 60_000),
    })
    expect(reader.missing()).toEqual(chunks.slice(1))
    expect(reader.unwell().map(({ chunk }) => chunk)).toEqual([chunks[0]!.chunk])
  })
})
