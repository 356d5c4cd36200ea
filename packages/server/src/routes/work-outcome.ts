import type { ImageInfo } from '@pixpress/core'
import type { PlainError } from '@pixpress/core/internal'
import { BOOLEAN, COUNT, ORIENTATION, POSITIVE, TEXT, TYPE, asShape } from '../storage/stored-records.ts'
import type { Shape } from '../storage/stored-records.ts'

/** The answer of a server that has worked on another server's upload. The result is in the storage of outputs. */
export type WorkOutcome =
  | { readonly info: ImageInfo; readonly input: ImageInfo; readonly orientation?: number | undefined }
  | { readonly error: PlainError }

const INFO: Shape = {
  type: TYPE,
  // An SVG may have none.
  width: COUNT,
  height: COUNT,
  size: COUNT,
  frames: POSITIVE,
  hasAlpha: BOOLEAN,
}

const ERROR: Shape = {
  code: { expected: 'a code', holds: (value) => typeof value === 'string' && /^[A-Z_]{1,40}$/.test(value) },
  message: TEXT,
  status: {
    expected: 'a status',
    holds: (value) => Number.isInteger(value) && [4, 5].includes(Math.floor(+value! / 100)),
  },
}

/**
 * Checks what another server has answered.
 * @throws DamagedRecordError
 */
export function parseWorkOutcome(value: unknown): WorkOutcome {
  const what = 'an outcome'
  const isError = typeof value === 'object' && value !== null && 'error' in value
  if (!isError) return asShape<WorkOutcome>(what, value, { info: INFO, input: INFO, orientation: ORIENTATION })
  const { error, ...rest } = value
  asShape(what, rest, {})
  // JSON leaves these two out where there is none.
  const { file, cause, ...known } = (error ?? {}) as Partial<PlainError>
  for (const text of [file, cause]) if (text !== undefined) asShape(what, { text }, { text: TEXT })
  return { error: { ...asShape<Pick<PlainError, 'code' | 'message' | 'status'>>(what, known, ERROR), file, cause } }
}
