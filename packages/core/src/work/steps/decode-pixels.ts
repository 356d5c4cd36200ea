import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { countDecoded } from '../../base/counters.ts'
import { codecOf } from '../../formats/index.ts'
import type { InputType, ProbeResult } from '../../base/types.ts'
import { turnUpright } from '../../encoding/turned.ts'
import { openStill } from './open-still.ts'
import { readOrientation } from './metadata.ts'
import type { LinearRaster, Raster } from '../../resample/raster.ts'
import { wordsOf } from '../../resample/raster.ts'
import { WHITE } from '../../resample/transfer.ts'
import { ClippedColours } from '../../colour/clip.ts'
import type { ColourSpace } from '../../colour/colour-space.ts'
import { conversion, DISPLAY_P3, SRGB } from '../../colour/colour-space.ts'
import type { Curve } from '../../colour/curve.ts'
import type { ProfileMeaning, SampleKind } from '../../colour/embedded-profile.ts'
import { meaningOf } from '../../colour/embedded-profile.ts'
import type { MatrixProfile } from '../../colour/matrix-profile.ts'
import { hasSrgbPrimaries, isDisplayP3, isSrgbProfile, profileOf } from '../../colour/matrix-profile.ts'
import { convertByTables, convertInks } from '../../colour/table-conversion.ts'

/** Upright pixels of a still image and their colour space: Display P3 if the file's own space may reach beyond sRGB. */
export interface DecodedPixels {
  readonly space: 'srgb' | 'display-p3'
  readonly raster: Raster
  /** The pixels may differ from those that browsers show, because they are rounded at other places. */
  readonly isNear?: true
}

/**
 * Decodes a still image to sRGB as Chromium shows it, or to Display P3 if its colours may lie beyond sRGB. ICC profiles
 * are applied, and other colour descriptions as far as a format's codec reads them. libvips only decodes, because its
 * conversions reduce 8 bits to sRGB, miss saturated colours in 16 bits by up to 5 levels of 255, and interpret lookup
 * tables and CMYK differently.
 * @throws Error if the data is damaged
 */
export async function decodePixels(source: Uint8Array, probe: ProbeResult, maxPixels: number): Promise<DecodedPixels> {
  const isOwn = codecOf(probe.type).decode !== undefined
  const { kind, meaning } = isOwn ? ownMeaning(source, probe) : await meaningOfSamples(source, probe, maxPixels)
  const decode = isOwn ? decodeByCodec : kind === 'cmyk' ? decodeInks : decodeSamples
  const stored = await decode(source, probe, maxPixels)
  if (meaning?.kind === 'tables') return { space: 'srgb', raster: convertByTables(stored, meaning.profile) }
  const samples = codecOf(probe.type).cutToBytes === true ? cutToBytes(stored) : stored
  const near = codecOf(probe.type).roundsOtherwise
  if (meaning === undefined) return { space: 'srgb', raster: samples, ...(near && { isNear: near }) }
  const { profile } = meaning
  const own = isSrgbProfile(profile) ? 'srgb' : isDisplayP3(profile) ? 'display-p3' : undefined
  // Files of most cameras and phones have one of these spaces and need no conversion.
  if (own === 'srgb' || (own !== undefined && samples.encoding === 'gamma8')) {
    return { space: own, raster: samples, ...(near && { isNear: near }) }
  }
  const space = hasSrgbPrimaries(profile) ? 'srgb' : 'display-p3'
  return { space, raster: inLight(samples, profile, space === 'srgb' ? SRGB : DISPLAY_P3), isNear: true }
}

/** Decodes by a format's own decoder. */
async function decodeByCodec(source: Uint8Array, { type, hasAlpha }: ProbeResult, maxPixels: number): Promise<Raster> {
  const decoded = await openStill(source, type, maxPixels)
  // That decoder adds an alpha channel to every picture, which would leave a trace when it is resized.
  const opened = hasAlpha ? decoded : decoded.removeAlpha()
  return samplesOf(opened.toColourspace('srgb'), 8)
}

interface SampleMeaning {
  readonly kind: SampleKind
  readonly meaning: ProfileMeaning | undefined
}

function ownMeaning(source: Uint8Array, { type }: ProbeResult): SampleMeaning {
  const { colourSpace, profile } = codecOf(type)
  const described = colourSpace?.(source)
  if (described !== undefined) return { kind: 'rgb', meaning: { kind: 'matrix', profile: profileOf(described) } }
  const icc = profile?.(source)
  return { kind: 'rgb', meaning: icc === undefined ? undefined : meaningOf(icc, 'rgb') }
}

async function meaningOfSamples(source: Uint8Array, { type }: ProbeResult, maxPixels: number): Promise<SampleMeaning> {
  const { colourSpace, profile } = codecOf(type)
  const described = colourSpace?.(source)
  const { icc = profile?.(source), channels, space } = await sharp(source, { limitInputPixels: maxPixels }).metadata()
  const kind = space === 'cmyk' ? 'cmyk' : channels < 3 ? 'grey' : 'rgb'
  if (described !== undefined) return { kind, meaning: { kind: 'matrix', profile: profileOf(described) } }
  return { kind, meaning: icc === undefined ? undefined : meaningOf(icc, kind) }
}

