import { PixpressError, invalidOption } from '../errors.ts'

export interface LimitOptions {
  /** Jobs that run at once, 1 or more. */
  jobs: number
  /** Bytes that the weights of the running jobs may add up to. Default: no bound. */
  memory?: number
}

export interface Limit {
  /**
   * Runs a job as soon as there is room for it, and settles as the job does. Jobs start strictly in the order of the
   * calls: a heavy job is never overtaken. A job that is heavier than the whole bound runs alone. A job must
   * not wait for another one of the same limit.
   *
   * @param weight bytes of memory that the job needs, an estimate. Default 0
   * @throws {PixpressError} `INTERNAL` when the weight is not a finite number of 0 or more
   */
  run<T>(job: () => Promise<T>, weight?: number): Promise<T>
  /** Jobs running now. */
  readonly active: number
  /** Jobs that have not started. */
  readonly waiting: number
  /** The largest sum of weights that ran at once so far, in bytes. */
  readonly peakWeight: number
}

interface WaitingJob {
  readonly weight: number
  readonly start: () => void
}

/**
 * Bounds work by number (processors, requests) and by weight (memory) at once.
 * @throws {PixpressError} `INVALID_OPTION`
 */
export function createLimit({ jobs, memory = Infinity }: LimitOptions): Limit {
  if (!(jobs === Infinity || Number.isInteger(jobs)) || jobs < 1) {
    throw invalidOption('jobs', 'a whole number of 1 or more', jobs)
  }
  if (typeof memory !== 'number' || !(memory > 0)) {
    throw invalidOption('memory', 'a number of bytes above 0', memory)
  }
  const queue: WaitingJob[] = []
  let active = 0
  let weightNow = 0
  let peakWeight = 0

  function hasRoomFor(weight: number): boolean {
    return active === 0 || (active < jobs && weightNow + weight <= memory)
  }

  function startNext(): void {
    for (let next = queue[0]; next !== undefined && hasRoomFor(next.weight); next = queue[0]) {
      queue.shift()
      active++
      weightNow += next.weight
      peakWeight = Math.max(peakWeight, weightNow)
      next.start()
    }
  }

  return {
    async run<T>(job: () => Promise<T>, weight: number = 0): Promise<T> {
      if (!Number.isFinite(weight) || weight < 0) {
        throw new PixpressError('INTERNAL', `Expected a job's weight of 0 bytes or more but received ${weight}.`)
      }
      await new Promise<void>((start) => {
        queue.push({ weight, start })
        startNext()
      })
      try {
        return await job()
      } finally {
        active--
        weightNow -= weight
        startNext()
      }
    },
    get active() {
      return active
    },
    get waiting() {
      return queue.length
    },
    get peakWeight() {
      return peakWeight
    },
  }
}
