import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { ssimulacra2 } from '../metric/ssimulacra2.ts'
import type { InputType, ProbeResult } from '../types.ts'
import { WEBP_EFFORT_4 } from './curves.ts'
import { decodeFailed, openAnimation } from './decode.ts'
import type { Candidate, Job } from './job.ts'
import { searchQuality } from './search.ts'

/** Frames that are compared in a search, spread evenly; the last result is compared on every frame. */
const SAMPLED_FRAMES = 6

/** Points above the target that the sampled frames must reach, as the worst of all frames lies a little lower. */
const SAMPLING_MARGIN = 1

interface Frames {
  data: Buffer
  width: number
  height: number
  count: number
}

/** Ways to write an animation in the given types. Frames, delays and the loop count stay as they are. */
export async function encodeAnimation(job: Job, probe: ProbeResult, types: readonly InputType[]): Promise<Candidate[]> {
  const original = await decodeFrames(openAnimation(job, probe)).catch((error: unknown) => {
    throw decodeFailed(job, error)
  })
  const candidates: Candidate[] = []
  for (const type of types) {
    if (type === 'image/gif') candidates.push(await gif(job, probe, original))
    else if (type === 'image/webp') candidates.push(...(await webp(job, probe, original)))
  }
  return candidates
}

/** The same palettes and pixels, packed better: every frame must come out as it was. */
async function gif(job: Job, probe: ProbeResult, original: Frames): Promise<Candidate> {
  const data = await openAnimation(job, probe).gif({ effort: 10, reuse: true, dither: 0 }).toBuffer()
  return { data, type: 'image/gif', score: await worstFrame(original, data, original.count) }
}

async function webp(job: Job, probe: ProbeResult, original: Frames): Promise<Candidate[]> {
  const lossless = await openAnimation(job, probe).webp({ lossless: true, effort: 4 }).toBuffer()
  const { score: target } = job.operations
  const found = await searchQuality({
    target: Math.min(100, target + SAMPLING_MARGIN),
    window: 2,
    min: 20,
    max: 95,
    curve: WEBP_EFFORT_4,
    encode: (quality) => openAnimation(job, probe).webp({ quality, effort: 4 }).toBuffer(),
    score: (data) => worstFrame(original, data, SAMPLED_FRAMES),
  })
  return [
    { data: lossless, type: 'image/webp', score: 100 },
    { data: found.data, type: 'image/webp', score: await worstFrame(original, found.data, original.count) },
  ]
}

/** The lowest score of any compared frame; an animation with other frames than the original scores below every target. */
async function worstFrame(original: Frames, encoded: Uint8Array, compared: number): Promise<number> {
  const written = await decodeFrames(sharp(encoded, { animated: true, limitInputPixels: false }))
  if (written.count !== original.count || written.width !== original.width || written.height !== original.height)
    return -Infinity
  let worst = 100
  const step = Math.max(1, original.count / compared)
  for (let at = 0; Math.floor(at) < original.count; at += step) {
    const a = frame(original, Math.floor(at))
    const b = frame(written, Math.floor(at))
    if (!a.data.equals(b.data)) worst = Math.min(worst, ssimulacra2(a, b))
  }
  return worst
}

function frame(frames: Frames, index: number): { data: Buffer; width: number; height: number; channels: 4 } {
  const bytes = frames.width * frames.height * 4
  return {
    data: frames.data.subarray(index * bytes, (index + 1) * bytes),
    width: frames.width,
    height: frames.height,
    channels: 4,
  }
}

async function decodeFrames(pipeline: Sharp): Promise<Frames> {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const height = info.pageHeight ?? info.height
  return { data, width: info.width, height, count: Math.max(1, Math.round(info.height / height)) }
}
