import { engineVersions } from '@pixpress/core/internal'
import type { Chunk } from '../chunks/chunks.ts'
import { readList } from '../records/lists.ts'
import { readSummary, writeRecord } from '../records/record.ts'
import type { ImageOutcome, ImageState, RecordSummary } from '../records/record.ts'
import { workOnImage } from './image.ts'
import type { WorkedImage } from './image.ts'
import type { BatchTools } from './tools.ts'

/**
 * Works on a chunk unless it has a record, and writes its record when every image has an outcome.
 * @returns the summary of the record
 * @throws PixpressError for what is no fault of an image; the signal's reason when it is aborted. No record is written
 * then: what was encoded is in the cache, and what was written is found there by the next try
 */
export async function workOnChunk(chunk: string, tools: BatchTools): Promise<RecordSummary> {
  const before = await readSummary(tools.destination, tools.batch, chunk)
  if (before !== undefined) return before
  const began = new Date().toISOString()
  const list = await readList(tools.destination, tools.batch, chunk)
  const worked = await workOnImages(list, tools)
  const images = worked.map(({ outcome }) => outcome)
  const encoded = worked.filter(({ isEncoded }) => isEncoded).length
  return writeRecord(tools.destination, { summary: summaryOf(chunk, images, { tools, began, encoded }), images })
}

/** Works on some images at once. The outcomes are in the order of the list. */
async function workOnImages({ images }: Chunk, tools: BatchTools): Promise<WorkedImage[]> {
  const worked: WorkedImage[] = []
  const queue = images.entries()
  /** The first fault that is no image's own ends the chunk: the images that are under way are waited for. */
  const faults: unknown[] = []
  const work = async (): Promise<void> => {
    for (const [at, image] of queue) {
      if (tools.signal.aborted || faults.length > 0) return
      try {
        worked[at] = await workOnImage(image, tools)
      } catch (error) {
        faults.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(tools.concurrency, images.length) }, work))
  tools.signal.throwIfAborted()
  if (faults.length > 0) throw faults[0]
  return worked
}

function summaryOf(
  chunk: string,
  images: readonly ImageOutcome[],
  { tools, began, encoded }: { readonly tools: BatchTools; readonly began: string; readonly encoded: number },
): RecordSummary {
  const count = (state: ImageState): number => images.filter((image) => image.state === state).length
  const done = images.filter(({ output }) => output !== undefined)
  return {
    format: 1,
    batch: tools.batch,
    chunk,
    images: images.length,
    written: count('written'),
    present: count('present'),
    failed: count('failed'),
    changed: count('changed'),
    gone: count('gone'),
    encoded,
    before: done.reduce((sum, { size = 0 }) => sum + size, 0),
    after: done.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    began,
    ended: new Date().toISOString(),
    worker: tools.worker,
    engine: Object.entries(engineVersions())
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
  }
}
