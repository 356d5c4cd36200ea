import { closeSync, fstatSync, openSync, read, readFile, readSync } from 'node:fs'
import { promisify } from 'node:util'

/** Bytes below which a file is read at once. */
const AT_ONCE = 256 * 1024

/** Bytes that are asked for at once of a large file: systems take no more than 2 GiB. */
const PART = 1024 ** 3

const readPart = promisify(read)

const readLarge: (descriptor: number) => Promise<Buffer> = promisify(readFile)

/**
 * Where small files are read before they are copied into memory of their own: its pages are there already, while the
 * kernel would fault in those of new memory one by one, which took longer than the copy. Nothing waits between reading
 * and copying.
 */
let scratch: Buffer | undefined

/**
 * Returns a file's bytes and when it was last modified (milliseconds since 1970). Small files are read at once: that
 * takes microseconds, while four turns through the thread pool for each of a thousand images are what a warm build
 * would mostly consist of. Larger ones do not keep the event loop waiting.
 * @throws Error of the file system
 */
export async function readWholeFile(file: string): Promise<{ bytes: Buffer; modified: number }> {
  const descriptor = openSync(file, 'r')
  try {
    const { size, mtimeMs: modified } = fstatSync(descriptor)
    return { bytes: size < AT_ONCE ? readSmall(descriptor, size) : await readLarge(descriptor), modified }
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Returns a file's bytes alone, small ones at once. They are read to their end without being asked for their size, as
 * what the system says of a file took longer to put into an object than reading it.
 * @throws Error of the file system
 */
export function readBytes(file: string): Buffer | Promise<Buffer> {
  return readToEnd(file, copied, (bytes) => bytes)
}

/**
 * Shows a file's bytes, for what is done with them at once: small files are shown where the next one is read to.
 * @param look must not keep the bytes
 * @returns what was seen: at once for a small file, without keeping anybody waiting for a large one
 * @throws Error of the file system
 */
export function lookAtFile<Seen>(file: string, look: (bytes: Buffer) => Seen): Seen | Promise<Seen> {
  return readToEnd(file, look, look)
}

/**
 * @param small sees bytes that lie where the next file is read to
 * @param large sees bytes of its own
 */
function readToEnd<Seen>(
  file: string,
  small: (bytes: Buffer) => Seen,
  large: (bytes: Buffer) => Seen,
): Seen | Promise<Seen> {
  const descriptor = openSync(file, 'r')
  let isOpen = true
  try {
    const start = intoScratch(descriptor, AT_ONCE)
    if (start.length < AT_ONCE) return small(start)
    const whole = readOn(descriptor, start)
    isOpen = false
    return whole.then(large).finally(() => closeSync(descriptor))
  } finally {
    if (isOpen) closeSync(descriptor)
  }
}

/** @param start what was read of the file already, which is copied at once */
async function readOn(descriptor: number, start: Buffer): Promise<Buffer> {
  const { size } = fstatSync(descriptor)
  const bytes = Buffer.allocUnsafeSlow(Math.max(size, start.length))
  bytes.set(start)
  let end = start.length
  while (end < size) {
    const { bytesRead } = await readPart(descriptor, bytes, end, Math.min(size - end, PART), null)
    if (bytesRead === 0) break
    end += bytesRead
  }
  return bytes.subarray(0, end)
}

function readSmall(descriptor: number, size: number): Buffer {
  return copied(intoScratch(descriptor, size))
}

function copied(shown: Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(shown.length)
  bytes.set(shown)
  return bytes
}

function intoScratch(descriptor: number, size: number): Buffer {
  scratch ??= Buffer.allocUnsafeSlow(AT_ONCE)
  let end = 0
  for (let count = -1; count !== 0 && end < size; end += count) {
    count = readSync(descriptor, scratch, end, size - end, null)
  }
  return scratch.subarray(0, end)
}
