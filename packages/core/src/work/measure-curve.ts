import type { ByteCurve, WidthBytes } from './steps/byte-curve.ts'
import { fromPicture } from '../encoding/picture.ts'
import type { Picture } from '../encoding/picture.ts'
import { sampleRows } from '../encoding/sample-rows.ts'
import { shrinkRaster } from '../resample/shrink.ts'
import { toBytes } from '../resample/transfer.ts'
import type { ProbeResult } from '../base/types.ts'
import type { Job } from './steps/job.ts'
import { shownPicture } from './placeholder.ts'

/**
 * Maximum number of times that the width is halved, and the width in pixels below which a measurement tells nothing
 * more.
 */
const HALVINGS = 4
const LEAST_WIDTH = 100

/** From this many pixels on, an eighth of the rows is encoded and stands for all of them. */
const SAMPLED_FROM = 2 ** 19

/** Least growth from one width to the next, so that every number of bytes belongs to one width. */
const LEAST_GROWTH = 1.001

/**
 * Measures the bytes of a job's source at its own width and at halves of it. It uses the fastest encoder of WebP,
 * lossless for a drawing, whatever type the result will have, because the bytes of all formats grow in a similar way.
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
