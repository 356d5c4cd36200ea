import type { Effort } from '../../types.ts'
import { searchFramePalette } from '../frame-palette.ts'
import type { Frames, Timing } from '../frames.ts'
import type { Candidate } from '../job.ts'
import { countColours } from './colour-format.ts'
import { composeFrames } from './compose.ts'
import { readApng } from './read.ts'
import type { Apng } from './read.ts'
import { repackApng, writeApng } from './write.ts'

export interface ApngRequest {
  readonly frames: Frames
  readonly timing: Timing
  /** The SSIMULACRA2 score that every frame is to reach. */
  readonly target: number
  readonly effort: Effort
  /** The source, where it is an animated PNG and no pixel was changed. */
  readonly source: Apng | undefined
}

/** Lossless: the frames cut anew, and the source's own cut packed better. Then the smallest palette that keeps the promise. */
export async function encodeApng({ frames, timing, target, effort, source }: ApngRequest): Promise<Candidate[]> {
  const candidates: Candidate[] = []
  if (source !== undefined && isWhole(source)) candidates.push(lossless(await repackApng(source)))
  // Colours that another space gives their meaning stay as they are in the file.
  if (source !== undefined && hasOwnColours(source)) return candidates
  const exact = await writeApng(frames, timing)
  candidates.push(lossless(exact))
  // Up to 256 colours, lossless has found the exact palette already.
  if (countColours([{ pixels: frames.data }]) !== undefined) return candidates
  const palette = await searchFramePalette(frames, target, effort)
  if (palette !== undefined) {
    candidates.push({ data: await writeApng(palette.frames, timing), type: 'image/png', score: palette.score })
  }
  return candidates
}

const lossless = (data: Uint8Array): Candidate => ({ data, type: 'image/png', score: 100 })

/** Whether the first frame can be the default image; where another image was that, it is not kept. */
function isWhole({ width, height, frames: [first] }: Apng): boolean {
  return first !== undefined && first.width === width && first.height === height
}

/** `gAMA`, `cHRM` and `cICP`, which are not applied when frames are decoded. */
function hasOwnColours({ shared }: Apng): boolean {
  const text = Buffer.from(shared.buffer, shared.byteOffset, shared.byteLength).toString('latin1')
  return /gAMA|cHRM|cICP/.test(text) && !/sRGB|iCCP/.test(text)
}

/** The frames of a written file. @throws ApngError */
export function decodeApng(data: Uint8Array): Promise<Frames> {
  return composeFrames(readApng(data))
}
