import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { reportUsageAtExit } from '../measure/resource-usage.mjs'

/** Run as `node hash-child.mjs <folder>`: reads and hashes every file, small ones at once as the command does, which whoever compares contents has to do. */
reportUsageAtExit()
const folder = process.argv[2]
for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  createHash('sha256')
    .update(readFileSync(path.join(entry.parentPath, entry.name)))
    .digest('hex')
}
