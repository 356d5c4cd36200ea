/** The colour space of a PNG. Source: PNG Specification, Third Edition, sections 4.3 and 11.3.2. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { ascii, asciiAt, concatBytes, uint32 } from '../../metadata/bytes.ts'
import { displayP3Profile } from '../../colour/build-profile.ts'
import { beyondScreens, spaceOfCodePoints } from '../../colour/code-points.ts'
import type { BeyondScreens } from '../../colour/code-points.ts'
import { isGreyByLightness } from '../../colour/matrix-profile.ts'
import { SRGB } from '../../colour/colour-space.ts'
import type { Chromaticity, ColourSpace } from '../../colour/colour-space.ts'
import { encodePngChunk } from '../../metadata/png-chunks.ts'

/** Signature and `IHDR`. */
const PNG_HEADER_SIZE = 8 + 25

/** Ancillary chunks of one file that are looked at. */
const MOST_CHUNKS = 1024

/** The share by which `gAMA` alone may differ from sRGB's and show the same: libpng's own threshold. */
const SAME_GAMMA = 0.05

/** The power that Chromium takes the curve of television for in `cICP`: that of its screens (ITU-R BT.1886). */
const TELEVISION = 2.4

/** The value of `gAMA` for sRGB. */
const SRGB_GAMMA = 45_455

/**
 * Returns the colour space of the chunks `cICP`, or `gAMA` and `cHRM`. `undefined` where there are none, where there is
 * an ICC profile (which only `cICP` outranks), and where they are damaged or of high dynamic range.
 *
 * `gAMA` and `cHRM` are read like Chromium reads them: `cHRM` alone is ignored; with both, the curve is the exact
 * power, which makes shadows darker than sRGB's by up to 9 levels even where `gAMA` stands for sRGB; `gAMA` alone
 * stands for sRGB's curve where it is near it. Chromium bounds none of these values, so nothing is bounded here.
 */
export function pngColourSpace(source: Uint8Array): ColourSpace | undefined {
  const chunks = colourChunks(source)
  const codes = chunks.get('cICP')
  if (codes?.length === 4 && codes[2] === 0 && codes[3] === 1)
    return spaceOfCodePoints(codes[0]!, codes[1]!, TELEVISION)
  if (chunks.has('iCCP') || chunks.has('sRGB')) return undefined
  const gamma = chunks.get('gAMA')
  const value = gamma?.length === 4 ? uint32(gamma, 0) : 0
  if (value === 0) return undefined
  const exponent = 100_000 / value
  const chromaticity = chunks.get('cHRM')
  if (chromaticity !== undefined) {
    const primaries = chromaticities(chromaticity)
    return primaries && { ...primaries, transfer: exponent }
  }
  return { ...SRGB, transfer: Math.abs(value / SRGB_GAMMA - 1) < SAME_GAMMA ? 'srgb' : exponent }
}

/** Says why an image is not converted to sRGB or Display P3 unasked; `undefined` where it is. */
export function pngBeyondScreens(source: Uint8Array): BeyondScreens | undefined {
  const chunks = colourChunks(source)
  const codes = chunks.get('cICP')
  if (codes?.length === 4) return beyondScreens(codes[0]!, codes[1]!)
  const profile = (source[25]! & HAS_COLOUR) === 0 ? pngProfile(source) : undefined
  return profile !== undefined && isGreyByLightness(profile) ? GREY_BY_LIGHTNESS : undefined
}

/** Bit of the colour type in `IHDR`. */
const HAS_COLOUR = 2

const GREY_BY_LIGHTNESS: BeyondScreens = {
  kind: 'a grey image with a profile of lightness',
  note: 'A grey image whose profile gives lightness (L*) is passed through as it is, as programs show it in different ways.',
  changeable: true,
}

/** Bytes of a profile that are inflated: the header says what it is. */
const LONGEST_PROFILE = 1 << 20

/**
 * Returns the ICC profile; `undefined` where there is none, or it is damaged. libpng drops those of RGB in a grey
 * image.
 */
export function pngProfile(source: Uint8Array): Uint8Array | undefined {
  const chunk = colourChunks(source).get('iCCP')
  if (chunk === undefined) return undefined
  try {
    return inflateSync(chunk.subarray(chunk.indexOf(0) + 2), { maxOutputLength: LONGEST_PROFILE })
  } catch {
    return undefined
  }
}

/**
 * Returns the chunks in front of the pixels that decide about colours, the first of each kind, with the right checksum.
 */
function colourChunks(source: Uint8Array): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  for (let at = 8, count = 0; at + 12 <= source.length && count < MOST_CHUNKS; count++) {
    const type = asciiAt(source, at + 4, 4)
    const end = at + 8 + uint32(source, at)
    if (type === 'IDAT' || end + 4 > source.length) break
    if (['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM'].includes(type) && !found.has(type)) {
      if (crc32(source.subarray(at + 4, end)) === uint32(source, end)) found.set(type, source.subarray(at + 8, end))
    }
    at = end + 4
  }
  return found
}

function chromaticities(chunk: Uint8Array): Omit<ColourSpace, 'transfer'> | undefined {
  if (chunk.length !== 32) return undefined
  const pair = (at: number): Chromaticity => [uint32(chunk, at) / 100_000, uint32(chunk, at + 4) / 100_000]
  const own = { white: pair(0), red: pair(8), green: pair(16), blue: pair(24) }
  const plausible = Object.values(own).every(([x, y]) => x > 0 && y > 0 && x + y <= 1)
  return plausible && triangle(own) > 0.01 ? own : undefined
}

/** Returns twice the area of the gamut in the chromaticity diagram; none where primaries lie on one line. */
function triangle({ red, green, blue }: Omit<ColourSpace, 'transfer'>): number {
  return Math.abs((green[0] - red[0]) * (blue[1] - red[1]) - (blue[0] - red[0]) * (green[1] - red[1]))
}

/**
 * Returns the file with Display P3 in an `iCCP` chunk behind the header, about 350 bytes; the same where there is one
 * already.
 */
export function pngInDisplayP3(data: Uint8Array): Uint8Array {
  for (let at = 8; at + 12 <= data.length; at += 12 + uint32(data, at)) {
    const type = asciiAt(data, at + 4, 4)
    if (type === 'iCCP') return data
    if (type === 'IDAT') break
  }
  const chunk = encodePngChunk('iCCP', [ascii('ICC\0\0'), deflateSync(displayP3Profile(), { level: 9 })])
  return concatBytes([data.subarray(0, PNG_HEADER_SIZE), chunk, data.subarray(PNG_HEADER_SIZE)])
}
