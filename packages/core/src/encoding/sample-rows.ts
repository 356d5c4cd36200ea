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
