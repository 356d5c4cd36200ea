import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { lookAtFile, sha256 } from '@pixpress/core/internal'
import { reportUsageAtExit } from '../measure/resource-usage.mjs'

/**
 * Reads and hashes every file of a folder in the same way as the command. Any comparison of contents has to do as much.
 * It is run as `node hash-child.mjs <folder>`.
 */
reportUsageAtExit()
const folder = process.argv[2]
for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) await lookAtFile(path.join(entry.parentPath, entry.name), (bytes) => sha256(bytes))
}
