import { PixpressError } from '../../base/errors.ts'
import type { Unsupported } from '../../encoding/codec.ts'
import { codecOf } from '../../formats/index.ts'
import type { ProbeResult } from '../../base/types.ts'
import { mayKeepType } from './job.ts'
import type { Job } from './job.ts'
import { NEARLY_NOTHING, assertDecodable } from './probe.ts'
import { unchanged } from './result.ts'
import type { Attempt } from './result.ts'

/**
 * An image that cannot be worked on stays as it is, with a note that says why.
 * @throws PixpressError `UNSUPPORTED_OPERATION` where it was to be changed
 */
export function passedThrough(job: Job, probe: ProbeResult, { kind, note }: Unsupported): Attempt {
  refuseChanges(job, kind)
  return { ...unchanged(probe), unsupported: true, notes: [note] }
}

/**
 * An animation of more pixels than are decoded: its frames are packed anew, one at a time.
 * @throws PixpressError `INPUT_TOO_LARGE` where it was to be changed
 */
export function repacked(job: Job, probe: ProbeResult): Attempt {
  const { source, type, operations, limits, file } = job
  if (askedChange(job) !== undefined) assertDecodable(probe, limits, file)
  const data = codecOf(type).repack?.run(source, operations.effort)
  return { ...unchanged(probe), candidates: data === undefined ? [] : [{ data, type, score: 100 }] }
}

/** @throws PixpressError `UNSUPPORTED_OPERATION` where an image of this kind is to get another size, background or type */
export function refuseChanges(job: Job, kind: string): void {
  const asked = askedChange(job)
  if (asked === undefined) return
  const sentence = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} cannot be ${asked}.`
  throw new PixpressError('UNSUPPORTED_OPERATION', sentence, { file: job.file })
}

/** What is asked for besides fewer bytes, as a participle. */
export function askedChange(job: Job): 'resized' | 'flattened' | 'adjusted' | 'converted' | undefined {
  const { resize, background, adjust } = job.operations
  if (resize !== null) return 'resized'
  if (background !== null) return 'flattened'
  if (adjust !== undefined) return 'adjusted'
  return mayKeepType(job) ? undefined : 'converted'
}

/**
 * Whether a file has so few bytes for its pixels that it shows one colour, or nearly so. There is nothing to gain, and such
 * files are made to cost their reader memory. An image that is to be changed is worked on all the same.
 */
export function isNearlyEmpty(job: Job, { width, height, frames }: ProbeResult): boolean {
  if (askedChange(job) !== undefined) return false
  const isSuspicious = width * height > (codecOf(job.type).mostTightPixels ?? 0)
  return isSuspicious && job.source.length < width * height * frames * NEARLY_NOTHING
}
