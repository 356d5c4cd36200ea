import type { CodecFor } from '../../encoding/codec.ts'

/** Conversions by which readers turn the 10 or 12 bits of an AVIF into the 8 bits that they show. */

/** The ways in which readers do it: the one that mostly scores lower first, by 0.07 to 0.47 in 5 photographs. */
export const AVIF_AS_SHOWN: NonNullable<CodecFor<'avif'>['shownSamples']> = [withCutColours, precisely]

/**
 * Computes 8-bit samples with full precision, like libavif.
 * @param samples with as many bits as the file has, shifted up to 16
 */
function precisely(samples: Uint16Array, bits: number): Buffer {
  const top = 2 ** bits - 1
  const shift = 16 - bits
  const bytes = Uint8Array.from({ length: top + 1 }, (_, sample) => Math.round((sample * 255) / top))
  const shown = Buffer.allocUnsafe(samples.length)
  for (let at = 0; at < samples.length; at++) shown[at] = bytes[samples[at]! >> shift]!
  return shown
}

/**
 * Computes 8-bit samples like Chromium, which cuts colour differences down to 8 bits and so is up to 2 levels off. This
 * follows libyuv's integer arithmetic for full-range BT.601, which our encoder writes. Luma keeps its bits. Colour
 * differences are computed back from the decoded colours, so where those were clipped the result is a little off.
 */
function withCutColours(samples: Uint16Array, bits: number, channels: 3 | 4): Buffer {
  const shift = 16 - bits
  const middle = 2 ** (bits - 1)
  const top = 2 ** bits - 1
  const cutBits = bits - 8
  const shown = Buffer.allocUnsafe(samples.length)
  for (let at = 0; at < samples.length; at += channels) {
    const red = samples[at]! >> shift
    const green = samples[at + 1]! >> shift
    const blue = samples[at + 2]! >> shift
    const light = 0.299 * red + 0.587 * green + 0.114 * blue
    // Positive throughout, where cutting off the fraction is rounding down.
    const luma = (light + 0.5) | 0
    const base = ((((luma << shift) | (luma >> (bits - shift))) * 16_320) >>> 16) + 32
    const u = (clamped((blue - light) / 1.772 + middle + 0.5, top) >> cutBits) - 128
    const v = (clamped((red - light) / 1.402 + middle + 0.5, top) >> cutBits) - 128
    shown[at] = clamped((base + 90 * v) >> 6, 255)
    shown[at + 1] = clamped((base - 22 * u - 46 * v) >> 6, 255)
    shown[at + 2] = clamped((base + 113 * u) >> 6, 255)
    if (channels === 4) shown[at + 3] = Math.round(((samples[at + 3]! >> shift) * 255) / top)
  }
  return shown
}

const clamped = (value: number, top: number): number => (value <= 0 ? 0 : value >= top ? top : value | 0)
