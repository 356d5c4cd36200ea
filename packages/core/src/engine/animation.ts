import sharp from 'sharp'
import type { Sharp, WebpOptions } from 'sharp'
import type { InputType, ProbeResult } from '../types.ts'
import { countColours } from './apng/colour-format.ts'
import { composeFrames } from './apng/compose.ts'
import { decodeApng, encodeApng } from './apng/encode.ts'
import { milliseconds, readApng } from './apng/read.ts'
import type { Apng } from './apng/read.ts'
import { WEBP_EFFORT_4 } from './curves.ts'
import { decodeFailed } from './decode.ts'
import { searchFramePalette } from './frame-palette.ts'
import type { FramePalette } from './frame-palette.ts'
import { decodeFrames, worstFrame } from './frames.ts'
import type { Frames, Timing } from './frames.ts'
import type { Candidate, Job } from './job.ts'
import { openAnimation, openRawFrames } from './open-animation.ts'
import { createPicture } from './picture.ts'
import { searchQuality } from './search.ts'

/** Frames that are compared in a search, spread evenly; the last result is compared on every frame. */
const SAMPLED_FRAMES = 6

/** Points above the target that the sampled frames must reach, as the worst of all frames lies a little lower. */
const SAMPLING_MARGIN = 1

/** Every way to cut frames into regions that libwebp has is tried. */
const LOSSLESS: WebpOptions = { lossless: true, minSize: true }

/** Points below the target: a quality setting that is lower than any that reached it. */
const TOO_LOW = 20

/** Of all frames, below which lossless coding is tried whatever they show. */
const FEW_PIXELS = 500_000

/** Milliseconds that sharp lets a frame be shown. */
const LONGEST = 65_535

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
  /** Whether `open` brings the timing along. */
  readonly timed: boolean
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
  const { open, timed } = await openAnimation(job, probe).catch(failed)
  const original = await decodeFrames(open()).catch(failed)
  const work: Work = { job, open, original, timing: await timingOf(job), timed, untouched }
  const candidates: Candidate[] = []
  for (const type of types) {
    if (type === 'image/gif') candidates.push(...(await gif(work)))
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

/** The same palettes and pixels, packed better, or one palette for all frames: compared as they come out. */
async function gif(work: Work): Promise<Candidate[]> {
  const { open, original, timed, untouched } = work
  const shown = timed ? {} : shownAt(work)
  const written = [
    await open()
      .gif({ effort: 10, reuse: untouched, dither: 0, ...shown })
      .toBuffer(),
  ]
  const few = await inFewColours(work, 'image/gif')
  if (few !== undefined) {
    written.push(
      await openRawFrames(few.frames)
        .gif({ effort: 10, dither: 0, ...shownAt(work) })
        .toBuffer(),
    )
  }
  const candidates: Candidate[] = []
  for (const data of written) {
    candidates.push({ data, type: 'image/gif', score: worstFrame(original, await decodeWritten(data), original.count) })
  }
  return candidates
}

/** Drawings without loss, in few colours, or lossy where that may be less; what is filmed lossy where that keeps the promise. */
async function webp(work: Work): Promise<Candidate[]> {
  const { job, open, original } = work
  const { score: target } = job.operations
  const shown = work.timed ? {} : shownAt(work)
  const encode = (options: WebpOptions): Promise<Buffer> =>
    open()
      .webp({ effort: 4, ...options, ...shown })
      .toBuffer()
  const lossless = async (): Promise<Candidate> => {
    return { data: await encode(LOSSLESS), type: 'image/webp', score: 100 }
  }
  const candidates: Candidate[] = []
  const mayBeDrawn = mayBeDrawing(original)
  if (mayBeDrawn) {
    candidates.push(await lossless())
    const few = await inFewColours(work, 'image/webp')
    if (few !== undefined) {
      const data = await openRawFrames(few.frames)
        .webp({ effort: 4, ...LOSSLESS, ...shownAt(work) })
        .toBuffer()
      candidates.push({ data, type: 'image/webp', score: few.score })
    }
    const low = await encode({ quality: Math.max(1, Math.round(target) - TOO_LOW) })
    if (candidates.some(({ data }) => data.length < low.length)) return candidates
  }
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
  candidates.push({ data: found.data, type: 'image/webp', score })
  if (score < target && !mayBeDrawn) candidates.push(await lossless())
  return candidates
}

/** All frames at once: a small one says little. Of few pixels, it costs little to try. */
function mayBeDrawing({ data, width, height, count }: Frames): boolean {
  const tall = { data, width, height: height * count, channels: 4 as const }
  return width * tall.height <= FEW_PIXELS || createPicture(tall).graphic
}

/** Not for a file of the same type that has few colours already: somebody chose them. */
async function inFewColours({ job, original, untouched }: Work, type: InputType): Promise<FramePalette | undefined> {
  if (untouched && type === job.type && countColours([{ pixels: original.data }]) !== undefined) return undefined
  return searchFramePalette(original, job.operations.score, job.operations.effort)
}

/** Milliseconds of each frame and the loop count, as sharp takes them. */
function shownAt({ timing: { delays, plays } }: Work): { delay?: number[]; loop: number } {
  const delay = delays.map((each) => Math.min(LONGEST, Math.round(milliseconds(each))))
  return delay.length === 0 ? { loop: plays } : { delay, loop: plays }
}

/** Written by the project itself, so that each result is read again: one with another frame is none. */
async function png({ job, original, timing, untouched }: Work): Promise<Candidate[]> {
  const source = untouched ? job.composed?.apng : undefined
  const candidates = await encodeApng({
    frames: original,
    timing,
    target: job.operations.score,
    effort: job.operations.effort,
    source,
  })
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
