import type { ErrorCode } from '../../base/errors.ts'
import { PixpressError } from '../../base/errors.ts'
import { codecFault } from '../../base/faults.ts'
import type { Job, JobResult } from '../../work/steps/job.ts'

/** A job that is sent to a thread. */
export interface Request {
  id: number
  job: Job
}

/** A thread's answer. */
export type Reply = { id: number; result: JobResult } | { id: number; error: PlainError }

/** An error in a form that can be sent between threads; the cause is kept as its text. */
export interface PlainError {
  code: ErrorCode
  message: string
  status: number
  file: string | undefined
  cause: string | undefined
}

/** Turns an error into a form that can be sent; errors that are no fault of ours keep their code. */
export function toPlainError(error: unknown): PlainError {
  const known = error instanceof PixpressError ? error : codecFault(error)
  if (known !== undefined) {
    const { code, message, status, file, cause } = known
    return { code, message, status, file, cause: cause === undefined ? undefined : String(cause) }
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const message = error instanceof Error ? error.message : text
  return { code: 'INTERNAL', message: `Unexpected failure: ${message}`, status: 500, file: undefined, cause: text }
}

/** Makes an error of its sent form. */
export function fromPlainError({ code, message, status, file, cause }: PlainError): PixpressError {
  return new PixpressError(code, message, { status, file, cause })
}
