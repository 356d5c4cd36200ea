import type { Kernel, ResizeMethod } from './values.ts'

/** sharp's strategies, which look at the picture. */
export const STRATEGIES = ['entropy', 'attention'] as const

/** Shares of the width and the height, 0 to 1, from the left and the top. */
export type Point = readonly [x: number, y: number]

/** A strategy of sharp's. */
export type Strategy = (typeof STRATEGIES)[number]

/** A resize after validation: colours, points and ratios in one form, and nothing that says what holds anyway. */
export interface ResolvedResize {
  readonly method: ResizeMethod
  readonly width?: number
  readonly height?: number
  /** Width divided by height; absent where both dimensions are given. */
  readonly aspect?: number
  readonly position?: Point | Strategy
  /** `#rrggbb` or `#rrggbbaa`. */
  readonly background?: string
  readonly kernel?: Kernel
  readonly enlarge?: true
  readonly reduce?: false
}
