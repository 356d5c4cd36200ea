import type { GifOptions } from 'sharp'
import { uint16 } from '../../metadata/bytes.ts'
import { searchFewColours } from '../../encoding/frame-palette.ts'
import { decodeAnimation, openRawFrames, shownAt, worstFrame, worstGuarded } from '../../encoding/frames.ts'
import type { Frames } from '../../encoding/frames.ts'
import type { CodecFor } from '../codec.ts'
import type { AnimationRequest, Candidate } from '../../encoding/request.ts'
import { composeGif, isClearUnseen } from './compose.ts'
import { readGif, stripGif } from './metadata.ts'

export const gif: CodecFor<'gif'> = {
  // libvips takes the first frame's size where the canvas is implausibly larger: the picture would shrink to it.
  canvas: (source) => ({ width: uint16(source, 6, true), height: uint16(source, 8, true) }),
  isClearUnseen,
  compose: composeGif,
  encodeAnimation: encodeGif,
  readMetadata: readGif,
  stripMetadata: stripGif,
}

/** The same palettes and pixels, compressed better, or one palette for all frames: compared as they come out. */
async function encodeGif(request: AnimationRequest): Promise<Candidate[]> {
  const { open, original, timing, timed, source, target } = request
  const shown = shownAt(timing)
  const own = { effort: 10, reuse: source !== undefined, dither: 0, ...(timed ? {} : shown) }
  const candidates = [
    await candidateOf(original, target, (more) =>
      open()
        .gif({ ...own, ...more })
        .toBuffer(),
    ),
  ]
  const few = await searchFewColours(request)
  if (few !== undefined) {
    const settings = { effort: 10, dither: 0, ...shown }
    const write = (more: GifOptions): Promise<Buffer> =>
      openRawFrames(few.frames)
        .gif({ ...settings, ...more })
        .toBuffer()
    candidates.push(await candidateOf(original, target, write))
  }
  return candidates
}

/** The file with every frame: libvips makes equal ones one, unless it is told not to, which costs bytes in others. */
async function candidateOf(
  original: Frames,
  target: number,
  write: (more: GifOptions) => Promise<Buffer>,
): Promise<Candidate> {
  let data = await write({})
  let written = await decodeAnimation(data)
  if (written.count < original.count) {
    data = await write({ keepDuplicateFrames: true })
    written = await decodeAnimation(data)
  }
  const score = worstFrame(original, written, original.count)
  const isDamaged = score >= target && worstGuarded(original, written, 'palette') < target
  return { data, type: 'image/gif', score, ...(isDamaged && { damaged: true }) }
}
