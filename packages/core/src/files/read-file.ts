import { closeSync, fstatSync, openSync, readFile, readSync } from 'node:fs'
import { promisify } from 'node:util'

/** Bytes below which a file is read at once. */
const AT_ONCE = 256 * 1024

const readLarge: (descriptor: number) => Promise<Buffer> = promisify(readFile)

/**
 * Where small files are read before they are copied into memory of their own: its pages are there already, while the kernel
 * would fault in those of new memory one by one, which took longer than the copy. Nothing waits between reading and copying.
 */
let scratch: Buffer | undefined

/**
 * A file's bytes and when it was last modified (milliseconds since 1970). Small files are read at once: that takes
 * microseconds, while four turns through the thread pool for each of a thousand images are what a warm build would
 * mostly consist of. Larger ones do not keep the event loop waiting.
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
 * Shows a file's bytes, for what is done with them at once: small files are shown where the next one is read to.
 * @param look must not keep the bytes
 * @throws Error of the file system
 */
export async function lookAtFile<Seen>(file: string, look: (bytes: Buffer) => Seen): Promise<Seen> {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    return look(size < AT_ONCE ? intoScratch(descriptor, size) : await readLarge(descriptor))
  } finally {
    closeSync(descriptor)
  }
}

function readSmall(descriptor: number, size: number): Buffer {
  const read = intoScratch(descriptor, size)
  const bytes = Buffer.allocUnsafeSlow(read.length)
  bytes.set(read)
  return bytes
}

function intoScratch(descriptor: number, size: number): Buffer {
  scratch ??= Buffer.allocUnsafeSlow(AT_ONCE)
  let end = 0
  for (let read = -1; read !== 0 && end < size; end += read) read = readSync(descriptor, scratch, end, size - end, null)
  return scratch.subarray(0, end)
}
