/**
 * Colour spaces that a file describes by other means than an ICC profile, which libvips does not read. Sources: PNG
 * Specification, Third Edition, sections 4.3 and 11.3.2; ITU-T H.273 tables 2 and 3 (code points); ISO/IEC 14496-12
 * section 12.1.5 (`colr`).
 */
import { crc32 } from 'node:zlib'
import { asciiAt, hasAscii, uint16, uint32 } from '../../metadata/bytes.ts'
import type { InputType } from '../../types.ts'
import { colourBoxes } from './avif-colour.ts'
import type { Chromaticity, ColourSpace } from './colour-space.ts'
import { DISPLAY_P3, SRGB } from './colour-space.ts'

/** Ancillary chunks of one file that are looked at. */
const MOST_CHUNKS = 1024

/** By which part two exponents may differ and show the same: libpng's own threshold for gamma. */
const SAME_GAMMA = 0.05

/** By how much two chromaticities may differ and be the same. */
const SAME_CHROMATICITY = 0.005

/** The exponent that stands for sRGB's curve in `gAMA`. */
const SRGB_GAMMA = 2.2

/** Primaries of H.273 table 2 that screens and cameras use; 1 is sRGB's. */
const PRIMARIES: ReadonlyMap<number, Omit<ColourSpace, 'transfer'>> = new Map([
  [1, SRGB],
  [9, { ...SRGB, red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046] }],
  [12, DISPLAY_P3],
])

/**
 * Transfer functions of H.273 table 3 for pictures of ordinary range. Those of television (1, 6, 14, 15) are shown like
 * sRGB's by browsers; those of high dynamic range are not among them.
 */
const TRANSFERS: ReadonlyMap<number, ColourSpace['transfer']> = new Map<number, ColourSpace['transfer']>([
  [1, 'srgb'],
  [4, 2.2],
  [5, 2.8],
  [6, 'srgb'],
  [8, 1],
  [13, 'srgb'],
  [14, 'srgb'],
  [15, 'srgb'],
])

/**
 * The colour space of a PNG's `cICP` or `gAMA` and `cHRM` chunks, or of an AVIF's `nclx`. `undefined` where it is sRGB,
 * where there is an ICC profile (which `cICP` outranks), and where the description is damaged or of high dynamic range.
 */
export function describedSpace(source: Uint8Array, type: InputType): ColourSpace | undefined {
  const space = type === 'image/png' ? ofPng(source) : type === 'image/avif' ? ofAvif(source) : undefined
  return space === undefined || isSrgb(space) ? undefined : space
}

function ofPng(source: Uint8Array): ColourSpace | undefined {
  const chunks = colourChunks(source)
  const codes = chunks.get('cICP')
  if (codes?.length === 4 && codes[2] === 0 && codes[3] === 1) return ofCodePoints(codes[0]!, codes[1]!)
  if (chunks.has('iCCP') || chunks.has('sRGB')) return undefined
  const gamma = chunks.get('gAMA')
  const exponent = gamma?.length === 4 ? 100_000 / uint32(gamma, 0) : SRGB_GAMMA
  // Beyond these bounds is no screen, camera or linear light, but an error.
  if (!(exponent >= 0.5 && exponent <= 5)) return undefined
  const transfer = Math.abs(exponent / SRGB_GAMMA - 1) < SAME_GAMMA ? 'srgb' : exponent
  return { ...chromaticities(chunks.get('cHRM')), transfer }
}

/** The chunks in front of the pixels that decide about colours, the first of each kind, with the right checksum. */
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

function chromaticities(chunk: Uint8Array | undefined): Omit<ColourSpace, 'transfer'> {
  if (chunk?.length !== 32) return SRGB
  const pair = (at: number): Chromaticity => [uint32(chunk, at) / 100_000, uint32(chunk, at + 4) / 100_000]
  const own = { white: pair(0), red: pair(8), green: pair(16), blue: pair(24) }
  const plausible = Object.values(own).every(([x, y]) => x > 0 && y > 0 && x + y <= 1)
  return plausible && triangle(own) > 0.01 ? own : SRGB
}

/** Twice the area of the gamut in the chromaticity diagram; none where primaries lie on one line. */
function triangle({ red, green, blue }: Omit<ColourSpace, 'transfer'>): number {
  return Math.abs((green[0] - red[0]) * (blue[1] - red[1]) - (blue[0] - red[0]) * (green[1] - red[1]))
}

/** The first `nclx` of the item properties; an ICC profile beside it counts instead. */
function ofAvif(source: Uint8Array): ColourSpace | undefined {
  const profiles = colourBoxes(source)
  const nclx = profiles.find(({ content }) => hasAscii(source, content, 'nclx'))
  if (nclx === undefined || profiles.some(({ content }) => !hasAscii(source, content, 'nclx'))) return undefined
  return ofCodePoints(uint16(source, nclx.content + 4), uint16(source, nclx.content + 6))
}

function ofCodePoints(primaries: number, transfer: number): ColourSpace | undefined {
  const gamut = PRIMARIES.get(primaries)
  const curve = TRANSFERS.get(transfer)
  return gamut === undefined || curve === undefined ? undefined : { ...gamut, transfer: curve }
}

function isSrgb(space: ColourSpace): boolean {
  return (
    space.transfer === 'srgb' &&
    (['red', 'green', 'blue', 'white'] as const).every((name) =>
      space[name].every((value, index) => Math.abs(value - SRGB[name][index]!) < SAME_CHROMATICITY),
    )
  )
}
