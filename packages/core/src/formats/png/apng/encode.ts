import { searchFramePalette } from '../../../encoding/frame-palette.ts'
import { surveyFrames } from '../../../encoding/frame-survey.ts'
import type { ComposedAnimation, Unsupported } from '../../../encoding/codec.ts'
import type { AnimationRequest, Candidate } from '../../../encoding/request.ts'
import type { FrameSource } from '../../../encoding/frame-source.ts'
import { areAlike, worstFrame } from '../../../encoding/worst-frame.ts'
import { isAnimatedPng } from '../../../metadata/png-chunks.ts'
import { composeFrames, openApng } from './compose.ts'
import { ApngError, readApng } from './read.ts'
import type { Apng } from './read.ts'
import { recompressApng, writeApng } from './write.ts'

/**
 * Composes the frames of an animated PNG. One that breaks the rules stays as it is, as decoders differ in what they
 * show of it.
 * @throws Error when the pixels of a frame cannot be decoded
 */
export async function composeApng(source: Uint8Array): Promise<ComposedAnimation | Unsupported | undefined> {
  if (!isAnimatedPng(source)) return undefined
  const apng = readable(source)
  if (apng instanceof ApngError) {
    return {
      kind: `an animated PNG that is damaged (${apng.message})`,
      note: `The animated PNG is passed through as it is: ${apng.message}.`,
    }
  }
  const delays = apng.frames.map(({ delay }) => delay)
  return { frames: await composeFrames(apng), timing: { delays, plays: apng.plays } }
}

function readable(source: Uint8Array): Apng | ApngError {
  try {
    return readApng(source)
  } catch (error) {
    if (error instanceof ApngError) return error
    throw error
  }
}

/**
 * Lossless: the frames cut into new regions, and the source's own regions compressed better. Then the smallest palette
 * that keeps the promise. Animations are written here and not by a library, so each result is decoded again, and counts
 * only where it shows what it should.
 */
export async function encodeApng(request: AnimationRequest): Promise<Candidate[]> {
  const { original } = request
  const right: Candidate[] = []
  for (const { few, ...candidate } of await candidatesOf(request)) {
    const written = openApng(readApng(candidate.data))
    // Frames in few colours have been scored.
    const isKnown = few !== undefined && (await areAlike(few, written))
    if (isKnown || (await worstFrame(original, written)) === candidate.score) right.push(candidate)
  }
  return right
}

/** A candidate, and the frames in few colours that it is to show. */
interface Attempted extends Candidate {
  readonly few?: FrameSource
}

async function candidatesOf(request: AnimationRequest): Promise<Attempted[]> {
  const { original, timing, source } = request
  const own = source === undefined ? undefined : readApng(source)
  const candidates: Attempted[] = []
  if (own !== undefined && isWhole(own)) candidates.push(lossless(await recompressApng(own)))
  // Colours that the file gives a meaning by other means than a profile stay as they are in it.
  if (own !== undefined && hasOwnColours(own)) return candidates
  const exact = await writeApng(original, timing)
  candidates.push(lossless(exact))
  // Up to 256 colours, lossless coding has found the exact palette already.
  if ((await surveyFrames(original)).paletted) return candidates
  const palette = await searchFramePalette(request)
  if (palette !== undefined) {
    const { frames: few, score } = palette
    candidates.push({ data: await writeApng(few, timing), type: 'image/png', score, few })
  }
  return candidates
}

const lossless = (data: Uint8Array): Candidate => ({ data, type: 'image/png', score: 100 })

/** Tells whether the first frame can be the default image. A default image that is not a frame is not kept. */
function isWhole({ width, height, frames: [first] }: Apng): boolean {
  return first !== undefined && first.width === width && first.height === height
}

/** Tells whether the file has `gAMA`, `cHRM` or `cICP`, which are not applied when frames are decoded. */
function hasOwnColours({ shared }: Apng): boolean {
  const text = Buffer.from(shared.buffer, shared.byteOffset, shared.byteLength).toString('latin1')
  return /gAMA|cHRM|cICP/.test(text) && !/sRGB|iCCP/.test(text)
}
