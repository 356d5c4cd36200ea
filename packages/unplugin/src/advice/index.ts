export { adviseOn, withEdits } from './advise.ts'
export { findElements, findTargets } from './find-targets.ts'
export type { Target, Wish } from './types.ts'
