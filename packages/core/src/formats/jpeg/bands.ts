import sharp from 'sharp'
import { countDecoded, timePhase } from '../../base/counters.ts'
import { isLarge } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { releasePixels } from '../../encoding/release-pixels.ts'
import type { EncodeRequest } from '../../encoding/request.ts'
import { BAND_ROWS, bandsFor, bandsOf } from '../../encoding/sample-rows.ts'

/** Rows of the blocks in which JPEG codes halved chroma (ITU-T T.81 A.2.3). */
const BLOCK_ROWS = 16

/** How bands are encoded, and how their scores and bytes and those of the whole belong together. */
interface Relation {
  /**
   * Rows above and below each band that are encoded with it and not compared. Decoders smooth halved chroma over the
   * rows beside it: without them, pictures of fine chroma scored up to 4 points lower in bands than as a whole.
   */
  readonly margin: number
  /** Points that bands score above the whole at a score of 80, and how much more for each point below. */
  readonly above: number
  readonly aboveBelow80: number
  /** Points that bands gain less for each point of the whole. */
  readonly risesLess: number
  /** The most that bytes of bands were above their share of the whole's. */
  readonly bytesOff: number
}

/**
 * Measured on 34 photographs of 0.6 to 10 megapixels and on smaller copies of them, at four settings with mozjpeg's
 * trellis and without: half of them scored within 0.5 points of what bands foretold, nine of ten within 1.1.
 */
const USUAL: Relation = { margin: BLOCK_ROWS, above: 1.4, aboveBelow80: 0.07, risesLess: 0.07, bytesOff: 1.25 }

/**
 * Measured on five pictures of 46 to 90 megapixels, for all above 44: rows scored 2 to 4 points above the whole where
 * that scored 57 to 66, and 1 below to 1.1 above at 73 to 81.
 */
const LARGE: Relation = { margin: 0, above: 0, aboveBelow80: 0.12, risesLess: 0.2, bytesOff: 1.1 }

/** Bands of a picture's rows, whose encodes tell where a search among encodes of all rows begins. */
export interface Bands {
  /** The request for the bands alone. Their scores are those that the whole should have. */
  readonly request: EncodeRequest
  /** Rows of the whole for each of the bands. */
  readonly share: number
  close(): void
}

/** Tells whether some of a picture's rows say enough of all: it is no drawing, and has rows enough. */
export const hasBands = (picture: Picture): boolean => countBands(picture) !== undefined

function countBands(picture: Picture): ReturnType<typeof bandsFor> {
  if (isLarge(picture)) return bandsFor(picture)
  return picture.graphic || picture.channels === 4 ? undefined : bandsFor(picture, 4)
}

/**
 * Opens a quarter of the rows, above 44 megapixels an eighth; `undefined` where the picture has no bands. They begin
 * where blocks do: bands that did not were off by up to twelve points where the source was a JPEG, as an encode in the
 * source's own blocks loses less.
 */
export function openBands(request: EncodeRequest): Bands | undefined {
  const { picture, scorer, target, mostBytes = Infinity } = request
  const relation = isLarge(picture) ? LARGE : USUAL
  const found = countBands(picture)
  if (found === undefined) return undefined
  const bandRows = BAND_ROWS + 2 * relation.margin
  const rows = bandsOf(picture, found.bands, bandRows, BLOCK_ROWS)
  const compared = {
    ...rows,
    data: withoutMargins(rows.data, relation.margin, picture),
    height: found.bands * BAND_ROWS,
  }
  const share = picture.height / rows.height
  const ofBands = scorer.ofPart(compared)
  const score = async (jpeg: Uint8Array): Promise<number> => {
    const pixels = await decoded(jpeg, rows)
    const seen = withoutMargins(pixels, relation.margin, picture)
    try {
      return wholeScore(ofBands.scorePixels(seen), target, relation)
    } finally {
      for (const each of new Set([pixels, seen])) releasePixels(each)
    }
  }
  const most = (mostBytes / share) * relation.bytesOff
  return {
    request: { ...request, picture: rows, scorer: { ...scorer, score, sample: score }, mostBytes: most },
    share,
    close() {
      ofBands.dispose()
      for (const each of new Set([rows.data, compared.data])) releasePixels(each)
    },
  }
}

/** Decodes an encode of bands as all decoders do. */
async function decoded(jpeg: Uint8Array, { width, height }: Picture): Promise<Buffer> {
  const opened = sharp(jpeg, { failOn: 'error', limitInputPixels: false }).removeAlpha().toColourspace('srgb')
  const pixels = await timePhase('score', () => opened.raw({ depth: 'uchar' }).toBuffer())
  countDecoded(width * height)
  return pixels
}

/** Returns the rows of bands that are compared. */
function withoutMargins(data: Buffer, margin: number, { width, channels }: Picture): Buffer {
  if (margin === 0) return data
  const [bytes, skipped] = [BAND_ROWS * width * channels, margin * width * channels]
  const pieces: Buffer[] = []
  for (let at = skipped; at < data.length; at += bytes + 2 * skipped) pieces.push(data.subarray(at, at + bytes))
  return Buffer.concat(pieces)
}

const wholeScore = (ofRows: number, target: number, { above, aboveBelow80, risesLess }: Relation): number =>
  target + (ofRows - target - above - aboveBelow80 * (80 - target)) / (1 - risesLess)
