import type { Limits } from '../../base/limits.ts'
import { OPTIMIZER_OPTIONS } from '../../optimizer/options.ts'
import type { ProjectOption } from './option.ts'

interface LimitsOption {
  /** Bounds checked before anything is decoded. */
  limits?: Limits
}

/** The row of `limits`. */
export const limits: ProjectOption<LimitsOption> = {
  ...OPTIMIZER_OPTIONS.limits,
  place: 240,
  default: () => undefined,
}
