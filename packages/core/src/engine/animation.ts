import sharp from 'sharp'
import type { Sharp, WebpOptions } from 'sharp'
import type { InputType, ProbeResult } from '../types.ts'
import { composeFrames } from './apng/compose.ts'
import { decodeApng, encodeApng } from './apng/encode.ts'
import { milliseconds, readApng } from './apng/read.ts'
import type { Apng } from './apng/read.ts'
import { WEBP_EFFORT_4 } from './curves.ts'
import { decodeFailed, openAnimation } from './decode.ts'
import { decodeFrames, worstFrame } from './frames.ts'
import type { Frames, Timing } from './frames.ts'
import type { Candidate, Job } from './job.ts'
import { searchQuality } from './search.ts'

/** Frames that are compared in a search, spread evenly; the last result is compared on every frame. */
const SAMPLED_FRAMES = 6

/** Points above the target that the sampled frames must reach, as the worst of all frames lies a little lower. */
const SAMPLING_MARGIN = 1

/** The source's frames as they are seen, for types that libvips reads the first frame of only. */
export interface ComposedAnimation {
  readonly apng: Apng
  readonly frames: Frames
}

/** @throws PixpressError `DECODE_FAILED`; ApngError where the file is not as the specification has it */
export async function composeAnimation(job: Job): Promise<ComposedAnimation> {
  const apng = readApng(job.source)
  const frames = await composeFrames(apng).catch((error: unknown) => {
    throw decodeFailed(job, error)
  })
  return { apng, frames }
}

/** An animation on its way from one file to others. */
interface Work {
  readonly job: Job
  /** Resized and filled, for an encoder. */
  readonly open: () => Sharp
  /** The same decoded: what results are compared with. */
  readonly original: Frames
  readonly timing: Timing
  readonly untouched: boolean
}

/** Ways to write an animation in the given types. Frames, delays and the loop count stay as they are. */
export async function encodeAnimation(
  job: Job,
  probe: ProbeResult,
  types: readonly InputType[],
  untouched: boolean,
): Promise<Candidate[]> {
  const failed = (error: unknown): never => {
    throw decodeFailed(job, error)
  }
  const open = await openAnimation(job, probe).catch(failed)
  const original = await decodeFrames(open()).catch(failed)
  const work: Work = { job, open, original, timing: await timingOf(job), untouched }
  const candidates: Candidate[] = []
  for (const type of types) {
    if (type === 'image/gif') candidates.push(await gif(work))
    else if (type === 'image/webp') candidates.push(...(await webp(work)))
    else if (type === 'image/png') candidates.push(...(await png(work)))
  }
  return candidates
}

async function timingOf({ source, composed }: Job): Promise<Timing> {
  if (composed !== undefined) {
    const { frames, plays } = composed.apng
    return { delays: frames.map(({ delay }) => delay), plays }
  }
  const { delay = [], loop = 0 } = await sharp(source, { animated: true, limitInputPixels: false }).metadata()
  return { delays: delay.map((shown) => [shown, 1000] as const), plays: loop }
}

/** The same palettes and pixels, packed better: every frame must come out as it was. */
async function gif({ open, original, untouched }: Work): Promise<Candidate> {
  const data = await open().gif({ effort: 10, reuse: untouched, dither: 0 }).toBuffer()
  return { data, type: 'image/gif', score: worstFrame(original, await decodeWritten(data), original.count) }
}

async function webp({ job, open, original, timing }: Work): Promise<Candidate[]> {
  // What is read by libvips brings its timing along.
  const shown: WebpOptions =
    job.composed === undefined
      ? {}
      : { delay: timing.delays.map((delay) => Math.round(milliseconds(delay))), loop: timing.plays }
  const encode = (options: WebpOptions): Promise<Buffer> =>
    open()
      .webp({ effort: 4, ...options, ...shown })
      .toBuffer()
  const lossless = await encode({ lossless: true })
  const { score: target } = job.operations
  const found = await searchQuality({
    target: Math.min(100, target + SAMPLING_MARGIN),
    window: 2,
    min: 20,
    max: 95,
    curve: WEBP_EFFORT_4,
    encode: (quality) => encode({ quality }),
    score: async (data) => worstFrame(original, await decodeWritten(data), SAMPLED_FRAMES),
  })
  const score = worstFrame(original, await decodeWritten(found.data), original.count)
  return [
    { data: lossless, type: 'image/webp', score: 100 },
    { data: found.data, type: 'image/webp', score },
  ]
}

/** Written by the project itself, so that each result is read again: one with another frame is none. */
async function png({ job, original, timing, untouched }: Work): Promise<Candidate[]> {
  const source = untouched ? job.composed?.apng : undefined
  const candidates = await encodeApng({ frames: original, timing, target: job.operations.score, source })
  const right: Candidate[] = []
  for (const candidate of candidates) {
    const score = worstFrame(original, await decodeApng(candidate.data), original.count)
    if (score === candidate.score) right.push(candidate)
  }
  return right
}

function decodeWritten(data: Uint8Array): Promise<Frames> {
  return decodeFrames(sharp(data, { animated: true, limitInputPixels: false }))
}
