import type { GifOptions } from 'sharp'
import { uint16 } from '../../metadata/bytes.ts'
import { openFewColours, searchFewColours } from '../../encoding/frame-palette.ts'
import { openAnimationFile } from '../../encoding/frame-source.ts'
import { shownAt } from '../../encoding/frames.ts'
import type { FramePalette } from '../../encoding/frame-palette.ts'
import type { CodecFor } from '../../encoding/codec.ts'
import type { AnimationRequest, Candidate } from '../../encoding/request.ts'
import { areAlike, judgeFrames } from '../../encoding/worst-frame.ts'
import { composeGif, isClearUnseen, openGifFrames } from './compose.ts'
import { gifHasCredentials, readGif, stripGif } from './metadata.ts'
import { MOST_CANVAS_PIXELS, repackGif } from './repack.ts'

/** The codec of GIF. */
export const gif: CodecFor<'gif'> = {
  // libvips takes the first frame's size where the canvas is implausibly larger: the picture would shrink to it.
  canvas: (source) => ({ width: uint16(source, 6, true), height: uint16(source, 8, true) }),
  repack: { mostPixels: MOST_CANVAS_PIXELS, run: repackGif },
  isClearUnseen,
  compose: composeGif,
  encodeAnimation: encodeGif,
  extras: (source) => ({ pictures: 0, hasCredentials: gifHasCredentials(source) }),
  readMetadata: readGif,
  stripMetadata: stripGif,
}

/**
 * Tries the same palettes and pixels, or one palette for all frames: compared as they come out, and packed anew without
 * loss. The source's own frames, packed anew, are the first candidate.
 */
async function encodeGif(request: AnimationRequest): Promise<Candidate[]> {
  const { open, timing, timed, source, effort } = request
  const candidates: Candidate[] = []
  const packed = source && repackGif(source, effort)
  if (packed !== undefined) candidates.push({ data: packed, type: 'image/gif', score: 100 })
  const shown = shownAt(timing)
  const own = { effort: 10, reuse: source !== undefined, dither: 0, ...(timed ? {} : shown) }
  const writeOwn = (more: GifOptions): Promise<Buffer> =>
    open()
      .gif({ ...own, ...more })
      .toBuffer()
  candidates.push(await candidateOf(request, writeOwn))
  const few = await searchFewColours(request)
  if (few !== undefined) {
    const write = (more: GifOptions): Promise<Buffer> =>
      openFewColours(few).then((opened) => opened.gif({ effort: 10, dither: 0, ...shown, ...more }).toBuffer())
    candidates.push(await candidateOf(request, write, few))
  }
  return candidates
}

/**
 * Returns the file with every frame: libvips makes equal ones one, unless it is told not to, which costs bytes in
 * others.
 * @param few frames that it is to show, which keep the promise: they are not judged again
 */
async function candidateOf(
  { original, target, effort }: AnimationRequest,
  write: (more: GifOptions) => Promise<Buffer>,
  few?: FramePalette,
): Promise<Candidate> {
  let data: Uint8Array = await write({})
  let written = openGifFrames(data, await openAnimationFile(data))
  if (written.count < original.count) {
    data = await write({ keepDuplicateFrames: true })
    written = openGifFrames(data, await openAnimationFile(data))
  }
  const isKnown = few !== undefined && (await areAlike(few.frames, written))
  const { score, kept } = isKnown
    ? { score: few.score, kept: target }
    : await judgeFrames(original, written, { kind: 'palette', target, enough: target })
  const isDamaged = score >= target && kept < target
  data = repackGif(data, effort) ?? data
  return { data, type: 'image/gif', score, ...(isDamaged && { damaged: true }) }
}
