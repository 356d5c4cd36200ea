import { makePlaceholder } from '../../placeholder/make.ts'
import type { Placeholder } from '../../placeholder/kinds.ts'
import { codecOf } from '../../formats/index.ts'
import type { ProbeResult } from '../../base/types.ts'
import type { Picture } from '../../encoding/picture.ts'
import { decodePicture } from '../steps/decode.ts'
import type { DecodedPicture } from '../steps/decode.ts'
import type { Job } from '../steps/job.ts'
import { inputMayStay, isUntouched } from '../steps/result.ts'
import { timePhase } from '../../base/counters.ts'

/**
 * Mean difference of samples above which two files do not show the same picture. Decoders round differently where rows and
 * columns are exchanged: by 0.03 to 0.11 in nine photographs, whichever way chroma was halved.
 */
const MOST_DIFFERENCE = 0.5

/** A source decoded, and its own bytes where they may be used. */
export interface OpenedSource extends DecodedPicture {
  /** Whether no pixel was to be changed. */
  readonly untouched: boolean
  /** The source's own bytes, rotated upright without loss where EXIF rotates them; `undefined` where they do not show the picture so. */
  readonly upright: Uint8Array | undefined
  /** Of the pixels as they were decoded first, so that it is the same without any work on them. */
  readonly placeholder: Placeholder | undefined
}

/** Decodes a source. Where its type may stay, what EXIF rotates is rotated without loss, and then decoded once more. */
export async function openSource(job: Job, probe: ProbeResult): Promise<OpenedSource> {
  const decoded = await timePhase('decode', () => decodePicture(job, probe))
  const untouched = isUntouched(job, probe, decoded.resized)
  const placeholder = job.placeholder && (await makePlaceholder(decoded.picture, job.placeholder))
  const common = { untouched, placeholder }
  if (probe.orientation === 1) return { ...decoded, ...common, upright: untouched ? job.source : undefined }
  const source = inputMayStay(job, untouched) ? codecOf(job.type).rotate?.(job.source) : undefined
  if (source === undefined) return { ...decoded, ...common, upright: undefined }
  // Rotated, a damaged file may look different, or be refused.
  const rotated = await timePhase('decode', () =>
    decodePicture({ ...job, source }, { ...probe, orientation: 1 }),
  ).catch(() => undefined)
  return rotated !== undefined && isSame(rotated.picture, decoded.picture)
    ? { ...rotated, ...common, upright: source }
    : { ...decoded, ...common, upright: undefined }
}

function isSame(one: Picture, other: Picture): boolean {
  const { data } = other
  if (one.width !== other.width || one.height !== other.height || one.data.length !== data.length) return false
  let difference = 0
  for (let at = 0; at < data.length; at++) difference += Math.abs(one.data[at]! - data[at]!)
  return difference <= data.length * MOST_DIFFERENCE
}
