import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { factsOf } from '@pixpress/core/internal'
import type { CacheStore } from '@pixpress/core'
import type { Lock, LockLine } from '@pixpress/core/internal'
import { formatBytes } from '@pixpress/core/report'
import type { Finding } from './findings.ts'
import type { CheckedImage } from './images.ts'

/**
 * What the lock does not say of whole images, and where the cache's results are others than those that it says they have.
 * @param root absolute folder that the images' paths are relative to
 */
export async function lockFindings(
  images: readonly CheckedImage[],
  lock: Lock,
  root: string,
  cache: CacheStore | undefined,
): Promise<Finding[]> {
  const shown = path.basename(lock.file)
  const linesOf = new Map<string, LockLine[]>()
  for (const line of lock.lines) linesOf.set(line.source, [...(linesOf.get(line.source) ?? []), line])
  const findings: Finding[] = []
  for (const { source, bytes } of images) {
    const file = path.resolve(root, source)
    const contents = await readFile(file)
    const digest = sha256(contents)
    const own = linesOf.get(lock.nameOf(file)) ?? []
    // What 'compress' has replaced by its result is known by that.
    if (!own.some((line) => line.sha256 === digest || line.result === digest)) {
      const what = own.length === 0 ? `is missing in ${shown}` : `has changed since ${shown} was written`
      findings.push({ rule: 'not-locked', source, message: `The image ${what}: build, and commit that file.`, bytes })
    }
    for (const line of own.filter((each) => each.sha256 === digest && each.engine !== 'service')) {
      const entry = await cache?.get(line.key)
      if (entry === undefined) continue
      const result = entry.meta['same'] === true ? contents : entry.data
      if (sha256(result) === line.result) continue
      const message = `Its ${factsOf(line.type).label} of ${formatBytes(line.bytes)} in ${shown} is another than the one of ${formatBytes(result.length)} in the cache: build again.`
      findings.push({ rule: 'lock-differs', source, message, bytes })
    }
  }
  return findings
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
