import sharp from 'sharp'
import type { Metadata } from 'sharp'
import { PixpressError } from '../errors.ts'
import { decodeFailed } from './job.ts'
import type { Header } from '../formats/codec.ts'
import { codecOf } from '../formats/index.ts'
import { factsOf } from '../formats/lists.ts'
import type { Limits } from '../limits.ts'
import type { InputType, ProbeResult } from '../types.ts'
import type { Size } from '../resample/size.ts'

/**
 * Reads an image's header and checks it against the limits: a decompression bomb is refused here, before any pixel is
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
  const probe = codec.probe === undefined ? await probeBySharp(source, type, file) : probeByCodec(source, type, file)
  // What is not a grid of pixels is never decoded.
  if (codec.rewrite === undefined) assertWithin(probe, limits, file)
  const canvas = codec.canvas?.(source)
  if (canvas !== undefined) assertCanvas(canvas, probe, limits, file)
  return probe
}

async function probeBySharp(source: Uint8Array, type: InputType, file: string | undefined): Promise<ProbeResult> {
  const codec = codecOf(type)
  let metadata: Metadata
  try {
    metadata = await sharp(source, { animated: true, limitInputPixels: false, failOn: 'error' }).metadata()
  } catch (error) {
    const header = codec.probeUnread?.(source)
    if (header !== undefined) return probed(source, type, header)
    throw decodeFailed({ source, type, file }, error)
  }
  const orientation = codec.readOrientation === undefined ? 1 : (metadata.orientation ?? 1)
  const isSideways = orientation >= 5
  const height = metadata.pageHeight ?? metadata.height
  return {
    type,
    width: isSideways ? height : metadata.width,
    height: isSideways ? metadata.width : height,
    size: source.length,
    hasAlpha: metadata.hasAlpha || codec.isClearUnseen?.(source) === true,
    frames: codec.countFrames?.(source) ?? metadata.pages ?? 1,
    orientation,
    depth: metadata.depth === 'ushort' ? 16 : 8,
  }
}

function probeByCodec(source: Uint8Array, type: InputType, file: string | undefined): ProbeResult {
  const header = codecOf(type).probe?.(source)
  if (header !== undefined) return probed(source, type, header)
  throw decodeFailed({ source, type, file }, undefined)
}

function probed(source: Uint8Array, type: InputType, header: Header): ProbeResult {
  const { width, height, hasAlpha, frames, depth } = header
  return { type, width, height, size: source.length, hasAlpha, frames, orientation: 1, depth }
}

/** A format's own canvas must be within the limits too, and of the frames' size. */
function assertCanvas({ width, height }: Size, probe: ProbeResult, limits: Required<Limits>, file?: string): void {
  assertWithin({ ...probe, width, height }, limits, file)
  if (width !== probe.width || height !== probe.height) {
    const sizes = `${width}×${height}, its frames ${probe.width}×${probe.height}`
    throw new PixpressError('DECODE_FAILED', `The canvas of the ${factsOf(probe.type).label} is ${sizes}.`, { file })
  }
}

function assertWithin(
  { width, height, frames }: ProbeResult,
  { maxPixels, maxFrames }: Required<Limits>,
  file?: string,
): void {
  if (frames > maxFrames) {
    throw new PixpressError('INPUT_TOO_LARGE', `The image has ${frames} frames; the limit is ${maxFrames}.`, { file })
  }
  const pixels = width * height * frames
  if (pixels > maxPixels) {
    const claim = `${width}×${height}${frames > 1 ? ` × ${frames} frames` : ''}`
    throw new PixpressError('INPUT_TOO_LARGE', `The image is ${claim} = ${pixels} pixels; the limit is ${maxPixels}.`, {
      file,
    })
  }
}
