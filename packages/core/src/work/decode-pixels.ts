import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { codecOf } from '../formats/index.ts'
import type { ProbeResult } from '../types.ts'
import { isRotated, openStill } from './still/open-still.ts'
import type { LinearRaster, Raster } from '../resample/raster.ts'
import { wordsOf } from '../resample/raster.ts'
import { WHITE } from '../resample/transfer.ts'
import type { Curve, MatrixProfile } from '../colour/matrix-profile.ts'
import { conversion, DISPLAY_P3 } from '../colour/colour-space.ts'
import { isSrgb } from '../colour/code-points.ts'
import { hasSrgbPrimaries, isDisplayP3, profileOf, readMatrixProfile } from '../colour/matrix-profile.ts'

/** Upright pixels of a still image, and the space they are in: Display P3 if the file's own may reach beyond sRGB. */
export interface DecodedPixels {
  readonly space: 'srgb' | 'display-p3'
  readonly raster: Raster
}

/**
 * Decodes a still image to sRGB, or to Display P3 if its colours may lie beyond sRGB. ICC profiles are applied, and other
 * colour descriptions as far as a format's codec reads them. CMYK without a profile gets that of libvips.
 *
 * Profiles of primaries and curves are applied here where more than 8 bits of sRGB are at stake: libvips cuts 8 bits
 * down to sRGB, and misses saturated colours in 16 bits by up to 5 levels of 255. All other profiles are left to it.
 * @throws Error when the data is damaged
 */
export async function decodePixels(source: Uint8Array, probe: ProbeResult, maxPixels: number): Promise<DecodedPixels> {
  // A format's own decoder gives sRGB.
  const isDecodedBySharp = codecOf(probe.type).decode === undefined
  const profile = isDecodedBySharp ? await profileToApply(source, probe, maxPixels) : undefined
  if (profile === undefined) return { space: 'srgb', raster: await decodeToSrgb(source, probe, maxPixels) }
  const samples = await decodeSamples(source, probe, maxPixels)
  // What most phones write needs no conversion.
  const raster = samples.encoding === 'gamma8' && isDisplayP3(profile) ? samples : inDisplayP3(samples, profile)
  return { space: 'display-p3', raster }
}

async function profileToApply(
  source: Uint8Array,
  { type, depth }: ProbeResult,
  maxPixels: number,
): Promise<MatrixProfile | undefined> {
  const described = codecOf(type).colourSpace?.(source)
  if (described !== undefined && !isSrgb(described)) return profileOf(described)
  const { icc, channels } = await sharp(source, { limitInputPixels: maxPixels }).metadata()
  const profile = icc === undefined ? undefined : readMatrixProfile(icc)
  if (profile === undefined || icc === undefined) return undefined
  // A profile that does not fit its pixels is ignored, as libvips and browsers do.
  const isGreyProfile = icc[16] === 'G'.charCodeAt(0)
  if (isGreyProfile !== channels < 3) return undefined
  return depth > 8 || !hasSrgbPrimaries(profile) ? profile : undefined
}

async function decodeToSrgb(source: Uint8Array, probe: ProbeResult, maxPixels: number): Promise<Raster> {
  const { type, depth } = probe
  const decoded = await openStill(source, type, maxPixels)
  // A format's own decoder gives every picture an alpha channel, which would leave a trace when resized.
  const opened = probe.hasAlpha ? decoded : decoded.removeAlpha()
  if (depth <= 8 || codecOf(type).decode !== undefined) return samplesOf(opened.toColourspace('srgb'), 8)
  const { icc, bitsPerSample } = await opened.metadata()
  if (icc === undefined) return samplesOf(opened.toColourspace('rgb16'), 16, bitsPerSample)
  // libvips converts 16-bit pixels with a profile to Display P3, and from there to sRGB where that is asked for. Without a
  // profile, it would take them for Display P3 as well.
  return samplesOf(opened.withIccProfile('srgb', { attach: false }).toColourspace('rgb16'), 16)
}

/** The samples as they are stored, whatever they mean. */
async function decodeSamples(source: Uint8Array, { type, depth }: ProbeResult, maxPixels: number): Promise<Raster> {
  const opened = sharp(source, { failOn: 'error', limitInputPixels: maxPixels, ignoreIcc: true })
  const upright = isRotated(type) ? opened.autoOrient() : opened
  if (depth <= 8) return samplesOf(upright.toColourspace('srgb'), 8)
  const { bitsPerSample } = await opened.metadata()
  return samplesOf(upright.toColourspace('rgb16'), 16, bitsPerSample)
}

/** @param bits of the file's samples, which libvips keeps in 16 */
async function samplesOf(pipeline: Sharp, depth: 8 | 16, bits?: number): Promise<Raster> {
  const { data, info } = await pipeline
    .raw({ depth: depth === 8 ? 'uchar' : 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4) throw new Error(`decoding gave ${channels} channels instead of 3 or 4`)
  return depth === 8
    ? { encoding: 'gamma8', data, width, height, channels }
    : { encoding: 'gamma16', data: wordsOf(data, bits), width, height, channels }
}

/** Samples by their profile → light of Display P3. What lies beyond that too becomes its nearest edge per channel. */
function inDisplayP3(samples: Raster, { curves, toXyz }: MatrixProfile): LinearRaster {
  const { data: from, width, height, channels } = samples
  const top = samples.encoding === 'gamma8' ? 255 : WHITE
  const [reds, greens, blues] = curves.map((curve) => curveTable(curve, top)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const [toRed, toGreen, toBlue] = conversion(toXyz, DISPLAY_P3)
  const data = new Uint16Array(from.length)
  for (let at = 0; at < from.length; at += channels) {
    const red = reds[from[at]!]!
    const green = greens[from[at + 1]!]!
    const blue = blues[from[at + 2]!]!
    data[at] = clipped(toRed[0] * red + toRed[1] * green + toRed[2] * blue)
    data[at + 1] = clipped(toGreen[0] * red + toGreen[1] * green + toGreen[2] * blue)
    data[at + 2] = clipped(toBlue[0] * red + toBlue[1] * green + toBlue[2] * blue)
    if (channels === 4) data[at + 3] = (from[at + 3]! / top) * WHITE + 0.5
  }
  return { encoding: 'linear16', data, width, height, channels }
}

/** Light, 0 to 65,535, of every sample. */
function curveTable(curve: Curve, top: number): Float32Array {
  return Float32Array.from({ length: top + 1 }, (_, sample) => WHITE * curve(sample / top))
}

const clipped = (light: number): number => (light <= 0 ? 0 : light >= WHITE ? WHITE : light + 0.5)
