import { brands, isAnimatedPng } from './detect.ts'
import { countApngFrames } from './engine/apng/read.ts'
import { readJxlHeader } from './engine/jxl/header.ts'
import { PixpressError } from './errors.ts'
import type { Limits } from './options.ts'
import type { InputType, ProbeResult } from './types.ts'

/**
 * Reads an image's header and holds it against the limits: a decompression bomb is refused here, before any pixel is
 * decoded.
 * @throws PixpressError `DECODE_FAILED` or `INPUT_TOO_LARGE`
 */
export async function probeImage(
  source: Uint8Array,
  type: InputType,
  limits: Required<Limits>,
  file?: string,
): Promise<ProbeResult> {
  if (type === 'image/svg+xml') return probeSvg(source)
  if (type === 'image/jxl') return probeJxl(source, limits, file)
  const { default: sharp } = await import('sharp')
  const metadata = await sharp(source, { animated: true, limitInputPixels: false, failOn: 'error' })
    .metadata()
    .catch((error: unknown) => {
      throw new PixpressError('DECODE_FAILED', `The header cannot be read as ${type}: ${firstLine(error)}.`, {
        file,
        cause: error,
      })
    })
  const frames = countFrames(source, type, metadata.pages)
  const turned = (metadata.orientation ?? 1) >= 5
  const height = metadata.pageHeight ?? metadata.height
  const probed: ProbeResult = {
    type,
    width: turned ? height : metadata.width,
    height: turned ? metadata.width : height,
    size: source.length,
    hasAlpha: metadata.hasAlpha,
    frames,
    orientation: metadata.orientation ?? 1,
    depth: metadata.depth === 'ushort' ? 16 : 8,
  }
  withinLimits(probed, limits, file)
  if (type === 'image/gif') sameCanvas(source, probed, limits, file)
  return probed
}

function probeJxl(source: Uint8Array, limits: Required<Limits>, file?: string): ProbeResult {
  const header = readJxlHeader(source)
  if (header === undefined) {
    throw new PixpressError('DECODE_FAILED', 'The header cannot be read as image/jxl.', { file })
  }
  const { width, height, hasAlpha, depth } = header
  const frames = header.animated ? 2 : 1
  const probed: ProbeResult = {
    type: 'image/jxl',
    width,
    height,
    size: source.length,
    hasAlpha,
    frames,
    orientation: 1,
    depth,
  }
  withinLimits(probed, limits, file)
  return probed
}

/** libvips takes the first frame's size where the canvas is implausibly larger: the picture would shrink to it. */
function sameCanvas(source: Uint8Array, probed: ProbeResult, limits: Required<Limits>, file?: string): void {
  const header = new DataView(source.buffer, source.byteOffset, source.byteLength)
  const [width, height] = [header.getUint16(6, true), header.getUint16(8, true)]
  withinLimits({ ...probed, width, height }, limits, file)
  if (width !== probed.width || height !== probed.height) {
    const sizes = `${width}×${height}, its frames ${probed.width}×${probed.height}`
    throw new PixpressError('DECODE_FAILED', `The canvas of the GIF is ${sizes}.`, { file })
  }
}

function countFrames(source: Uint8Array, type: InputType, pages: number | undefined): number {
  // sharp does not see the animation of these.
  if (type === 'image/png') return isAnimatedPng(source) ? countApngFrames(source) : 1
  if (type === 'image/avif') return brands(source).includes('avis') ? 2 : 1
  return pages ?? 1
}

function withinLimits(
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

/** An SVG's own idea of its size: `width`/`height` in pixels, else the `viewBox`, else 0. */
function probeSvg(source: Uint8Array): ProbeResult {
  const tag = /<(?:[\w-]+:)?svg\b[^>]*>/.exec(new TextDecoder().decode(source.subarray(0, 65_536)))?.[0] ?? ''
  const attribute = (name: string): string | undefined =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1]
  const box = (attribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const length = (name: string, fallback: number | undefined): number => {
    const pixels = /^\s*([\d.]+)(?:px)?\s*$/.exec(attribute(name) ?? '')?.[1]
    const value = pixels === undefined ? fallback : Number(pixels)
    return value !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
  }
  return {
    type: 'image/svg+xml',
    width: length('width', box[2]),
    height: length('height', box[3]),
    size: source.length,
    hasAlpha: true,
    frames: 1,
    orientation: 1,
    depth: 8,
  }
}

/** The first line of a foreign error, without a full stop of its own: these texts become the end of our sentence. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.split('\n').find((line) => line.trim() !== '') ?? 'unknown error').trim().replace(/\.$/, '')
}
