import { createPool } from './pool.ts'
import type { Runner } from './pool.ts'
import { createProcess } from './process.ts'
import { createTimeLimits } from './time-limit.ts'

/**
 * Threads, so that the event loop of a dev server or a bundler never waits for pixels. From TypeScript sources and in
 * Bun, whose workers cannot hold sharp reliably, jobs run on the calling thread instead.
 */
export function createRunner(size: number, ownProcess: boolean | 'sandboxed'): Runner {
  if (import.meta.url.endsWith('.ts') || process.versions.bun !== undefined) return createInlineRunner()
  return ownProcess === false ? createPool(size) : createProcess(size, { sandboxed: ownProcess === 'sandboxed' })
}

/** Creates a runner that works in this thread. */
export function createInlineRunner(): Runner {
  const timeLimits = createTimeLimits()
  return {
    async run(job) {
      const { runJob } = await import('../../work/run.ts')
      return timeLimits.within(runJob(job), job, () => undefined)
    },
    close: () => Promise.resolve(),
  }
}
