import type { Alternatives, Combination } from './parse.ts'

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
