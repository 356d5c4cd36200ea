import type { ErrorCode } from '../../base/errors.ts'
import { PixpressError, namedError } from '../../base/errors.ts'
import { codecFault } from '../../base/faults.ts'
import type { Job, JobResult } from '../../work/steps/job.ts'

/** A job that is sent to a thread. */
export interface Request {
  id: number
  job: Job
}

/** A thread's answer. */
export type Reply = { id: number; result: JobResult } | { id: number; error: PlainError }

/** An error in a form that can be sent between threads. The cause is kept as text: a stack for a fault of code. */
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
    return { code, message, status, file, cause: textOf(cause, code) }
  }
  return toPlainError(namedError(error, undefined))
}

/** A fault of code is found by its stack; what a decoder says of data is one line. */
function textOf(cause: unknown, code: ErrorCode): string | undefined {
  if (cause === undefined) return undefined
  return code === 'INTERNAL' && cause instanceof Error ? (cause.stack ?? String(cause)) : String(cause)
}

/** Makes an error of its sent form. */
export function fromPlainError({ code, message, status, file, cause }: PlainError): PixpressError {
  return new PixpressError(code, message, { status, file, cause })
}
