import { requireCodecs } from '../load-codecs.ts'
import { detectType } from '../../base/detect.ts'
import { infoOf } from '../../work/steps/job.ts'
import type { Job, JobResult } from '../../work/steps/job.ts'
import type { InputType, ProbeResult } from '../../base/types.ts'

/** The answer does not match the request. */
export class UnusableAnswer extends Error {}

/**
 * Checks a service's answer before it is trusted, and keeps the input where that is smaller and may stay.
 * @throws UnusableAnswer
 */
export async function checkedResult(
  job: Job,
  probe: ProbeResult,
  { data }: { readonly data: Uint8Array | undefined },
): Promise<JobResult> {
  const type = data === undefined ? undefined : detectType(data)
  if (data === undefined || type === undefined) throw new UnusableAnswer('The service sent something that is no image.')
  if (!allowedTypes(job).includes(type)) throw new UnusableAnswer(`The service sent an unasked ${type}.`)
  await requireCodecs()
  const { probeImage } = await import('../../work/steps/probe.ts')
  const made = await probeImage(data, type, job.limits, job.file).catch((error: Error) => {
    throw new UnusableAnswer(`The service sent a broken image: ${error.message}`)
  })
  const untouched = made.width === probe.width && made.height === probe.height && !isFilled(job, probe)
  if (untouched && allowedTypes(job).includes(job.type) && data.length >= job.source.length) {
    const { keptInput } = await import('../../work/steps/result.ts')
    return keptInput(job, probe, [])
  }
  return { data, info: infoOf(made), input: infoOf(probe), kept: 'output', notes: [] }
}

function allowedTypes({ operations, type }: Job): readonly InputType[] {
  if (operations.types === null) return [type]
  return operations.orInput ? [...operations.types, type] : operations.types
}

const isFilled = ({ operations }: Job, { hasAlpha }: ProbeResult): boolean => operations.background !== null && hasAlpha
