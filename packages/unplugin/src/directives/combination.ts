import type { Adjustments, OperationDirectives } from '@pixpress/core'
import type { ImageDirectives } from './rows.ts'

/** One value for each directive with alternatives that was given: what one image is asked to be. */
export type Combination = Partial<Omit<ImageDirectives, 'w'>> & { w?: number } & Omit<Adjustments, 'background'> & {
    /** The option that the directive of an operation says. */
    [Word in Exclude<keyof OperationDirectives, keyof ImageDirectives>]?: unknown
  }

/** The alternatives of each directive. The order of the keys is the order of the product, the first outermost. */
export type Alternatives = { [Name in keyof Combination]?: readonly NonNullable<Combination[Name]>[] }

/** The same as they are written, with `w=auto` still in them. */
export type WrittenAlternatives = Omit<Alternatives, 'w'> & { readonly w?: readonly ImageDirectives['w'][] }

/**
 * Every combination of the alternatives, the first directive outermost, which is imagetools' order: `w=1;2&format=a;b`
 * gives 1a, 1b, 2a, 2b. Without any directive there is one combination, the empty one.
 */
export function cartesianProduct(alternatives: Alternatives): readonly Combination[] {
  return Object.entries(alternatives).reduce<readonly Combination[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((combination) => values.map((value): Combination => ({ ...combination, [name]: value }))),
    [{}],
  )
}
