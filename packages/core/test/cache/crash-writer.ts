import { createFileCache } from '../../src/cache/file-store.ts'
import { CRASH_KEYS, crashEntry } from './crash-entries.ts'

/**
 * Runs a process that sets entries until it is killed: `node crash-writer.js <folder>`. It prints a line once it has
 * begun.
 */
const cache = createFileCache({
  dir: process.argv[2]!,
  onWarning(message) {
    throw new Error(message)
  },
})
for (let version = 0; ; version++) {
  await Promise.all(CRASH_KEYS.map((key) => cache.set(key, crashEntry(key, version))))
  if (version === 0) process.stdout.write('writing\n')
}
