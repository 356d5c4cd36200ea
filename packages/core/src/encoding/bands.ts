import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Sharp } from 'sharp'

/**
 * Bytes of pixels that are decoded at once if a picture is decoded in bands. glibc returns freed memory to the system
 * only for blocks above 32 MiB; smaller bands stayed in its heaps, which grew by hundreds of megabytes.
 */
const BAND_BYTES = 40 * 2 ** 20

/** Bands begin at multiples of this many rows, because comparisons take so many at once. */
const ROWS = 32

/**
 * Yields the pixels of a picture in bands of whole rows from the top, so that a large picture is never in memory as a
 * whole. For each band the picture is decoded again down to the band's last row, which suits formats that are decoded
 * row by row.
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

/** Node 20 collects its garbage after this many released bytes, which is less than one large picture releases. */
const COLLECTED_BYTES = 32 * 2 ** 20

/** Pixels of fewer bytes are left to the garbage collector. */
const LEAST_RELEASED_BYTES = 2 ** 20

let released = 0
let collectGarbage: (() => void) | undefined

/**
 * Frees the memory of pixels at once, because several large pictures would stay in memory until the garbage collector
 * runs. `ArrayBuffer.prototype.transfer` is part of ES2024. Node 20 lacks it, so its garbage collector is run instead,
 * which takes some milliseconds.
 */
export function releasePixels({ buffer, length }: Uint8Array): void {
  // A small buffer may share its memory with others.
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
