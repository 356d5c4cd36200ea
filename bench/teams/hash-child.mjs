import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { lookAtFile, sha256 } from '@pixpress/core/internal'
import { reportUsageAtExit } from '../measure/resource-usage.mjs'

/** Run as `node hash-child.mjs <folder>`: reads and hashes every file as the command does, which whoever compares contents has to do. */
reportUsageAtExit()
const folder = process.argv[2]
for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) await lookAtFile(path.join(entry.parentPath, entry.name), (bytes) => sha256(bytes))
}
