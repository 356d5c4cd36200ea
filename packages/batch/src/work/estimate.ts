import { createHash } from 'node:crypto'
import type { ListedImage } from '../places/contract.ts'
import { workOnTrial } from './trial.ts'
import type { BatchTools } from './tools.ts'

/** The work of a whole batch, estimated from a sample of its images. */
export interface Estimate {
  readonly images: number
  /** Bytes of the sources, as far as the listing has them. */
  readonly bytes: number
  /** Images that were worked on for the estimate, and those of them that failed. */
  readonly sample: number
  readonly failed: number
  /** Bytes of the sample, and of its results. */
  readonly before: number
  readonly after: number
  /** Seconds of processor time that the sample took on this machine, reading included. */
  readonly seconds: number
  /** Hours of one processor of this machine for all. */
  readonly hours: number
}

/** Images of a listing, of which the sample is chosen by their names: the same listing gives the same sample. */
interface Gathered {
  readonly images: number
  readonly bytes: number
  readonly sample: readonly ListedImage[]
}

/**
 * Works on a sample without writing anything, and without a cache, which would hide what it takes.
 * @param tools whose optimizer has no cache and no process of its own, so that this process' time is all there is
 */
export async function estimateBatch(tools: Omit<BatchTools, 'batch' | 'worker'>, size: number): Promise<Estimate> {
  const { images, bytes, sample } = await gather(tools.source.list(), size, tools.signal)
  const began = process.cpuUsage()
  const trial = await workOnTrial(sample, tools)
  const { user, system } = process.cpuUsage(began)
  const seconds = (user + system) / 1e6
  const listed = sample.reduce((sum, each) => sum + (each.size ?? 0), 0)
  // Larger images take longer; without sizes all that is known is how many there are.
  const factor = listed > 0 && bytes > 0 ? bytes / listed : images / Math.max(1, sample.length)
  return { images, bytes, sample: sample.length, ...trial, seconds, hours: (seconds * factor) / 3600 }
}

/** Keeps the images whose names have the smallest digests. */
async function gather(listing: AsyncIterable<ListedImage>, size: number, signal: AbortSignal): Promise<Gathered> {
  let [images, bytes] = [0, 0]
  let kept: (readonly [digest: string, image: ListedImage])[] = []
  const smallest = (): typeof kept => kept.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, size)
  for await (const image of listing) {
    signal.throwIfAborted()
    images++
    bytes += image.size ?? 0
    kept.push([createHash('sha256').update(image.key).digest('hex'), image])
    if (kept.length > 10 * size) kept = smallest()
  }
  return { images, bytes, sample: smallest().map(([, image]) => image) }
}
