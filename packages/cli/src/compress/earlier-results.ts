import { createHash } from 'node:crypto'
import type { CacheStore } from '@pixpress/core'

/** Which files are lossy results of earlier runs: encoded once more, they lose detail a second time. */
export interface EarlierResults {
  /** The score that a file was compressed for; `undefined` where nobody knows of an earlier run. */
  scoreOf(file: Uint8Array): Promise<number | undefined>
  /** Takes note of a lossy result that was written. */
  note(result: Uint8Array, score: number): Promise<void>
}

/** Kept in the cache, by content: a file that is moved, or comes from another checkout, is still known. */
export function createEarlierResults(cache: CacheStore | undefined): EarlierResults {
  return {
    async scoreOf(file) {
      const score = (await cache?.get(earlierKey(file)))?.meta['score']
      return typeof score === 'number' ? score : undefined
    },
    note: async (result, score) => cache?.set(earlierKey(result), { meta: { score }, data: new Uint8Array() }),
  }
}

/** Where the cache says whether a file is one: a key that no result of the engine has. */
export const earlierKey = (bytes: Uint8Array): string =>
  createHash('sha256').update('pixpress: lossy result\0').update(bytes).digest('hex')
