import { withoutIt } from '../../base/faults.ts'
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
 * Mean difference of samples above which two files do not show the same picture. Decoders round differently if rows and
 * columns are exchanged: by 0.03 to 0.11 in nine photographs, for every direction of chroma subsampling.
 */
const MOST_DIFFERENCE = 0.5

/** A decoded source, with its own bytes if they may be used. */
export interface OpenedSource extends DecodedPicture {
  /** `true` if no pixel was to be changed. */
  readonly untouched: boolean
  /**
   * The source's own bytes, rotated without loss if EXIF rotates them. `undefined` if they do not show the picture
   * upright.
   */
  readonly upright: Uint8Array | undefined
  /** The placeholder of the pixels from the first decoding, so that it does not depend on later work. */
  readonly placeholder: Placeholder | undefined
}

/** Decodes a source. If its type may stay and EXIF rotates it, it is rotated without loss and decoded again. */
export async function openSource(job: Job, probe: ProbeResult): Promise<OpenedSource> {
  const decoded = await timePhase('decode', () => decodePicture(job, probe))
  const untouched = isUntouched(job, probe, decoded.resized)
  const placeholder = job.placeholder && (await makePlaceholder(decoded.picture, job.placeholder))
  const common = { untouched, placeholder }
  if (probe.orientation === 1) return { ...decoded, ...common, upright: untouched ? job.source : undefined }
  const source = inputMayStay(job, untouched) ? codecOf(job.type).rotate?.(job.source) : undefined
  if (source === undefined) return { ...decoded, ...common, upright: undefined }
  // A damaged file may look different after the rotation, or be refused.
  const rotated = await timePhase('decode', () =>
    decodePicture({ ...job, source }, { ...probe, orientation: 1 }),
  ).catch(withoutIt)
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
