import { createGate } from '../concurrency/gate.ts'
import type { ResolvedOptimizerOptions } from '../options.ts'
import { resultTypes } from '../plan.ts'
import { probeImage } from '../probe.ts'
import { createRunner } from '../threads/runner.ts'
import { engineVersions } from '../versions.ts'
import { workingMemory } from '../working-memory.ts'
import type { ImageEngine } from './image-engine.ts'

/** Threads of this machine, bounded by processors and memory. */
export function createLocalEngine({
  concurrency,
  memory,
}: Pick<ResolvedOptimizerOptions, 'concurrency' | 'memory'>): ImageEngine {
  const gate = createGate({ jobs: concurrency, memory })
  const runner = createRunner(concurrency)
  return {
    get identity() {
      return engineVersions()
    },
    accepts: () => true,
    heeded: (operations) => operations,
    async run(job) {
      const { source, type, operations, limits, file } = job
      const probe = await probeImage(source, type, limits, file)
      const weight = workingMemory(probe, resultTypes(type, operations))
      return { result: await gate.run(weight, () => runner.run(job)), compressions: 0, lasting: true }
    },
    reused: () => undefined,
    close: () => runner.close(),
  }
}
