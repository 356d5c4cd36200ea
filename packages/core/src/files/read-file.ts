import { closeSync, fstatSync, openSync, readFile, readSync } from 'node:fs'
import { promisify } from 'node:util'

/** Bytes up to which a file is read at once. */
const AT_ONCE = 256 * 1024

const readLarge: (descriptor: number) => Promise<Buffer> = promisify(readFile)

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
    return { bytes: size <= AT_ONCE ? readSmall(descriptor, size) : await readLarge(descriptor), modified }
  } finally {
    closeSync(descriptor)
  }
}

function readSmall(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size)
  let end = 0
  for (let read = -1; read !== 0 && end < size; end += read) read = readSync(descriptor, bytes, end, size - end, null)
  return bytes.subarray(0, end)
}
