import { readFile } from 'node:fs/promises'
import { AUTO_TYPES, resolveOperations } from '@pixpress/core/internal'
import type { CacheStore, Operations, Optimizer, QualityLevel } from '@pixpress/core'
import type { FileOperations } from '../compress/file-operations.ts'

/** A result that an earlier run has made of an image with other operations than those of now. */
export interface KnownResult {
  /** `at quality 60`, `with convert: 'auto'`. */
  readonly how: string
  readonly bytes: number
}

/** Returns the results that earlier runs made of an image, the least change first. Encodes nothing. */
export type KnownWork = (source: string) => Promise<readonly KnownResult[]>

const LEVELS: readonly QualityLevel[] = ['balanced', 'small']

/**
 * @param cache where results of this machine are looked up; those of a service have keys of their own
 * @param fileOf absolute path of an image
 */
export function createKnownWork(
  optimizer: Optimizer,
  cache: CacheStore | undefined,
  fileOf: (source: string) => string,
  operations: (file: string) => FileOperations,
): KnownWork {
  return async (source) => {
    if (cache === undefined) return []
    const file = fileOf(source)
    const bytes = await readFile(file)
    const asked = operations(file)
    const results: KnownResult[] = []
    for (const { how, others } of alternatives(asked)) {
      const { key } = optimizer.plan(bytes, others, { file: source })
      const info = (await cache.get(key))?.meta['info'] as { readonly size?: number } | undefined
      if (info?.size !== undefined) results.push({ how, bytes: info.size })
    }
    return results
  }
}

function alternatives({ operations, score }: FileOperations): { how: string; others: Operations }[] {
  const lower = LEVELS.flatMap((quality) => {
    const least = resolveOperations({ quality }).score
    return least < score ? [{ how: `at quality ${least}`, others: { ...operations, quality } }] : []
  })
  const other =
    operations.convert === undefined
      ? [{ how: "with convert: 'auto'", others: { ...operations, convert: { type: AUTO_TYPES } } }]
      : []
  return [...lower, ...other]
}
