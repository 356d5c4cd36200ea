import { createHash } from 'node:crypto'
import type { ListedImage } from '../places/contract.ts'

/** Some images that one worker works on at a time. */
export interface Chunk {
  /** 32 hexadecimal digits of a digest of the images: another size or version of one makes another chunk. */
  readonly id: string
  readonly images: readonly ListedImage[]
}

/** A chunk as a listing knows it. */
export interface ChunkFacts {
  readonly chunk: string
  readonly images: number
  /** Bytes of the sources, as far as the listing has them. */
  readonly bytes: number
}

/** Bytes after which a chunk ends, so that one of large photographs takes minutes and not hours. */
const MOST_BYTES = 256 * 1024 ** 2

/**
 * Cuts a listing into chunks. Where a chunk ends is decided by the names of the images: one that is added or removed
 * changes the chunk that it is in and, sometimes, the next; all others stay as they are, with what is known of them.
 * @param size images of a chunk in the middle; a chunk has from half to twice as many
 */
export async function* chunksOf(images: AsyncIterable<ListedImage>, size: number): AsyncGenerator<Chunk> {
  const least = Math.ceil(size / 2)
  let gathered: ListedImage[] = []
  let bytes = 0
  for await (const image of images) {
    gathered.push(image)
    bytes += image.size ?? 0
    const isEnd = gathered.length >= least && mark(image.key) % least === 0
    if (!isEnd && gathered.length < 2 * size && bytes < MOST_BYTES) continue
    yield chunkOf(gathered)
    gathered = []
    bytes = 0
  }
  if (gathered.length > 0) yield chunkOf(gathered)
}

/** Returns the facts of a chunk. */
export function factsOfChunk({ id, images }: Chunk): ChunkFacts {
  return { chunk: id, images: images.length, bytes: images.reduce((sum, { size = 0 }) => sum + size, 0) }
}

/** Makes a chunk of images, whose id follows from them. */
export function chunkOf(images: readonly ListedImage[]): Chunk {
  const digest = createHash('sha256')
  for (const { key, source, size, version } of images)
    digest.update(`${JSON.stringify([key, source, size, version])}\n`)
  return { id: digest.digest('hex').slice(0, 32), images }
}

/** One of several parts of the chunks, each for a machine of its own. */
export interface ChunkShard {
  /** From 1 to `count`. */
  readonly index: number
  readonly count: number
}

/** Returns whether a chunk is in a part: by its last image, so that machines that list at the same time agree. */
export function isOwnChunk({ images }: Chunk, { index, count }: ChunkShard): boolean {
  return (mark(images.at(-1)!.key) % count) + 1 === index
}

/** 48 bits of a digest of a name. */
const mark = (key: string): number => createHash('sha256').update(`chunk\0${key}`).digest().readUIntBE(0, 6)
