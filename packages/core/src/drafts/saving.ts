import { factsOf } from '../base/formats.ts'
import type { InputType } from '../base/format-names.ts'

/** Returns the bytes that the final result of a draft is expected to save: an estimate from its type. */
export const expectedSaving = ({ type, bytes }: { readonly type: InputType; readonly bytes: number }): number =>
  bytes * (factsOf(type).effort?.saving ?? 0)
