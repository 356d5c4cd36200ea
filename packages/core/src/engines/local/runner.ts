import { createPool, withTimeout } from './pool.ts'
import type { Runner } from './pool.ts'
import { createProcess } from './process.ts'

/**
 * Threads, so that the event loop of a dev server or a bundler never waits for pixels. From TypeScript sources and in
 * Bun, whose workers cannot hold sharp reliably, jobs run on the calling thread instead.
 */
export function createRunner(size: number, ownProcess: boolean): Runner {
  if (import.meta.url.endsWith('.ts') || process.versions.bun !== undefined) return createInlineRunner()
  return ownProcess ? createProcess(size) : createPool(size)
}

export function createInlineRunner(): Runner {
  return {
    async run(job) {
      const { runJob } = await import('../../work/run.ts')
      return withTimeout(runJob(job), job, () => undefined)
    },
    close: () => Promise.resolve(),
  }
}
