import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

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
  // The caller still refers to the pixels.
  setImmediate(collectGarbage)
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
