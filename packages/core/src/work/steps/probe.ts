import sharp from 'sharp'
import type { Metadata } from 'sharp'
import { sourceWork } from '../../base/counters.ts'
import { PixpressError } from '../../base/errors.ts'
import { decodeFailed } from './job.ts'
import type { Job } from './job.ts'
import type { Header } from '../../encoding/codec.ts'
import { codecOf } from '../../formats/index.ts'
import { factsOf } from '../../base/formats.ts'
import type { Limits } from '../../base/limits.ts'
import type { InputType, ProbeResult } from '../../base/types.ts'
import type { Size } from '../../resample/size.ts'

/** A nearly empty file has fewer bytes than this share of its pixels. */
export const NEARLY_NOTHING: number = 1 / 1000

/** Factor of the pixel limit for all frames together if they are read one at a time. */
const MORE_BY_FRAME = 10

/**
 * Reads an image's header and checks it against the limits. It refuses a decompression bomb before any pixel is
 * decoded.
 * @throws PixpressError `DECODE_FAILED` or `INPUT_TOO_LARGE`
 */
export async function probeImage(
  source: Uint8Array,
  type: InputType,
  limits: Required<Limits>,
  file?: string,
): Promise<ProbeResult> {
  const codec = codecOf(type)
  const claim = codec.claimedSize?.(source)
  if (claim !== undefined) assertPlausible(claim, { source, type, limits, file })
  const probe = await headerOf(source, type, file)
  // A file that is no grid of pixels is never decoded.
  if (codec.rewrite === undefined) assertReadable(probe, limits, file)
  const canvas = codec.canvas?.(source)
  if (canvas !== undefined) assertCanvas(canvas, probe, limits, file)
  return probe
}

/** libvips knows no longer sides: it prints warnings of its own, and takes such a side for 1 pixel. */
const MOST_SIDE = 100_000_000

/** Refuses a claim that no decoder should see: some print what they think of it, others call the file damaged. */
function assertPlausible({ width, height }: Size, { source, type, limits, file }: Omit<Job, 'operations'>): void {
  if (width === 0 || height === 0) throw decodeFailed({ source, type, file }, undefined)
  assertDecodable({ width, height, frames: 1 }, limits, file)
  if (Math.max(width, height) <= MOST_SIDE) return
  const message = `The image is ${width}×${height} pixels; the limit of a side is ${MOST_SIDE}.`
  throw new PixpressError('INPUT_TOO_LARGE', message, { file })
}

/** Headers by the array of the source, so that each is read once for all results of a source. */
const headers = new WeakMap<Uint8Array, Promise<ProbeResult>>()

function headerOf(source: Uint8Array, type: InputType, file: string | undefined): Promise<ProbeResult> {
  const before = headers.get(source)
  if (before !== undefined) return before
  sourceWork.probes++
  const isOwn = codecOf(type).probe !== undefined
  const header = isOwn ? probeByCodec(source, type, file) : probeBySharp(source, type, file)
  headers.set(source, header)
  // A failure is not kept, because its error names a file and the next caller may use another name.
  header.catch(() => headers.delete(source))
  return header
}

async function probeBySharp(source: Uint8Array, type: InputType, file: string | undefined): Promise<ProbeResult> {
  const codec = codecOf(type)
  let metadata: Metadata
  try {
    const readable = codec.readable?.(source) ?? source
    const animated = codec.hasPages !== true
    metadata = await sharp(readable, { animated, limitInputPixels: false, failOn: 'error' }).metadata()
  } catch (error) {
    const header = codec.probeUnread?.(source)
    if (header !== undefined) return probed(source, type, header)
    throw decodeFailed({ source, type, file }, error)
  }
  const orientation = codec.readOrientation?.(source) ?? 1
  const isSideways = orientation >= 5
  const height = metadata.pageHeight ?? metadata.height
  return {
    type,
    width: isSideways ? height : metadata.width,
    height: isSideways ? metadata.width : height,
    size: source.length,
    hasAlpha: metadata.hasAlpha || codec.isClearUnseen?.(source) === true,
    frames: codec.hasPages === true ? 1 : (codec.countFrames?.(source) ?? metadata.pages ?? 1),
    orientation,
    depth: metadata.depth === 'ushort' ? 16 : 8,
  }
}

async function probeByCodec(source: Uint8Array, type: InputType, file: string | undefined): Promise<ProbeResult> {
  const header = codecOf(type).probe?.(source)
  if (header !== undefined) return probed(source, type, header)
  throw decodeFailed({ source, type, file }, undefined)
}

function probed(source: Uint8Array, type: InputType, header: Header): ProbeResult {
  const { width, height, hasAlpha, frames, depth } = header
  return { type, width, height, size: source.length, hasAlpha, frames, orientation: 1, depth }
}

/** Checks a format's own canvas against the limits and against the size of its frames. */
function assertCanvas({ width, height }: Size, probe: ProbeResult, limits: Required<Limits>, file?: string): void {
  assertReadable({ ...probe, width, height }, limits, file)
  if (width !== probe.width || height !== probe.height) {
    const sizes = `${width}×${height}, its frames ${probe.width}×${probe.height}`
    throw new PixpressError('DECODE_FAILED', `The canvas of the ${factsOf(probe.type).label} is ${sizes}.`, { file })
  }
}

/** Checks the limits. Frames that are worked on one at a time may have more pixels in total. */
function assertReadable(probe: ProbeResult, limits: Required<Limits>, file?: string): void {
  const { type, width, height, frames, size } = probe
  const mostPixels = codecOf(type).repack?.mostPixels ?? 0
  const isBounded = width * height <= mostPixels && frames <= limits.maxFrames && width * height <= limits.maxPixels
  const pixels = width * height * frames
  const isFull = size >= pixels * NEARLY_NOTHING && pixels <= limits.maxPixels * MORE_BY_FRAME
  if (frames === 1 || !isBounded || !isFull) assertDecodable(probe, limits, file)
}

/** Returns `true` if all frames together are within the limit of pixels, so that they may be decoded. */
export const isDecodable = ({ width, height, frames }: ProbeResult, { maxPixels }: Required<Limits>): boolean =>
  width * height * frames <= maxPixels

/**
 * Checks the number of frames and the pixels of all of them.
 * @throws PixpressError `INPUT_TOO_LARGE` if there are too many frames, or too many pixels in all of them
 */
export function assertDecodable(
  { width, height, frames }: Pick<ProbeResult, 'width' | 'height' | 'frames'>,
  { maxPixels, maxFrames }: Required<Limits>,
  file?: string,
): void {
  if (frames > maxFrames) {
    throw new PixpressError('INPUT_TOO_LARGE', `The image has ${frames} frames; the limit is ${maxFrames}.`, { file })
  }
  if (width * height * frames > maxPixels) {
    // Beyond 2^53 numbers are rounded.
    const pixels = BigInt(width) * BigInt(height) * BigInt(frames)
    const claim = `${width}×${height}${frames > 1 ? ` × ${frames} frames` : ''}`
    throw new PixpressError('INPUT_TOO_LARGE', `The image is ${claim} = ${pixels} pixels; the limit is ${maxPixels}.`, {
      file,
    })
  }
}
