import { PixpressError } from '../errors.ts'
import type { Job, JobResult } from '../engine/job.ts'

/** Where jobs are done. */
export interface Runner {
  run(job: Job): Promise<JobResult>
  close(): Promise<void>
}

/** Rejects with `TIMEOUT` when the work takes longer than the job's limit; `onTimeout` stops what can be stopped. */
export function withTimeout<T>(work: Promise<T>, { limits, file }: Job, onTimeout: () => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      onTimeout()
      reject(new PixpressError('TIMEOUT', `The image took longer than the limit of ${limits.timeout} ms.`, { file }))
    }, limits.timeout)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
