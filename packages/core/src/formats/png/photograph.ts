import type { Picture } from '../../encoding/picture.ts'
import { fromPicture } from '../../encoding/picture.ts'
import { repeatsMoreThan } from '../../encoding/pixel-engine.ts'
import { sampleRows } from '../../encoding/sample-rows.ts'

/**
 * The largest share of pixels that equal their left neighbour in a picture whose pixels behave like a photograph's.
 * Measured: 30 photographs had 0 to 0.22, except one with a black sky; 32 drawings, screenshots and icons had 0.43 and
 * more, cut-outs around 0.3.
 */
const MOST_REPEATS = 0.3

/**
 * Factors by which the lossless estimate must exceed the bytes. The estimate comes from an eighth of a picture's rows:
 * for 12 drawings and screenshots it was 0.8 to 1.92 times the real bytes, for 11 photographs 0.99 to 1.02 times.
 */
const MARGINS = { photograph: 1.1, other: 2 } as const

const known = new WeakMap<Picture, boolean>()

/** Tells whether hardly any pixel repeats the one before. Grain and light make it so in everything but drawings. */
export function repeatsLittle(picture: Picture): boolean {
  const { data, width, height, channels } = picture
  const answer = known.get(picture) ?? !repeatsMoreThan(MOST_REPEATS * width * height, data, channels)
  known.set(picture, answer)
  return answer
}

/** Tells whether quick lossless PNGs, one with each way of filtering, take more than so many bytes. */
export async function takesMoreLosslessly(picture: Picture, bytes: number): Promise<boolean> {
  const bands = sampleRows(picture)
  const margin = repeatsLittle(picture) ? MARGINS.photograph : MARGINS.other
  if (bands !== undefined && (await quickly(bands, (margin * bytes * bands.height) / picture.height))) return true
  return quickly(picture, bytes)
}

async function quickly(picture: Picture, bytes: number): Promise<boolean> {
  for (const adaptiveFiltering of [true, false]) {
    const quick = await fromPicture(picture).png({ compressionLevel: 4, adaptiveFiltering }).toBuffer()
    if (quick.length < bytes) return false
  }
  return true
}
