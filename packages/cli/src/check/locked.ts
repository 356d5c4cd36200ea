import path from 'node:path'
import { factsOf, sha256 } from '@pixpress/core/internal'
import type { CacheStore } from '@pixpress/core'
import type { Lock, LockLine } from '@pixpress/core/internal'
import { formatBytes } from '@pixpress/core/report'
import { linesBySource } from './delivered-lines.ts'
import type { Finding } from './findings.ts'
import type { OutcomeIndex } from './outcome-index.ts'

/** Holds whole images against the lock, while their bytes are there. */
export interface LockCheck {
  /**
   * @param source the image's name in findings
   * @param file its absolute path
   * @param digest SHA-256 of its bytes
   */
  look(source: string, file: string, bytes: number, digest: string): void
  /** What the lock does not say of the images that were shown, and where the cache's results are others than those that it says they have. */
  findings(): Promise<Finding[]>
}

/** A line whose result is still to be compared with the cache's. */
interface Asked {
  readonly source: string
  /** Of the image. */
  readonly bytes: number
  readonly line: LockLine
}

/** @param index tells which entries are known to be as the lock says; `undefined`: none */
export function createLockCheck(lock: Lock, cache: CacheStore | undefined, index: OutcomeIndex | undefined): LockCheck {
  const shown = path.basename(lock.file)
  const linesOf = linesBySource(lock.lines)
  const missing: Finding[] = []
  const asked: Asked[] = []
  return {
    look(source, file, bytes, digest) {
      const own = linesOf.get(lock.nameOf(file)) ?? []
      // What 'compress' has replaced by its result is known by that.
      if (!own.some((line) => line.sha256 === digest || line.result === digest)) {
        const what = own.length === 0 ? `is missing in ${shown}` : `has changed since ${shown} was written`
        missing.push({ rule: 'not-locked', source, message: `The image ${what}: build, and commit that file.`, bytes })
      }
      for (const line of own) {
        if (line.sha256 !== digest || line.engine === 'service' || index?.isAsLocked(line)) continue
        asked.push({ source, bytes, line })
      }
    },
    async findings() {
      const differing: Finding[] = []
      for (const { source, bytes, line } of asked) {
        const entry = await cache?.get(line.key)
        if (entry === undefined) continue
        const isSource = entry.meta['same'] === true
        const size = isSource ? bytes : entry.data.length
        if ((isSource ? line.sha256 : sha256(entry.data)) === line.result && size === line.bytes) {
          index?.noteAsLocked(line)
          continue
        }
        const message = `Its ${factsOf(line.type).label} of ${formatBytes(line.bytes)} in ${shown} is another than the one of ${formatBytes(size)} in the cache: build again.`
        differing.push({ rule: 'lock-differs', source, message, bytes })
      }
      return [...missing, ...differing]
    },
  }
}
