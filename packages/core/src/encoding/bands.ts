import sharp from 'sharp'
import { countDecoded, timePhase } from '../base/counters.ts'
import type { Picture } from './picture.ts'
import { releasePixels } from './release-pixels.ts'
import type { EncodeRequest } from './request.ts'
import type { Searched } from './search.ts'
import { BAND_ROWS, bandsOf } from './sample-rows.ts'

/** Rows of the blocks in which JPEG and WebP code halved chroma (ITU-T T.81 A.2.3, RFC 6386 section 2). */
export const BLOCK_ROWS = 16

/** How bands are encoded, and how their scores and bytes and those of the whole belong together. */
export interface Relation {
  /** Rows above and below each band that are encoded with it and not compared. */
  readonly margin: number
  /** Points that bands score above the whole at a score of 80, and how much more for each point below. */
  readonly above: number
  readonly aboveBelow80: number
  /** Points that bands gain less for each point of the whole. */
  readonly risesLess: number
  /** The most that bytes of bands were above their share of the whole's. */
  readonly bytesOff: number
}

/** Bands of a picture's rows, whose encodes tell where a search among encodes of all rows begins. */
export interface Bands {
  /** The request for the bands alone. Their scores are those that the whole should have. */
  readonly request: EncodeRequest
  /** Rows of the whole for each of the bands. */
  readonly share: number
  close(): void
}

/**
 * Opens so many bands. They begin where blocks do: bands that did not were off by up to twelve points where the source
 * was a JPEG, as an encode in the source's own blocks loses less.
 */
export function openBands(request: EncodeRequest, count: number, relation: Relation): Bands {
  const { picture, scorer, target, mostBytes = Infinity } = request
  const rows = bandsOf(picture, count, BAND_ROWS + 2 * relation.margin, BLOCK_ROWS)
  const data = withoutMargins(rows.data, relation.margin, picture)
  const compared = { ...rows, data, height: count * BAND_ROWS }
  const share = picture.height / rows.height
  const ofBands = scorer.ofPart(compared)
  const score = async (encoded: Uint8Array): Promise<number> => {
    const pixels = await decoded(encoded, rows)
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

/** Searches with the bands where there are any, and with all rows where there are none. */
export async function withBands(
  request: EncodeRequest,
  bands: Bands | undefined,
  search: (request: EncodeRequest) => Promise<Searched>,
): Promise<Searched> {
  if (bands === undefined) return search(request)
  const found = await search(bands.request)
  return { ...found, estimate: found.estimate * bands.share }
}

/** Decodes an encode of bands as all decoders do. */
async function decoded(encoded: Uint8Array, { width, height }: Picture): Promise<Buffer> {
  const opened = sharp(encoded, { failOn: 'error', limitInputPixels: false }).removeAlpha().toColourspace('srgb')
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
