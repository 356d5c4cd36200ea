import path from 'node:path'
import { createOptimizer, detectType, PixpressError } from '@pixpress/core'
import type { Optimizer } from '@pixpress/core'
import { photo, useTemporaryFolder, naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunkOf } from '../../src/chunks/chunks.ts'
import { createFolderDestination, createFolderSource } from '../../src/places/folder.ts'
import type { ListedImage } from '../../src/places/contract.ts'
import { writeList } from '../../src/records/lists.ts'
import { readRecord } from '../../src/records/record.ts'
import type { ImageOutcome } from '../../src/records/record.ts'
import { workOnChunk } from '../../src/work/chunk.ts'
import type { BatchTools } from '../../src/work/tools.ts'

const folder = useTemporaryFolder()
const BATCH = '0123456789abcdef'
let optimizer: Optimizer
let pictures: Buffer[]

beforeAll(async () => {
  optimizer = createOptimizer()
  pictures = await Promise.all([1, 2, 3].map((seed) => photo(60, 40, seed).jpeg(95)))
})
afterAll(() => optimizer.close())

function tools(more: Partial<BatchTools> = {}): BatchTools {
  return {
    batch: BATCH,
    source: createFolderSource(path.join(folder.path, 'in'), (key) => key.endsWith('.jpg')),
    destination: createFolderDestination(path.join(folder.path, 'out')),
    optimizer,
    operationsOf: () => ({ convert: { type: 'image/webp' } }),
    nameOf: (key) => key.replace('.jpg', '.webp'),
    overwrite: false,
    concurrency: 2,
    mostBytes: 1_000_000,
    worker: 'machine 1',
    signal: new AbortController().signal,
    ...more,
  }
}

/** Lists the folder as one chunk. */
async function list(given: BatchTools): Promise<string> {
  const images: ListedImage[] = []
  for await (const image of given.source.list()) images.push(image)
  const chunk = chunkOf(images)
  await writeList(given.destination, BATCH, chunk)
  return chunk.id
}

async function outcomes(given: BatchTools, chunk: string): Promise<readonly ImageOutcome[]> {
  return (await readRecord(given.destination, BATCH, chunk))!.images
}

describe('workOnChunk', () => {
  it('writes the result of each image, and one record', async () => {
    await folder.write({ 'in/a.jpg': pictures[0]!, 'in/deep/b.jpg': pictures[1]!, 'in/bad.jpg': 'no image' })
    const given = tools()
    const chunk = await list(given)
    const summary = await workOnChunk(chunk, given)
    expect(summary).toMatchObject({ images: 3, written: 2, failed: 1, encoded: 2, worker: 'machine 1' })
    const [a, bad, b] = await outcomes(given, chunk)
    const bytes = await folder.read('out/a.webp')
    expect(a).toMatchObject({ key: 'a.jpg', state: 'written', output: 'a.webp', bytes: bytes.length })
    expect([bad, b]).toMatchObject([
      { key: 'bad.jpg', state: 'failed', code: 'UNSUPPORTED_TYPE' },
      { key: 'deep/b.jpg', state: 'written', output: 'deep/b.webp', type: 'image/webp' },
    ])
    expect(detectType(bytes)).toBe('image/webp')
    expect(summary.after).toBe(a!.bytes! + b!.bytes!)
  })

  it('does nothing for a chunk that has a record', async () => {
    await folder.write({ 'in/a.jpg': pictures[0]! })
    const given = tools()
    const chunk = await list(given)
    const first = await workOnChunk(chunk, given)
    await folder.remove('out/a.webp')
    expect(await workOnChunk(chunk, tools({ worker: 'machine 2' }))).toEqual(first)
    expect((await folder.files()).filter((name) => name.endsWith('.webp'))).toEqual([])
  })

  it('names images that were changed or removed since they were listed, and leaves them alone', async () => {
    await folder.write({ 'in/a.jpg': pictures[0]!, 'in/b.jpg': pictures[1]!, 'in/c.jpg': pictures[2]! })
    const given = tools()
    const chunk = await list(given)
    await folder.write({ 'in/b.jpg': pictures[0]! })
    await folder.remove('in/c.jpg')
    expect(await workOnChunk(chunk, given)).toMatchObject({ written: 1, changed: 1, gone: 1, failed: 0 })
    expect((await outcomes(given, chunk)).map(({ state }) => state)).toEqual(['written', 'changed', 'gone'])
    expect(await list(given)).not.toBe(chunk)
  })

  it('leaves results of an earlier try as they are', async () => {
    await folder.write({ 'in/a.jpg': pictures[0]!, 'in/b.jpg': pictures[1]! })
    const given = tools()
    const chunk = await list(given)
    await workOnChunk(chunk, given)
    await folder.remove(`out/.pixpress-batch/${BATCH}/${chunk}.json`)
    expect(await workOnChunk(chunk, given)).toMatchObject({ written: 0, present: 2 })
  })

  it('never replaces another object, unless it is told to', async () => {
    await folder.write({ 'in/a.jpg': pictures[0]!, 'out/a.webp': 'of somebody else' })
    const given = tools()
    const chunk = await list(given)
    expect(await workOnChunk(chunk, given)).toMatchObject({ failed: 1 })
    expect((await outcomes(given, chunk))[0]!.message).toEqual(naming("'a.webp'", '--overwrite', '--to'))
    expect((await folder.read('out/a.webp')).toString()).toBe('of somebody else')
    await folder.remove(`out/.pixpress-batch/${BATCH}/${chunk}.json`)
    expect(await workOnChunk(chunk, tools({ overwrite: true }))).toMatchObject({ written: 1 })
    expect(detectType(await folder.read('out/a.webp'))).toBe('image/webp')
  })

  it.each(['STORE_FAILED', 'MACHINE_UNFIT', 'NOT_CACHED'] as const)(
    'writes no record where %s is no fault of an image',
    async (code) => {
      await folder.write({ 'in/a.jpg': pictures[0]!, 'in/b.jpg': pictures[1]! })
      const failing = tools().source
      const source: typeof failing = {
        ...failing,
        async read(image, most) {
          if (image.key === 'b.jpg') throw new PixpressError(code, 'Nobody can be reached.')
          return failing.read(image, most)
        },
      }
      const given = tools({ source })
      const chunk = await list(given)
      await expect(workOnChunk(chunk, given)).rejects.toMatchObject({ code })
      expect(await readRecord(given.destination, BATCH, chunk)).toBeUndefined()
      expect(await workOnChunk(chunk, tools())).toMatchObject({ images: 2, failed: 0 })
    },
  )

  it('ends the images that are under way when it is stopped, and writes no record', async () => {
    await folder.write({ 'in/a.jpg': pictures[0]!, 'in/b.jpg': pictures[1]!, 'in/c.jpg': pictures[2]! })
    const stop = new AbortController()
    const { source } = tools()
    const given = tools({
      concurrency: 1,
      signal: stop.signal,
      source: {
        ...source,
        read(image, most) {
          if (image.key === 'b.jpg') stop.abort('SIGTERM')
          return source.read(image, most)
        },
      },
    })
    const chunk = await list(given)
    await expect(workOnChunk(chunk, given)).rejects.toBe('SIGTERM')
    expect((await folder.files()).filter((name) => name.endsWith('.webp'))).toEqual(['out/a.webp', 'out/b.webp'])
    expect(await readRecord(given.destination, BATCH, chunk)).toBeUndefined()
  })
})
