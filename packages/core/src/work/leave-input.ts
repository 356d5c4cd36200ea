import { withoutIt } from '../base/faults.ts'
import { PixpressError } from '../base/errors.ts'
import { factsOf } from '../base/formats.ts'
import type { ProbeResult } from '../base/types.ts'
import { writableCodecOf } from '../formats/index.ts'
import { decodePicture } from './steps/decode.ts'
import { askedChange } from './steps/job.ts'
import type { Job } from './steps/job.ts'
import { isDecodable } from './steps/probe.ts'
import { unchanged } from './steps/result.ts'
import type { Attempt } from './steps/result.ts'

/** Settings of the encode that tells about how many bytes a conversion would leave: quick, near the default promise. */
const QUICK = { quality: 80, effort: 1, lossless: false } as const

/**
 * Leaves an image whose type is never written as it is, as no other type was asked for. A note says about how many
 * bytes it would take as WebP.
 * @throws PixpressError `UNSUPPORTED_OPERATION` if its pixels were to be changed
 */
export async function leaveInput(job: Job, probe: ProbeResult): Promise<Attempt> {
  const { label } = factsOf(job.type)
  const change = askedChange(job)
  if (change !== undefined) {
    const message = `A ${label} cannot be ${change} without another type: name one in 'convert', such as 'webp'.`
    throw new PixpressError('UNSUPPORTED_OPERATION', message, { file: job.file })
  }
  const bytes = isDecodable(probe, job.limits) ? await bytesAsWebp(job, probe) : undefined
  const size = job.source.length
  const note =
    bytes !== undefined && bytes < size
      ? `A ${label} stays as it is without 'convert': as WebP it would take about ${bytes} of its ${size} bytes.`
      : `A ${label} stays as it is without 'convert'.`
  return { ...unchanged(probe), unsupported: true, notes: [note] }
}

/** Returns `undefined` for a file that cannot be decoded, which nobody asked for, and for one that WebP cannot hold. */
async function bytesAsWebp(job: Job, probe: ProbeResult): Promise<number | undefined> {
  try {
    const { picture } = await decodePicture(job, probe)
    return (await writableCodecOf('image/webp').encodePlain(picture, QUICK)).length
  } catch (error) {
    return withoutIt(error)
  }
}
