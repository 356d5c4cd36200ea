import { codecOf } from '../../formats/index.ts'
import type { ProbeResult } from '../../base/types.ts'
import { infoOf, mayKeepType } from './job.ts'
import type { Job, JobResult } from './job.ts'

/**
 * Tells whether an image stays byte for byte, as it has content credentials (C2PA) and `preserve` names `provenance`.
 *
 * Credentials are signed together with a hash of the file's bytes. Copied into other bytes, however alike the pictures,
 * validators call the file invalid (`assertion.dataHash.mismatch`), which says more against it than no credentials do;
 * and only who has a signer's key can make new ones. So nothing can be kept of them but the file itself. An image that
 * is resized, adjusted, flattened or converted loses them, whatever was asked for.
 */
export function keepsCredentials(job: Job, { hasAlpha }: Pick<ProbeResult, 'hasAlpha'>): boolean {
  const { preserve, resize, adjust, background } = job.operations
  if (!preserve.includes('provenance')) return false
  const isChanged = resize !== null || adjust !== undefined || (background !== null && hasAlpha) || !mayKeepType(job)
  return !isChanged && codecOf(job.type).extras?.(job.source).hasCredentials === true
}

/** Returns the source itself as the result. */
export function withCredentials(job: Job, probe: ProbeResult): JobResult {
  const info = infoOf(probe)
  const { maxBytes } = job.operations
  const isTooLarge = maxBytes !== null && job.source.length > maxBytes
  const notes = isTooLarge ? [`Has more than ${maxBytes} bytes, as its content credentials hold for these alone.`] : []
  return { data: job.source, info, input: info, kept: 'input', reason: 'credentials', notes }
}