/** Decodes samples as they are stored, without a colour conversion. */
async function decodeSamples(source: Uint8Array, { type, depth }: ProbeResult, maxPixels: number): Promise<Raster> {
  const opened = openStored(source, type, maxPixels)
  const isDeep = depth > 8
  const bitsPerSample = isDeep ? (await opened.metadata()).bitsPerSample : undefined
  const samples = await samplesOf(opened.toColourspace(isDeep ? 'rgb16' : 'srgb'), isDeep ? 16 : 8, bitsPerSample)
  return codecOf(type).asBrowsers?.(samples, source) ?? samples
}

function cutToBytes(samples: Raster): Raster {
  if (samples.encoding === 'gamma8') return samples
  return { ...samples, encoding: 'gamma8', data: Buffer.from(samples.data.map((sample) => sample >> 8)) }
}

/** Decodes CMYK to red, green and blue. */
async function decodeInks(source: Uint8Array, { type }: ProbeResult, maxPixels: number): Promise<Raster> {
  const stored = openStored(source, type, maxPixels).pipelineColourspace('cmyk').toColourspace('cmyk')
  const { data, info } = await stored.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  countDecoded(info.width * info.height)
  if (info.channels !== 4) throw new Error(`decoding gave ${info.channels} channels of ink instead of 4`)
  return { encoding: 'gamma8', data: convertInks(data), width: info.width, height: info.height, channels: 3 }
}

function openStored(source: Uint8Array, type: InputType, maxPixels: number): Sharp {
  const opened = sharp(source, { failOn: 'error', limitInputPixels: maxPixels, ignoreIcc: true })
  return turnUpright(opened, readOrientation(source, type))
}

/**
 * Reads the samples of an opened image.
 * @param bits of the file's samples, which libvips stores in 16
 */
async function samplesOf(pipeline: Sharp, depth: 8 | 16, bits?: number): Promise<Raster> {
  const { data, info } = await pipeline
    .raw({ depth: depth === 8 ? 'uchar' : 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  countDecoded(width * height)
  if (channels !== 3 && channels !== 4) throw new Error(`decoding gave ${channels} channels instead of 3 or 4`)
  return depth === 8
    ? { encoding: 'gamma8', data, width, height, channels }
    : { encoding: 'gamma16', data: wordsOf(data, bits), width, height, channels }
}

/** Converts samples to linear light of a colour space by their profile. A colour outside the space is clipped. */
function inLight(samples: Raster, { curves, toXyz }: MatrixProfile, space: ColourSpace): LinearRaster {
  const { data: from, width, height, channels } = samples
  const top = samples.encoding === 'gamma8' ? 255 : WHITE
  const [reds, greens, blues] = curves.map((curve) => curveTable(curve, top)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const [toRed, toGreen, toBlue] = conversion(toXyz, space)
  const isWide = space === DISPLAY_P3
  const colours = isWide ? new ClippedColours() : undefined
  const data = new Uint16Array(from.length)
  for (let at = 0; at < from.length; at += channels) {
    const red = reds[from[at]!]!
    const green = greens[from[at + 1]!]!
    const blue = blues[from[at + 2]!]!
    const r = toRed[0] * red + toRed[1] * green + toRed[2] * blue
    const g = toGreen[0] * red + toGreen[1] * green + toGreen[2] * blue
    const b = toBlue[0] * red + toBlue[1] * green + toBlue[2] * blue
    if (colours !== undefined && !(isInside(r) && isInside(g) && isInside(b))) {
      const key = (from[at]! * (top + 1) + from[at + 1]!) * (top + 1) + from[at + 2]!
      const place = colours.placeOf(key, r, g, b)
      data[at] = clipped(colours.light[place]! * WHITE)
      data[at + 1] = clipped(colours.light[place + 1]! * WHITE)
      data[at + 2] = clipped(colours.light[place + 2]! * WHITE)
    } else {
      data[at] = clipped(r * WHITE)
      data[at + 1] = clipped(g * WHITE)
      data[at + 2] = clipped(b * WHITE)
    }
    if (channels === 4) data[at + 3] = (from[at + 3]! / top) * WHITE + 0.5
  }
  return { encoding: 'linear16', data, width, height, channels }
}

/** Returns the linear light of every sample value. */
function curveTable(curve: Curve, top: number): Float32Array {
  return Float32Array.from({ length: top + 1 }, (_, sample) => curve(sample / top))
}

/** Returns `true` if light is between 0 and 1, or beyond by less than a hundred-thousandth, which is rounding. */
const isInside = (light: number): boolean => light >= -1e-5 && light <= 1 + 1e-5

const clipped = (light: number): number => (light <= 0 ? 0 : light >= WHITE ? WHITE : light + 0.5)
