import { describe, expect, it } from 'vitest'
import { chunksOf, factsOfChunk, isOwnChunk } from '../../src/chunks/chunks.ts'
import type { Chunk } from '../../src/chunks/chunks.ts'
import type { ListedImage } from '../../src/places/contract.ts'

const SIZE = 100

const images = (count: number): ListedImage[] =>
  Array.from({ length: count }, (_, index) => ({ key: `a/${index}.jpg`, size: 10, version: 'v1' }))

async function cut(listing: readonly ListedImage[], size = SIZE): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of chunksOf(
    (async function* () {
      yield* listing
    })(),
    size,
  )) {
    chunks.push(chunk)
  }
  return chunks
}

const idsOf = (chunks: readonly Chunk[]): string[] => chunks.map(({ id }) => id)

describe('chunksOf', () => {
  it('puts every image into one chunk, in order, of about the asked size', async () => {
    const all = images(5000)
    const chunks = await cut(all)
    expect(chunks.flatMap((chunk) => chunk.images)).toEqual(all)
    const sizes = chunks.slice(0, -1).map((chunk) => chunk.images.length)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(SIZE / 2)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * SIZE)
    expect(5000 / chunks.length).toBeGreaterThan(SIZE / 2)
    expect(factsOfChunk(chunks[0]!)).toEqual({ chunk: chunks[0]!.id, images: sizes[0], bytes: 10 * sizes[0]! })
  })

  it('gives the same chunks for the same listing, and others only where it differs', async () => {
    const all = images(5000)
    const before = idsOf(await cut(all))
    expect(idsOf(await cut(images(5000)))).toEqual(before)
    const changed = all.with(2500, { ...all[2500]!, version: 'v2' })
    expect(idsOf(await cut(changed)).filter((id) => !before.includes(id))).toHaveLength(1)
    const added = all.toSpliced(2500, 0, { key: 'a/new.jpg', size: 1 })
    const others = idsOf(await cut(added)).filter((id) => !before.includes(id))
    expect(others.length).toBeGreaterThan(0)
    expect(others.length).toBeLessThan(before.length / 3)
  })

  it('ends a chunk of large images early', async () => {
    const chunks = await cut(images(10).map((image) => ({ ...image, size: 100 * 1024 ** 2 })))
    expect(chunks.map((chunk) => chunk.images.length)).toEqual([3, 3, 3, 1])
  })

  it('gives none for an empty listing', async () => {
    expect(await cut([])).toEqual([])
  })
})

const partOf = (chunk: Chunk): number => [1, 2, 3].find((index) => isOwnChunk(chunk, { index, count: 3 }))!

describe('isOwnChunk', () => {
  it.each([1, 2, 4, 7])('gives each chunk to one of %i parts', async (count) => {
    const chunks = await cut(images(5000))
    const owners = chunks.map(
      (chunk) =>
        Array.from({ length: count }, (_, index) => isOwnChunk(chunk, { index: index + 1, count })).filter(Boolean)
          .length,
    )
    expect(new Set(owners)).toEqual(new Set([1]))
  })

  it('leaves a chunk in its part when others come and go', async () => {
    const [all, half] = [await cut(images(5000)), await cut(images(2500))]
    const parts = new Map(all.map((chunk) => [chunk.id, partOf(chunk)]))
    for (const chunk of half.slice(0, -1)) expect(partOf(chunk)).toBe(parts.get(chunk.id))
  })
})
