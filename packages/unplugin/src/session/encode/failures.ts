import type { ErrorCode, PixpressError } from '@pixpress/core'
import type { ResolvedOptions } from '../options/options.ts'

/** Failures that every other image would have as well: of the machine, a service, or the options. */
const OF_ALL: ReadonlySet<ErrorCode> = new Set(['MACHINE_UNFIT', 'REMOTE_UNAVAILABLE', 'INVALID_OPTION'])

/**
 * Failures that say nothing bad of an image. Nobody expects that it is delivered as it is, so that has to be asked for.
 */
const BLAMELESS: ReadonlySet<ErrorCode> = new Set(['TIMEOUT', 'INTERNAL'])

/** Tells whether the failure of an image fails the build, and the image is not delivered as it is. */
export function failsBuild(
  { code }: Pick<PixpressError, 'code'>,
  { onError, onBlameless }: Pick<ResolvedOptions, 'onError' | 'onBlameless'>,
): boolean {
  return OF_ALL.has(code) || (BLAMELESS.has(code) ? onBlameless : onError) === 'error'
}
