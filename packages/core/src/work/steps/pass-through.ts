import { PixpressError } from '../../base/errors.ts'
import type { Unsupported } from '../../encoding/codec.ts'
import { codecOf } from '../../formats/index.ts'
import type { ProbeResult } from '../../base/types.ts'
import { askedChange } from './job.ts'
import type { Job } from './job.ts'
import { NEARLY_NOTHING, assertDecodable } from './probe.ts'
import { unchanged } from './result.ts'
import type { Attempt } from './result.ts'

/**
 * Leaves an image unchanged that cannot be worked on, with a note that gives the reason.
 * @throws PixpressError `UNSUPPORTED_OPERATION` if it was to be changed
 */
export function passedThrough(job: Job, probe: ProbeResult, { kind, note }: Unsupported): Attempt {
  refuseChanges(job, kind)
  return { ...unchanged(probe), unsupported: true, notes: [note] }
}

/**
 * Compresses the frames of an animation again, one at a time, if it has too many pixels to be decoded.
 * @throws PixpressError `INPUT_TOO_LARGE` if it was to be changed
 */
export function repacked(job: Job, probe: ProbeResult): Attempt {
  const { source, type, operations, limits, file } = job
  if (askedChange(job) !== undefined) assertDecodable(probe, limits, file)
  const data = codecOf(type).repack?.run(source, operations.effort)
  return { ...unchanged(probe), candidates: data === undefined ? [] : [{ data, type, score: 100 }] }
}

/**
 * Refuses to change the size, background, adjustments or type of an image of this kind.
 * @throws PixpressError `UNSUPPORTED_OPERATION`
 */
export function refuseChanges(job: Job, kind: string): void {
  const asked = askedChange(job)
  if (asked === undefined) return
  const sentence = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} cannot be ${asked}.`
  throw new PixpressError('UNSUPPORTED_OPERATION', sentence, { file: job.file })
}

/**
 * Returns `true` if a file has so few bytes for its pixels that it shows almost only one colour. Nothing can be saved,
 * and such files are often made to exhaust a reader's memory. An image that is to be changed is worked on all the same.
 */
export function isNearlyEmpty(job: Job, { width, height, frames }: ProbeResult): boolean {
  if (askedChange(job) !== undefined) return false
  const isSuspicious = width * height > (codecOf(job.type).mostTightPixels ?? 0)
  return isSuspicious && job.source.length < width * height * frames * NEARLY_NOTHING
}
