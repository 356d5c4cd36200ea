import { PixpressError } from '../../base/errors.ts'
import type { Job } from './job.ts'
import type { ResolvedAdjustments } from '../../operations/adjust.ts'

/** Returns `true` if adjustments leave transparent corners, because their background is not opaque. */
export function leavesClearCorners(adjust: ResolvedAdjustments | undefined): boolean {
  return adjust?.background !== undefined && adjust.background.length > 7
}

/**
 * Refuses adjustments and crops that would change from frame to frame.
 * @throws PixpressError `UNSUPPORTED_OPERATION`
 */
export function refuseForAnimation({ operations: { resize, adjust }, file }: Job): void {
  if (adjust?.normalize === true) {
    const message = 'An animation cannot be normalized: each frame would be stretched otherwise.'
    throw new PixpressError('UNSUPPORTED_OPERATION', message, { file })
  }
  if (typeof resize?.position === 'string') {
    const message = `An animation cannot be cropped by '${resize.position}', which looks at one picture: give a point or a side as 'position'.`
    throw new PixpressError('UNSUPPORTED_OPERATION', message, { file })
  }
}
