import sharp from 'sharp'
import type { Candidate } from '../../encoding/request.ts'
import { codecOf } from '../../formats/index.ts'
import type { InputType, ProbeResult } from '../../base/types.ts'
import { fitBytes } from '../steps/fit-bytes.ts'
import { decodeFailed } from '../steps/job.ts'
import type { Job } from '../steps/job.ts'
import { stripMetadata } from '../steps/metadata.ts'
import { inputMayStay, isUntouched } from '../steps/result.ts'
import type { Attempt } from '../steps/result.ts'
import { resizedSize, rotatedSize } from '../../resample/size.ts'
import { leavesClearCorners, refuseForAnimation } from '../steps/adjust.ts'
import { assertWithin } from '../../crop/resize-raster.ts'
import { mostBytesInOwnType } from '../steps/selection.ts'
import { isSmallestWanted, wantedTypes } from '../steps/wanted-types.ts'
import { surveyFrames } from '../../encoding/frame-survey.ts'
import type { Timing } from '../../encoding/frames.ts'
import { chooseAnimationCrop, openAnimation } from './open-animation.ts'
import type { AnimationJob } from './open-animation.ts'
import { timePhase } from '../../base/counters.ts'

/** Encodes an animation in the requested types. */
export async function attemptAnimation(job: AnimationJob, probe: ProbeResult): Promise<Attempt> {
  const { resize, background, score, maxBytes, adjust } = job.operations
  refuseForAnimation(job)
  const crop = await chooseAnimationCrop(job, probe)
  const padding = crop?.background
  const isClear = (Array.isArray(padding) && padding[3] < 255) || leavesClearCorners(adjust)
  const hasAlpha = (probe.hasAlpha && background === null) || isClear
  const resized = crop?.size ?? resizedSize(probe, resize)
  const { width, height } = rotatedSize(resized, adjust?.rotate)
  assertWithin({ width, height: height * probe.frames }, job.limits.maxPixels, job.file)
  const types = wantedTypes(job, { animated: true, transparent: hasAlpha, width, height })
  const isResized = crop !== undefined || resized.width !== probe.width || resized.height !== probe.height
  const untouched = isUntouched(job, probe, isResized)
  const encode = (aim: number): Promise<Candidate[]> =>
    encodeAnimation({ ...job, crop, operations: { ...job.operations, score: aim } }, probe, types, untouched)
  const made = await fitBytes(encode, score, maxBytes)
  const mayStay = inputMayStay(job, untouched)
  const triedFrom = mayStay && !types.includes(job.type) ? bytesToTryOwn(job) : undefined
  const own =
    triedFrom !== undefined && made.every(({ data }) => data.length >= triedFrom)
      ? await encodeAnimation({ ...job, crop }, probe, [job.type], untouched)
      : []
  const candidates = [...made, ...own]
  return { candidates, width, height, hasAlpha, inputMayStay: mayStay, notes: [] }
}

/**
 * An animated GIF is smallest as GIF if it is tiny: of 15 files 3 were, of 121 to 1,559 bytes, and other types took
 * more than half of each.
 */
const HALF_OF_GIF = 0.5

/** Returns the bytes that results in other types have to take for the own type to be tried; `undefined`: it is not. */
function bytesToTryOwn({ source, type, operations }: Job): number | undefined {
  if (type === 'image/gif') return source.length * HALF_OF_GIF
  return isSmallestWanted(operations) ? source.length : undefined
}

/**
 * Encodes the frames in some types. Frames, delays and the loop count stay as they are. It also serves still images of
 * types that only have an encoder of animations.
 * @param untouched `true` if no pixel is to be changed
 */
export async function encodeAnimation(
  job: AnimationJob,
  probe: ProbeResult,
  types: readonly InputType[],
  untouched: boolean,
): Promise<Candidate[]> {
  const failed = (error: unknown): never => {
    throw decodeFailed(job, error)
  }
  const { open, original, timed } = await openAnimation(job, probe).catch(failed)
  // Every frame is decoded once before encoders begin, so that damage is told as such.
  await timePhase('decode', () => surveyFrames(original)).catch(failed)
  const timing = await timingOf(job).catch(failed)
  const { score: target, effort } = job.operations
  const candidates: Candidate[] = []
  for (const type of types) {
    // The file's own frames are stored as they are before EXIF turns them.
    const source = untouched && type === job.type && probe.orientation === 1 ? job.source : undefined
    const mostBytes = source === undefined ? mostBytesInOther(job, untouched) : mostBytesInOwnType(job)
    const rivalled = isSmallestWanted(job.operations)
    const request = { open, original, timing, timed, target, effort, source, mostBytes, rivalled }
    const written = await codecOf(type).encodeAnimation?.(request)
    candidates.push(...(written ?? []).filter(({ score }) => job.operations.lossless !== true || score === 100))
  }
  return candidates
}

/** Returns the bytes of the input where a larger result in another type is of no use, as several were requested. */
function mostBytesInOther(job: Job, untouched: boolean): number | undefined {
  const isOfNoUse = isSmallestWanted(job.operations) && inputMayStay(job, untouched)
  return isOfNoUse ? stripMetadata(job.source, job.type).length : undefined
}

async function timingOf({ source, composed }: AnimationJob): Promise<Timing> {
  if (composed !== undefined) return composed.timing
  const { delay = [], loop = 0 } = await sharp(source, { animated: true, limitInputPixels: false }).metadata()
  return { delays: delay.map((shown) => [shown, 1000] as const), plays: loop }
}
