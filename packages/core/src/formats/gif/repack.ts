import { withoutIt } from '../../base/faults.ts'
/** A GIF that shows the same in fewer bytes. One canvas is held at a time, however many frames there are. */
import { concatBytes } from '../../metadata/bytes.ts'
import type { Effort } from '../../base/types.ts'
import { Canvas, Colours } from './canvas.ts'
import { differences } from './difference.ts'
import type { Plan } from './difference.ts'
import { FrameWriter } from './frame-writer.ts'
import { takeCensus } from './index-frame.ts'
import type { Census } from './index-frame.ts'
import { BLOCK, blocks, isLoop, stripGif } from './metadata.ts'
import { sharedPalette } from './palettes.ts'
import { isPlainGif, readGifFrames } from './read.ts'
import type { Gif } from './read.ts'

/** Pixels of a canvas, of which five are held, at two bytes each. */
export const MOST_CANVAS_PIXELS = 16_000_000

/** The most pixels by which a repeat may be cut short where the next one gains by it. */
const LOOK: Readonly<Record<Effort, number>> = { fast: 0, default: 2, max: 8 }

/**
 * Writes the same frames, shown for as long and as often, in fewer bytes: each has the smallest rectangle that holds
 * what changes, pixels that do not change are transparent where that repeats more, and its palette has what it needs.
 * Comments go. `undefined` where that is not smaller, or where readers may disagree about what the file shows.
 */
export function repackGif(source: Uint8Array, effort: Effort): Uint8Array | undefined {
  const stripped = stripGif(source)
  const gif = readGifFrames(stripped)
  if (gif.width * gif.height > MOST_CANVAS_PIXELS || !isPlainGif(stripped, gif)) return undefined
  try {
    const data = written(stripped, gif, LOOK[effort])
    return data.length < source.length && showsTheSame(stripped, gif, data) ? data : undefined
  } catch (error) {
    // The pixels are damaged, or there are more colours than are counted.
    return withoutIt(error)
  }
}

function written(source: Uint8Array, gif: Gif, look: number): Uint8Array {
  const colours = new Colours()
  const censuses: Census[] = []
  const plans: Plan[] = []
  for (const each of differences(source, { gif, colours })) {
    censuses.push(takeCensus(each, gif.width, colours.count))
    const { left, top, width, height, disposal } = each
    plans.push({ left, top, width, height, disposal })
  }
  const shared = sharedPalette(censuses.map(({ needed }) => needed))
  const writer = new FrameWriter(shared, colours, gif.width, look)
  const frames: Uint8Array[] = []
  for (const each of differences(source, { gif, colours, plans })) {
    frames.push(writer.write(each, censuses[frames.length]!, gif.frames[frames.length]!))
  }
  const parts = [writer.header(source)]
  let stored = 0
  for (const block of blocks(source)) {
    if (block.kind === BLOCK.image) parts.push(frames[stored++]!)
    else if (isLoop(source, block)) parts.push(source.subarray(block.start, block.end))
  }
  return concatBytes([...parts, Uint8Array.of(BLOCK.trailer)])
}

/** Compares what is drawn, frame by frame. */
function showsTheSame(source: Uint8Array, gif: Gif, data: Uint8Array): boolean {
  const colours = new Colours()
  const result = readGifFrames(data)
  if (result.width !== gif.width || result.height !== gif.height || result.frames.length !== gif.frames.length)
    return false
  const before = new Canvas(source, gif, colours)
  const after = new Canvas(data, result, colours)
  for (const [index, { delay, waits }] of gif.frames.entries()) {
    const frame = result.frames[index]!
    if (frame.delay !== delay || frame.waits !== waits || !before.draw() || !after.draw()) return false
    if (Buffer.compare(bytesOf(before), bytesOf(after)) !== 0) return false
  }
  return true
}

const bytesOf = ({ pixels }: Canvas): Uint8Array => new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength)
