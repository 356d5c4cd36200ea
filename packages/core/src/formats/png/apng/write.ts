import { withoutIt } from '../../../base/faults.ts'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { losslessCompressPng } from '@napi-rs/image'
import { ascii, bigEndian, concatBytes } from '../../../metadata/bytes.ts'
import { PNG_SIGNATURE, encodePngChunk, pngChunks } from '../../../metadata/png-chunks.ts'
import { PIECE_BYTES } from '../../../encoding/frame-source.ts'
import type { FrameSource } from '../../../encoding/frame-source.ts'
import type { Timing } from '../../../encoding/frames.ts'
import { ColourCensus } from './colour-format.ts'
import type { ColourFormat } from './colour-format.ts'
import { cutFrames, planFrames } from './differences.ts'
import type { PlannedFrame } from './differences.ts'
import { frameAsPng } from './read.ts'
import type { Apng, ApngFrame } from './read.ts'
import { countPack } from '../../../base/counters.ts'

const deflated = promisify(deflate)

/** A way to write the frames, and their deflated pixels. */
interface Rough {
  readonly plan: readonly PlannedFrame[]
  readonly format: ColourFormat
  readonly pixels: Uint8Array[]
}

/**
 * Writes the smallest file that shows exactly these frames, of some ways to cut them into regions. Goes over the frames
 * three times: to plan, to see their colours, and to compress them.
 */
export async function writeApng(frames: FrameSource, timing: Timing): Promise<Uint8Array> {
  const best = smallest(await compressRoughly(frames))
  const { width, height } = frames
  const apng = { width, height, format: best.format.header, shared: best.format.chunks }
  const written: ApngFrame[] = []
  for (const [index, frame] of best.plan.entries()) {
    const plain = { ...frame, delay: timing.delays[index]!, pixels: [best.pixels[index]!] }
    written.push(await recompressed(apng, plain))
  }
  return assemble({ ...apng, plays: timing.plays, frames: written })
}

async function compressRoughly(frames: FrameSource): Promise<Rough[]> {
  const plans = await planFrames(frames)
  const censuses = plans.map(() => new ColourCensus())
  await cutFrames(frames, plans, ({ pixels }, plan) => censuses[plan]!.add(pixels))
  const rough: Rough[] = plans.map((plan, at) => ({ plan, format: censuses[at]!.format(), pixels: [] }))
  let [waiting, bytes]: [Promise<void>[], number] = [[], 0]
  await cutFrames(frames, plans, async (frame, plan) => {
    const { format, pixels } = rough[plan]!
    const rows = format.rows(frame)
    const place = pixels.push(new Uint8Array()) - 1
    waiting.push(deflated(rows).then((data) => void (pixels[place] = data)))
    bytes += rows.length
    if (bytes < PIECE_BYTES) return
    await Promise.all(waiting)
    ;[waiting, bytes] = [[], 0]
  })
  await Promise.all(waiting)
  return rough
}

function smallest(rough: readonly Rough[]): Rough {
  const sizeOf = ({ format, pixels }: Rough): number =>
    pixels.reduce((sum, { length }) => sum + length, format.chunks.length)
  return rough.reduce((one, other) => (sizeOf(other) < sizeOf(one) ? other : one))
}

/** Writes the same file with every frame's pixels compressed better: regions, colours and order stay as they are. */
export async function recompressApng(apng: Apng): Promise<Uint8Array> {
  const frames: ApngFrame[] = []
  for (const frame of apng.frames) frames.push(await recompressed(apng, frame))
  return assemble({ ...apng, frames })
}

/** Runs oxipng on one frame and leaves alone what all frames share. */
async function recompressed(apng: Pick<Apng, 'format' | 'shared'>, frame: ApngFrame): Promise<ApngFrame> {
  const png = frameAsPng(apng, frame)
  const smaller = await countPack(() =>
    losslessCompressPng(png, {
      bitDepthReduction: false,
      colorTypeReduction: false,
      paletteReduction: false,
      grayscaleReduction: false,
    }),
  ).catch(withoutIt)
  // Frames that oxipng refuses, for a fault that other decoders overlook, stay as they are.
  if (smaller === undefined || smaller.length >= png.length || !isAlike(png, smaller)) return frame
  return { ...frame, pixels: contents(smaller, 'IDAT') }
}

/** Tells whether two frames differ in nothing but their pixels. */
function isAlike(a: Uint8Array, b: Uint8Array): boolean {
  return ['IHDR', 'PLTE', 'tRNS'].every(
    (type) => Buffer.compare(concatBytes(contents(a, type)), concatBytes(contents(b, type))) === 0,
  )
}

function contents(png: Uint8Array, wanted: string): Uint8Array[] {
  return [...pngChunks(png)]
    .filter(({ type }) => type === wanted)
    .map(({ content, contentEnd }) => png.subarray(content, contentEnd))
}

/** The first frame must cover the canvas: it is the default image, which viewers without animation show. */
function assemble({ width, height, format, shared, plays, frames }: Apng): Uint8Array {
  let sequence = 0
  const parts = [
    ascii(PNG_SIGNATURE),
    encodePngChunk('IHDR', [bigEndian(width, 4), bigEndian(height, 4), format]),
    encodePngChunk('acTL', [bigEndian(frames.length, 4), bigEndian(plays, 4)]),
    shared,
  ]
  for (const [index, frame] of frames.entries()) {
    const { left, top, delay, dispose, blend, pixels } = frame
    const numbers = [sequence++, frame.width, frame.height, left, top].map((number) => bigEndian(number, 4))
    const shown = [bigEndian(delay[0], 2), bigEndian(delay[1], 2), Uint8Array.of(dispose, blend)]
    parts.push(encodePngChunk('fcTL', [...numbers, ...shown]))
    if (index === 0) parts.push(encodePngChunk('IDAT', pixels))
    else parts.push(encodePngChunk('fdAT', [bigEndian(sequence++, 4), ...pixels]))
  }
  return concatBytes([...parts, encodePngChunk('IEND', [])])
}
