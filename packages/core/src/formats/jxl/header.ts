/** The header of a JPEG XL codestream, up to its colours. Source: ISO/IEC 18181-1 annex D. */
import { concatBytes } from '../../metadata/bytes.ts'
import { codestreamParts, jxlBoxes } from './boxes.ts'
import { BitReader } from './bit-reader.ts'
import type { NumberForm } from './bit-reader.ts'

/** The fields of a JPEG XL header that the engine needs. */
export interface JxlHeader {
  /** Pixels as seen: decoders rotate the picture upright. */
  width: number
  height: number
  /** Bits per colour sample. */
  depth: number
  hasAlpha: boolean
  animated: boolean
  /** The image has a channel of black ink: the others are cyan, magenta and yellow. */
  cmyk: boolean
  /**
   * Colours may lie outside of sRGB: they have an ICC profile, other primaries or another white point, or are of high
   * dynamic range.
   */
  wide: boolean
}

type Forms = readonly [NumberForm, NumberForm, NumberForm, NumberForm]

/** The ratios of width to height that a size can name instead of its width. */
const RATIOS: readonly (readonly [number, number])[] = [
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
]
const ALPHA = 0
const SPOT_COLOUR = 2
const BLACK = 4
const COLOUR_FILTER = 5

/** Values of the enumerations in a colour description (D.3.8). */
const GREY = 1
const XYB = 2
const WHITE_D65 = 1
const PRIMARIES_SRGB = 1
const TRANSFER_PQ = 16
const TRANSFER_HLG = 18

/** Every header field lies in these bytes, unless channels have names longer than any writer gives them. */
const HEAD = 16_384

/** @returns `undefined` when the bytes are no JPEG XL header */
export function readJxlHeader(data: Uint8Array): JxlHeader | undefined {
  const boxes = jxlBoxes(data)
  const parts = boxes === undefined ? [data] : codestreamParts(data, boxes)
  if (parts === undefined) return undefined
  const head = concatBytes(parts.slice(0, HEAD).map((part) => part.subarray(0, HEAD)))
  if (head[0] !== 0xff || head[1] !== 0x0a) return undefined
  const reader = new BitReader(head, 2)
  const header = readHeader(reader)
  return reader.overrun ? undefined : header
}

function readHeader(reader: BitReader): JxlHeader {
  const [width, height] = readSize(reader)
  const plain: JxlHeader = { width, height, depth: 8, hasAlpha: false, animated: false, cmyk: false, wide: false }
  if (reader.bool()) return plain
  let isSideways = false
  let animated = false
  if (reader.bool()) {
    isSideways = reader.bits(3) >= 4
    if (reader.bool()) readSize(reader)
    if (reader.bool()) skipPreviewSize(reader)
    animated = reader.bool()
    if (animated) skipAnimation(reader)
  }
  const depth = readDepth(reader)
  reader.skip(1)
  const kinds = readExtraChannels(reader)
  // Skips `xyb_encoded`.
  reader.skip(1)
  const wide = readsAsWide(reader)
  return {
    width: isSideways ? height : width,
    height: isSideways ? width : height,
    depth,
    hasAlpha: kinds.has(ALPHA),
    animated,
    cmyk: kinds.has(BLACK),
    wide,
  }
}

/** Reads `SizeHeader` (D.3.2). */
function readSize(reader: BitReader): readonly [width: number, height: number] {
  const small = reader.bool()
  const forms: Forms = [
    [9, 1],
    [13, 1],
    [18, 1],
    [30, 1],
  ]
  const length = (): number => (small ? (reader.bits(5) + 1) * 8 : reader.number(forms))
  const height = length()
  return [readWidth(reader, height, length), height]
}

function readWidth(reader: BitReader, height: number, length: () => number): number {
  const ratio = RATIOS[reader.bits(3) - 1]
  return ratio === undefined ? length() : Math.floor((height * ratio[0]) / ratio[1])
}

/** Skips `PreviewHeader` (D.3.4). */
function skipPreviewSize(reader: BitReader): void {
  const inEights: Forms = [
    [0, 16],
    [0, 32],
    [5, 1],
    [9, 33],
  ]
  const inPixels: Forms = [
    [6, 1],
    [8, 65],
    [10, 321],
    [12, 1345],
  ]
  const forms = reader.bool() ? inEights : inPixels
  const length = (): number => reader.number(forms)
  readWidth(reader, length(), length)
}

/**
 * Skips `AnimationHeader` (D.3.5): ticks per second, as a fraction, the number of loops, and whether there are time
 * codes.
 */
function skipAnimation(reader: BitReader): void {
  reader.number([
    [0, 100],
    [0, 1000],
    [10, 1],
    [30, 1],
  ])
  reader.number([
    [0, 1],
    [0, 1001],
    [8, 1],
    [10, 1],
  ])
  reader.number([
    [0, 0],
    [3, 0],
    [16, 0],
    [32, 0],
  ])
  reader.skip(1)
}

/** Reads `BitDepth` (D.3.3). */
function readDepth(reader: BitReader): number {
  if (!reader.bool()) {
    return reader.number([
      [0, 8],
      [0, 10],
      [0, 12],
      [6, 1],
    ])
  }
  const bits = reader.number([
    [0, 32],
    [0, 16],
    [0, 24],
    [6, 1],
  ])
  reader.skip(4)
  return bits
}

/** Returns the kinds of the extra channels (D.3.6). */
function readExtraChannels(reader: BitReader): ReadonlySet<number> {
  const count = reader.number([
    [0, 0],
    [0, 1],
    [4, 2],
    [12, 1],
  ])
  const kinds = new Set<number>()
  for (let channel = 0; channel < count && !reader.overrun; channel++) kinds.add(readExtraChannel(reader))
  return kinds
}

function readExtraChannel(reader: BitReader): number {
  if (reader.bool()) return ALPHA
  const kind = readEnum(reader)
  readDepth(reader)
  // Skips the factor by which the channel is smaller.
  reader.number([
    [0, 0],
    [0, 3],
    [0, 4],
    [3, 1],
  ])
  const nameBytes = reader.number([
    [0, 0],
    [4, 0],
    [5, 16],
    [10, 48],
  ])
  reader.skip(nameBytes * 8)
  if (kind === ALPHA) reader.skip(1)
  else if (kind === SPOT_COLOUR) reader.skip(4 * 16)
  else if (kind === COLOUR_FILTER) {
    reader.number([
      [0, 1],
      [2, 0],
      [4, 3],
      [8, 19],
    ])
  }
  return kind
}

/** Reads `ColourEncoding` (D.3.8) as far as needed to know. */
function readsAsWide(reader: BitReader): boolean {
  if (reader.bool()) return false
  if (reader.bool()) return true
  const space = readEnum(reader)
  if (space === XYB) return false
  if (readEnum(reader) !== WHITE_D65) return true
  if (space !== GREY && readEnum(reader) !== PRIMARIES_SRGB) return true
  if (reader.bool()) return false
  return [TRANSFER_PQ, TRANSFER_HLG].includes(readEnum(reader))
}

/** Reads `Enum` (B.2.7). */
function readEnum(reader: BitReader): number {
  return reader.number([
    [0, 0],
    [0, 1],
    [4, 2],
    [6, 18],
  ])
}
