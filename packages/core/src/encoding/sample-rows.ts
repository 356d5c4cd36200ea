import type { Picture } from './picture.ts'

/** So many bands, of one row in so many; and rows below which they would tell too little. */
const BANDS = 8
const SHARE = 8
const LEAST_ROWS = 64

/** An eighth of a picture's rows, in bands from all over it, to tell how well all of it compresses; `undefined` where it has few. */
export function sampleRows(picture: Picture): Picture | undefined {
  const rows = Math.floor(picture.height / BANDS / SHARE)
  return rows * BANDS < LEAST_ROWS ? undefined : bandsOf(picture, BANDS, rows)
}

/** Rows of a band of `BANDS_BY_SIZE`: those of libaom's largest blocks, so that no block of an encode of bands has pixels of two. */
export const BAND_ROWS = 64

/**
 * One band in so many tells the score of all, by pixels. Of 15 photographs at up to four sizes, a quarter of the rows was half a point off,
 * and an eighth of two megapixels or more; an eighth of smaller pictures up to 17 points, and a smaller copy of a picture 1 to 3.
 */
const BANDS_BY_SIZE = [
  { pixels: 2_000_000, share: 8 },
  { pixels: 500_000, share: 4 },
] as const

/** Bands below which one of them would weigh too much: of pictures that are far wider than high. */
const LEAST_BANDS = 3

/** Bands that tell the score of a photograph, and of how many rows they are one; `undefined` where it has too few pixels or rows. */
export function bandsFor({
  width,
  height,
}: Pick<Picture, 'width' | 'height'>): { bands: number; share: 4 | 8 } | undefined {
  const bandsIn = (share: number): number => Math.round(height / (BAND_ROWS * share))
  const found = BANDS_BY_SIZE.find(({ pixels, share }) => width * height >= pixels && bandsIn(share) >= LEAST_BANDS)
  return found && { bands: bandsIn(found.share), share: found.share }
}

/** Bands of so many rows each, the same distance apart, one below the other. */
export function bandsOf(picture: Picture, bands: number, rows: number): Picture {
  const { data, width, height, channels } = picture
  const rowBytes = width * channels
  const pieces = Array.from({ length: bands }, (_, band) => {
    const from = Math.floor(((band + 0.5) * height) / bands - rows / 2)
    return data.subarray(from * rowBytes, (from + rows) * rowBytes)
  })
  return { ...picture, data: Buffer.concat(pieces), height: rows * bands }
}
