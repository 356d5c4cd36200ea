import { statSync } from 'node:fs'
import { setImmediate as breath } from 'node:timers/promises'
import type { ImageTable } from './image-table.ts'
import { BETWEEN_BREATHS } from './recall-outcomes.ts'

/** Bytes of the images of which nothing is known otherwise; 0 for one that cannot be looked at. */
export async function addSizes(images: ImageTable): Promise<void> {
  for (let at = 0; at < images.length; at++) {
    if (images.isSet(at)) continue
    images.set(at, sizeOf(images.fileOf(at)))
    if (at % BETWEEN_BREATHS === 0) await breath()
  }
}

/** Asked at once, as a turn through the thread pool for each of 100,000 files takes ten times as long. */
function sizeOf(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    // The work on it reports what is wrong with it.
    return 0
  }
}
