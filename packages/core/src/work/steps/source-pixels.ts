import { digestOf } from '../../base/digest.ts'
import { codecOf } from '../../formats/index.ts'
import { dropOpaqueAlpha } from '../../resample/raster.ts'
import type { ProbeResult } from '../../base/types.ts'
import { dropScorer } from './held-scorer.ts'
import { decodePixels } from './decode-pixels.ts'
import type { DecodedPixels } from './decode-pixels.ts'
import { decodeFailed } from './job.ts'
import type { Job } from './job.ts'
import { applyToRaster, askedOf } from '../../operations/index.ts'
import type { ResizedRaster } from '../../crop/resize-raster.ts'

/** The upright pixels of a source, resized as requested. */
export interface SourcePixels extends ResizedRaster {
  readonly space: DecodedPixels['space']
  readonly isNear?: true
  /** `true` if the requested resize changed anything. */
  readonly resized: boolean
}

/**
 * Limits for a decoded source that is kept for other sizes and types of the same picture, which mostly come next: its
 * bytes (16 megapixels at 24 bits per pixel), and the milliseconds until it is released.
 */
const MOST_KEPT_BYTES = 48 * 2 ** 20
const KEPT_FOR = 60_000

interface Kept {
  readonly source: string
  readonly decoded: Promise<DecodedPixels>
  size: string
  resized: Promise<SourcePixels> | undefined
}

let kept: Kept | undefined
let forgetting: NodeJS.Timeout | undefined

/**
 * Decodes and resizes a source. If a picture is requested in several sizes and types in a row, it is decoded once, and
 * each size is made once for all types. Several jobs may share the pixels, so nobody may write to them.
 * @throws PixpressError `DECODE_FAILED`; `INPUT_TOO_LARGE` for a thumbnail beyond the limit
 */
export async function openPixels(job: Job, probe: ProbeResult): Promise<SourcePixels> {
  const asked = askedOf('raster', job.operations)
  const decode = (): Promise<DecodedPixels> => decodeUpright(job, probe)
  // Pixels that are not resized are seldom requested twice, and would take memory that the encoders need.
  const mayBeKept = asked.some((each) => each !== null) && probe.width * probe.height * 3 <= MOST_KEPT_BYTES
  if (!mayBeKept) {
    kept = undefined
    dropScorer()
    return resizedFrom(await decode(), job)
  }
  const source = `${job.digest ?? digestOf(job.source)} ${probe.orientation}`
  if (kept?.source !== source) {
    dropScorer()
    kept = { source, decoded: decode(), size: '', resized: undefined }
  }
  const mine = kept
  clearTimeout(forgetting)
  forgetting = setTimeout(() => (kept = undefined), KEPT_FOR).unref()
  try {
    const size = `${JSON.stringify(asked)} ${job.limits.maxPixels}`
    if (mine.resized === undefined || mine.size !== size) {
      dropScorer()
      mine.size = size
      mine.resized = mine.decoded.then((decoded) => resizedFrom(decoded, job))
    }
    return await mine.resized
  } catch (error) {
    if (kept === mine) kept = undefined
    throw error
  }
}

async function decodeUpright(job: Job, probe: ProbeResult): Promise<DecodedPixels> {
  const readable = codecOf(job.type).readable?.(job.source) ?? job.source
  const decoded = await decodePixels(readable, probe, job.limits.maxPixels).catch((error: unknown) => {
    throw decodeFailed(job, error)
  })
  return { ...decoded, raster: dropOpaqueAlpha(decoded.raster) }
}

async function resizedFrom({ raster, ...decoded }: DecodedPixels, job: Job): Promise<SourcePixels> {
  const bounds = { maxPixels: job.limits.maxPixels, file: job.file }
  const made = await applyToRaster(raster, job.operations, bounds)
  return { ...made, ...decoded, resized: made.raster !== raster }
}
