import { detectType } from '../base/detect.ts'
import type { InputType } from '../base/types.ts'

/** The payloads of a file that is to be replaced by its result. */
export interface PayloadsInPlace {
  /** The names of all, for a note. */
  readonly names: readonly string[]
  /** The notes of a result that lacks them. */
  readonly losses: readonly string[]
  /** Every pixel is to be kept. */
  readonly isExact: boolean
  /** Returns a result with every payload; `undefined` where only the whole file keeps them. */
  keep(result: Uint8Array, type: InputType): Uint8Array | undefined
}

/**
 * Finds the payloads of a file that is to be replaced, as nothing else may have them; `undefined` if there are none.
 * The reader is loaded when this is first called.
 */
export async function payloadsInPlace(source: Uint8Array): Promise<PayloadsInPlace | undefined> {
  const { findPayloads, leftOut, withPayloads } = await import('../formats/payloads/find.ts')
  const type = detectType(source)
  const found = type === undefined ? [] : findPayloads(source, type)
  if (found.length === 0) return undefined
  const names = [...new Set(found.map(({ payload }) => payload.name))]
  return {
    names,
    losses: names.map(leftOut),
    isExact: found.some(({ payload }) => payload.exact === true),
    keep(result, resultType) {
      return found.some(({ parts }) => parts === undefined) ? undefined : withPayloads(result, resultType, found)
    },
  }
}
