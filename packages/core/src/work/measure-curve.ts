import type { ByteCurve, WidthBytes } from './steps/byte-curve.ts'
import { fromPicture } from '../encoding/picture.ts'
import type { Picture } from '../encoding/picture.ts'
import { sampleRows } from '../encoding/sample-rows.ts'
import { shrinkRaster } from '../resample/shrink.ts'
import { toBytes } from '../resample/transfer.ts'
import type { ProbeResult } from '../base/types.ts'
import type { Job } from './steps/job.ts'
import { shownPicture } from './placeholder.ts'

/** Halvings of the width that are measured, and the width in pixels below which they tell nothing more. */
const HALVINGS = 4
const LEAST_WIDTH = 100

/** Pixels from which an eighth of the rows is encoded for all of them. */
const SAMPLED_FROM = 2 ** 19

/** Least growth from one width to the next, so that every number of bytes has its one width. */
const LEAST_GROWTH = 1.001

/**
 * What the source of a job takes at its own width and at halves of it: WebP by its quickest encoder, lossless where it is a drawing.
 * Results of every format grow much alike; whether WebP is what will be made plays no part.
 * @throws PixpressError `DECODE_FAILED`
 */
export async function measureCurve(job: Job, probe: ProbeResult): Promise<ByteCurve> {
  let picture = await shownPicture(job, probe)
  const points = [await measure(picture)]
  for (let halving = 0; halving < HALVINGS && picture.width / 2 >= LEAST_WIDTH; halving++) {
    picture = halved(picture)
    points.unshift(await measure(picture))
  }
  let most = 0
  return points.map(({ width, bytes }) => {
    most = Math.max(bytes, most * LEAST_GROWTH)
    return { width, bytes: most }
  })
}

async function measure(picture: Picture): Promise<WidthBytes> {
  const { width, height } = picture
  const sample = (width * height >= SAMPLED_FROM && sampleRows(picture)) || picture
  const encoded = await fromPicture(sample).webp({ quality: 75, lossless: picture.graphic, effort: 0 }).toBuffer()
  return { width, bytes: encoded.length * (height / sample.height) }
}

function halved(picture: Picture): Picture {
  const width = Math.round(picture.width / 2)
  const height = Math.max(1, Math.round(picture.height / 2))
  const { data, channels } = picture
  const small = shrinkRaster(
    { encoding: 'gamma8', data, width: picture.width, height: picture.height, channels },
    { width, height },
  )
  return { ...picture, data: toBytes(small), width, height }
}
