import sharp from 'sharp'
import type { WebpOptions } from 'sharp'
import { openFewColours, searchFewColours } from '../../encoding/frame-palette.ts'
import { openAnimationFile } from '../../encoding/frame-source.ts'
import type { FrameSource } from '../../encoding/frame-source.ts'
import { surveyFrames } from '../../encoding/frame-survey.ts'
import { openRawFrames, shownAt } from '../../encoding/frames.ts'
import { sampleFrames } from '../../encoding/sample-frames.ts'
import { searchQuality } from '../../encoding/search.ts'
import type { AnimationRequest, Candidate } from '../../encoding/request.ts'
import { judgeFrames, worstFrame } from '../../encoding/worst-frame.ts'
import { openWebpFrames } from './animation-frames.ts'
import { WEBP_EFFORT_4 } from './curves.ts'
import { isLossyWebp } from './lossy.ts'
import { ALPHA_QUALITY_OF_FRAMES } from './transparency.ts'

/** Points above the target that the sampled frames must reach, as the worst of all frames scores a little lower. */
const SAMPLING_MARGIN = 1

/** With every way that libwebp has to cut frames into regions. */
const LOSSLESS: WebpOptions = { lossless: true, minSize: true }

/**
 * The highest lossy setting; how much is added at once where a guard finds damage, and at least where the score is
 * missed.
 */
const HIGHEST = 95
const RAISE = 6
const LEAST_RAISE = 2

/** The quality setting this far below the target's number has never reached it. */
const TOO_LOW = 20

/** Pixels of all frames together below which lossless coding is tried whatever they show. */
const FEW_PIXELS = 500_000

/**
 * A drawing is encoded losslessly, also in few colours, and lossily where that may be smaller. A recorded scene is
 * encoded lossily where that keeps the promise, and losslessly elsewhere.
 */
export async function encodeWebpAnimation(request: AnimationRequest): Promise<Candidate[]> {
  const { open, original, timing, timed, target, source, rivalled, mostBytes = Infinity } = request
  const shown = timed ? {} : shownAt(timing)
  const encode = (options: WebpOptions): Promise<Buffer> =>
    open()
      .webp({ effort: 4, alphaQuality: ALPHA_QUALITY_OF_FRAMES, ...options, ...shown })
      .toBuffer()
  const candidateOf = async (data: Uint8Array, score: number): Promise<Candidate> => {
    const { pages = 1 } = await sharp(data, { limitInputPixels: false }).metadata()
    return { data, type: 'image/webp', score, ...(pages < original.count && { frames: pages }) }
  }
  const lossless = async (): Promise<Candidate> => candidateOf(await encode(LOSSLESS), 100)
  const candidates: Candidate[] = []
  // A source of this type that was lossy takes more bytes without loss.
  const mayBeDrawn = !(source !== undefined && isLossyWebp(source)) && (await mayBeDrawing(original))
  if (mayBeDrawn) {
    const exact = await lossless()
    candidates.push(exact)
    // A palette of a third fewer bytes is rare if the frames come from one, and takes most of the time.
    const isLarger = rivalled === true && exact.data.length > mostBytes
    const few = isLarger ? undefined : await searchFewColours(request)
    if (few !== undefined) {
      const opened = await openFewColours(few)
      const data = await opened.webp({ effort: 4, ...LOSSLESS, ...shownAt(timing) }).toBuffer()
      candidates.push(await candidateOf(data, few.score))
      if (rivalled === true) return candidates
    }
    const low = await encode({ quality: Math.max(1, Math.round(target) - TOO_LOW) })
    if (candidates.some(({ data }) => data.length < low.length)) return candidates
  }
  const lossy = await searchLossy(request, encode)
  if (lossy === undefined) return candidates
  const { data, score, isDamaged } = lossy
  candidates.push({ ...(await candidateOf(data, score)), ...(isDamaged && { damaged: true }) })
  if ((score < target || isDamaged) && !mayBeDrawn) candidates.push(await lossless())
  return candidates
}

/**
 * Returns the lowest setting that keeps the promise: found on some frames, made and judged with all of them, and raised
 * where one of the others misses it. `undefined` where that takes too many bytes.
 */
async function searchLossy(
  { original, timing, target, mostBytes }: AnimationRequest,
  encode: (options: WebpOptions) => Promise<Buffer>,
): Promise<{ data: Buffer; score: number; isDamaged: boolean } | undefined> {
  const sample = await sampleFrames(original, timing)
  const { held } = sample
  const shown = shownAt(sample.timing)
  const found = await searchQuality({
    target: Math.min(100, target + (held === undefined ? 0 : SAMPLING_MARGIN)),
    window: 2,
    min: 20,
    max: HIGHEST,
    curve: WEBP_EFFORT_4,
    // A sample that takes more bytes than this is too large already, without the other frames.
    mostBytes,
    encode: (quality) =>
      held === undefined
        ? encode({ quality })
        : openRawFrames(held)
            .webp({ effort: 4, alphaQuality: ALPHA_QUALITY_OF_FRAMES, quality, ...shown })
            .toBuffer(),
    score: async (data) => worstFrame(sample.source, await openWritten(data), sample.timing),
  })
  if (found.tooLarge) return undefined
  const demands = { kind: 'block', target, timing, enough: target } as const
  let { quality } = found
  let data = held === undefined ? Buffer.from(found.data) : await encode({ quality })
  for (;;) {
    if (mostBytes !== undefined && data.length > mostBytes) return undefined
    const { score, kept } = await judgeFrames(original, await openWritten(data), demands)
    const isDamaged = score >= target && kept < target
    if (quality >= HIGHEST || (score >= target && !isDamaged)) return { data, score, isDamaged }
    const missing = Math.max(LEAST_RAISE, Math.min(RAISE, Math.ceil(target - score)))
    quality = Math.min(HIGHEST, quality + (isDamaged ? RAISE : missing))
    data = await encode({ quality })
  }
}

async function openWritten(data: Uint8Array): Promise<FrameSource> {
  return openWebpFrames(data, await openAnimationFile(data))
}

/**
 * Judges all frames at once, as a single small one says little. Lossless coding of few pixels takes little time to try.
 */
async function mayBeDrawing(frames: FrameSource): Promise<boolean> {
  return frames.width * frames.height * frames.count <= FEW_PIXELS || (await surveyFrames(frames)).graphic
}
