import type { Picture } from './picture.ts'

/** So many bands, of one row in so many; and rows below which they would tell too little. */
const BANDS = 8
const SHARE = 8
const LEAST_ROWS = 64

/** An eighth of a picture's rows, in bands from all over it, to tell how well all of it compresses; `undefined` where it has few. */
export function sampleRows(picture: Picture): Picture | undefined {
  const { data, width, height, channels } = picture
  const rows = Math.floor(height / BANDS / SHARE)
  if (rows * BANDS < LEAST_ROWS) return undefined
  const rowBytes = width * channels
  const pieces = Array.from({ length: BANDS }, (_, band) => {
    const from = Math.floor(((band + 0.5) * height) / BANDS - rows / 2)
    return data.subarray(from * rowBytes, (from + rows) * rowBytes)
  })
  return { ...picture, data: Buffer.concat(pieces), height: rows * BANDS }
}
