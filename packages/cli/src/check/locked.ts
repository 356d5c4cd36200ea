import path from 'node:path'
import { factsOf, sha256 } from '@pixpress/core/internal'
import type { CacheEntry, CacheStore, OptimizeResult } from '@pixpress/core'
import type { Lock, LockLine } from '@pixpress/core/internal'
import { formatBytes, whyOf } from '@pixpress/core/report'
import type { Why } from '@pixpress/core/report'
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
  /** Returns findings about images that the lock lacks, and about results of the cache that differ from the lock's. */
  findings(): Promise<Finding[]>
  /** Why the result of a line is no smaller, by its key, as far as the cache says; complete after `findings`. */
  readonly reasons: ReadonlyMap<string, Why>
}

/** A line whose result is still to be compared with the cache's. */
interface Asked {
  readonly source: string
  /** Size of the image. */
  readonly bytes: number
  readonly line: LockLine
}

/** @param index tells which entries are known to be as the lock says; `undefined`: none */
export function createLockCheck(lock: Lock, cache: CacheStore | undefined, index: OutcomeIndex | undefined): LockCheck {
  const shown = path.basename(lock.file)
  const linesOf = linesBySource(lock.lines)
  const missing: Finding[] = []
  const asked: Asked[] = []
  const reasons = new Map<string, Why>()
  const explain = ({ key }: LockLine, why: Why | undefined): void => void (why !== undefined && reasons.set(key, why))
  return {
    reasons,
    look(source, file, bytes, digest) {
      const own = linesOf.get(lock.nameOf(file)) ?? []
      // A file that 'compress' has replaced by its result is known by that.
      if (!own.some((line) => line.sha256 === digest || line.result === digest)) {
        const what = own.length === 0 ? `is missing in ${shown}` : `has changed since ${shown} was written`
        missing.push({ rule: 'not-locked', source, message: `The image ${what}: build, and commit that file.`, bytes })
      }
      for (const line of own) {
        if (line.sha256 !== digest || line.engine === 'service') continue
        const known = index?.findLocked(line)
        if (known === undefined) asked.push({ source, bytes, line })
        else explain(line, known.why)
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
          const why = reasonOf(line, entry.meta)
          index?.noteAsLocked(line, why)
          explain(line, why)
          continue
        }
        const message = `Its ${factsOf(line.type).label} of ${formatBytes(line.bytes)} in ${shown} is another than the one of ${formatBytes(size)} in the cache: build again.`
        differing.push({ rule: 'lock-differs', source, message, bytes })
      }
      return [...missing, ...differing]
    },
  }
}

/** Reasons that stand whatever an image was asked for. */
const OF_THE_FILE: ReadonlySet<Why['because']> = new Set(['finished', 'unsupported'])

/** No search for a smaller lossy result was made of an image that is to stay without loss. */
function reasonOf({ type, operations }: LockLine, meta: CacheEntry['meta']): Why | undefined {
  const why = whyOf({ ...(meta as Pick<OptimizeResult, 'reason' | 'refused' | 'declined'>), type })
  return why === undefined || (operations['lossless'] === true && !OF_THE_FILE.has(why.because)) ? undefined : why
}
