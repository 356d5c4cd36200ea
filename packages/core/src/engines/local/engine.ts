import { digestOf } from '../../base/digest.ts'
import { createLimit } from '../../concurrency/limit.ts'
import { resultTypes } from '../../plan/plan.ts'
import { requireCodecs } from '../load-codecs.ts'
import { createRunner } from './runner.ts'
import { engineVersions } from '../../base/versions.ts'
import { resultSize } from '../../resample/size.ts'
import { workingMemory } from './memory.ts'
import type { Job, JobResult, Judgement } from '../../work/steps/job.ts'
import type { ByteCurve } from '../../work/steps/byte-curve.ts'
import type { Placeholder } from '../../placeholder/kinds.ts'
import type { ImageEngine } from '../contract.ts'
import { withWait } from '../../base/counters.ts'

/** The engine that runs on this machine. */
export interface LocalEngine extends ImageEngine {
  /**
   * Returns the placeholder that a job asks for, without any other work on the image.
   * @throws PixpressError
   */
  placeholder(job: Job): Promise<Placeholder>
  /**
   * Measures how many bytes a job's picture takes at which width.
   * @throws PixpressError
   */
  curve(job: Job): Promise<ByteCurve>
  /**
   * Judges an encoded picture against a job's source; `undefined` where the two cannot be compared.
   * @throws PixpressError
   */
  judgement(job: Job & { encoded: Uint8Array }): Promise<Judgement | undefined>
}

/**
 * The share of the memory beyond which lighter images go first. Two large photographs still are worked on at once where
 * nothing else is to be done. Images of a site rarely are all large.
 */
const PREFERRED_SHARE = 1 / 3

/** Threads of this machine, bounded by processors and memory. */
export function createLocalEngine({
  concurrency,
  memory,
  ownProcess,
}: {
  /** Images worked on at once. */
  concurrency: number
  /** Bytes that images in work may take together. */
  memory: number
  /** Threads belong to a process of their own, in a sandbox where one is asked for and there is one. */
  ownProcess: boolean | 'sandboxed'
}): LocalEngine {
  const limit = createLimit({ jobs: concurrency, memory, preferred: memory * PREFERRED_SHARE })
  const runner = createRunner(concurrency, ownProcess)
  /** Runs work that needs the pixels and gives no image. */
  async function measured(job: Job): Promise<JobResult> {
    await requireCodecs()
    const { probeImage } = await import('../../work/steps/probe.ts')
    const probe = await probeImage(job.source, job.type, job.limits, job.file)
    return limit.run(
      () => runner.run({ ...job, probe, digest: digestOf(job.source) }),
      workingMemory(probe, [job.type]),
    )
  }

  return {
    get identity() {
      return engineVersions()
    },
    accepts: () => true,
    relevantOperations: (operations) => operations,
    async run(job) {
      const { source, type, operations, limits, file } = job
      await requireCodecs()
      const { probeImage } = await import('../../work/steps/probe.ts')
      const probe = await probeImage(source, type, limits, file)
      const weight = workingMemory(probe, resultTypes(type, operations), resultSize(probe, operations))
      const digest = digestOf(source)
      const family = familyOf(job, digest)
      const began = performance.now()
      const { work, ...result } = await limit.run(() => runner.run({ ...job, family, probe, digest }), weight, family)
      const waited = work && withWait(work, performance.now() - began - work.milliseconds.total)
      return { result: { ...result, ...(waited && { work: waited }) }, compressions: 0, lasting: true }
    },
    placeholder: async (job) => (await measured({ ...job, only: 'placeholder' })).placeholder!,
    curve: async (job) => (await measured({ ...job, only: 'curve' })).curve!,
    judgement: async (job) => (await measured({ ...job, only: 'judgement' })).judgement,
    reused: () => undefined,
    close: () => runner.close(),
  }
}

/**
 * Returns the name that jobs for several types of one resized picture share. A picture that is not resized is seldom
 * wanted in several types, each by a job of its own.
 */
function familyOf({ operations: { resize } }: Job, digest: string): string | undefined {
  if (resize === null) return undefined
  return `${digest} ${JSON.stringify(resize)}`
}
