import type { InputType } from '../base/facts.ts'

/** The share of bytes that `default` saves against `fast`, as `bench/cost.mjs` measured it (docs/effort.md). */
const SHARES: Readonly<Partial<Record<InputType, number>>> = {
  'image/jpeg': 0.07,
  'image/webp': 0.14,
  'image/png': 0.05,
  'image/avif': 0.11,
}

/** Returns the bytes that the final result of a draft is expected to save: an estimate from its type. */
export const expectedSaving = ({ type, bytes }: { readonly type: InputType; readonly bytes: number }): number =>
  bytes * (SHARES[type] ?? 0)
