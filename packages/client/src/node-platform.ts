import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createNodeExchange } from './http/node-exchange.ts'
import type { Platform } from './platform.ts'

/** Node: its files, its Buffer, and its HTTP, which knows proxies and certificates. */
export const NODE: Platform<Buffer> = {
  createExchange: createNodeExchange,
  agent: `Node/${process.versions.node} (${process.platform})`,
  asData: ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength),
  readFile: (path) => readFile(path),
  writeFile: (path, bytes) => writeWholeFile(path instanceof URL ? fileURLToPath(path) : path, bytes),
}

/**
 * Writes a whole file or none: a reader sees the former contents or the new ones, never a part.
 * @throws the file system's error
 */
async function writeWholeFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeFile(temporary, bytes, { flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {
      // The first error says more.
    })
    throw error
  }
}
