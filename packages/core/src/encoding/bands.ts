import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Sharp } from 'sharp'

/**
 * Bytes of pixels that are decoded at once where not all are. Above 32 MiB, glibc gives freed memory back; smaller pieces stay with
 * its heaps, which grew by hundreds of megabytes.
 */
const BAND_BYTES = 40 * 2 ** 20

/** Bands begin at multiples of so many rows: those that comparisons take at once. */
const ROWS = 32

/**
 * The pixels of a picture in bands of whole rows, from the top, so that large ones need not be in memory as a whole. For each
 * band the picture is decoded again down to its last row, which suits formats that are decoded row by row.
 * @param open starts decoding, to three channels of 8 bits
 */
export async function* decodedBands(
  open: () => Sharp,
  { width, height }: { width: number; height: number },
): AsyncGenerator<Buffer> {
  const rows = Math.max(ROWS, Math.floor(BAND_BYTES / (width * 3) / ROWS) * ROWS)
  for (let top = 0; top < height; top += rows) {
    const band = await open()
      .extract({ left: 0, top, width, height: Math.min(rows, height - top) })
      .raw({ depth: 'uchar' })
      .toBuffer()
    yield band
    releasePixels(band)
  }
}

/** Bytes of released pixels from which Node 20 collects its garbage: less than a large picture leaves at once. */
const COLLECTED_BYTES = 32 * 2 ** 20

/** Pixels of fewer bytes are left to the garbage collector. */
const LEAST_RELEASED_BYTES = 2 ** 20

let released = 0
let collectGarbage: (() => void) | undefined

/**
 * Frees the memory of pixels that are not used any more at once: waiting for the garbage collector, several large pictures
 * would lie about. The method is of ES2024; Node 20 lacks it, and is told to collect its garbage, which takes some milliseconds.
 */
export function releasePixels({ buffer, length }: Uint8Array): void {
  // Small buffers may share their memory with others.
  if (length < LEAST_RELEASED_BYTES || buffer.byteLength !== length) return
  const own = buffer as { transfer?: (length: number) => void }
  if (own.transfer !== undefined) {
    own.transfer(0)
    return
  }
  released += length
  if (released < COLLECTED_BYTES || process.versions.bun !== undefined) return
  released = 0
  collectGarbage ??= garbageCollector()
  collectGarbage()
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
