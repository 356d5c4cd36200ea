export { adviseOn, withEdits } from './advise.ts'
export { findElements, findTargets } from './find-targets.ts'
export type { Advice, AdviceEdit, Target, TargetKind, TargetUrl, WindowWidth, Wish, WishPart } from './types.ts'
