import { colourIn, flatten } from '../colour/background.ts'
import { createPicture } from '../encoding/picture.ts'
import type { Picture } from '../encoding/picture.ts'
import { codecOf } from '../formats/index.ts'
import { makePlaceholder } from '../placeholder/make.ts'
import type { Placeholder } from '../placeholder/kinds.ts'
import { toBytes } from '../resample/transfer.ts'
import type { ProbeResult } from '../base/types.ts'
import { firstFrame } from './animation/open-animation.ts'
import { decodePicture } from './steps/decode.ts'
import { decodeFailed } from './steps/job.ts'
import type { Job } from './steps/job.ts'
import { assertDecodable } from './steps/probe.ts'

/**
 * Makes the placeholder that a job asks for. It shows the pixels that the still picture's result would have; for an
 * animation, those of the first frame.
 * @returns `undefined` if the job asks for none
 * @throws PixpressError `DECODE_FAILED`; `INPUT_TOO_LARGE` for a thumbnail beyond the limit
 */
export async function placeholderOf(job: Job, probe: ProbeResult): Promise<Placeholder | undefined> {
  if (job.placeholder === undefined) return undefined
  return makePlaceholder(await shownPicture(job, probe), job.placeholder)
}

/**
 * Returns the pixels of a job's result before encoding; for an animation, those of the first frame.
 * @throws PixpressError as for `placeholderOf`
 */
export async function shownPicture(job: Job, probe: ProbeResult): Promise<Picture> {
  const failed = (error: unknown): never => {
    throw decodeFailed(job, error)
  }
  const codec = codecOf(job.type)
  if (codec.rewrite !== undefined) {
    const shown = await codec.rewrite.show(job.source)
    if (shown === undefined) throw decodeFailed(job, new Error('it takes too much to be drawn'))
    return createPicture({ ...shown, data: Buffer.from(shown.data), channels: 4 })
  }
  assertDecodable(probe, job.limits, job.file)
  const composed = await codec.compose?.(job.source).catch(failed)
  const isAnimation = composed !== undefined ? !('kind' in composed) : probe.frames > 1
  if (!isAnimation) return (await decodePicture(job, probe)).picture
  const raster = await firstFrame({ ...job, ...(composed && !('kind' in composed) && { composed }) }, probe).catch(
    failed,
  )
  const { width, height, channels } = raster
  const { background } = job.operations
  const data = toBytes(raster)
  if (channels === 3 || background === null) return createPicture({ data, width, height, channels })
  return createPicture({ data: flatten(data, colourIn('srgb', background)), width, height, channels: 3 })
}
