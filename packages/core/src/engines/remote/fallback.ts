import { PixpressError } from '../../base/errors.ts'
import type { ProbeResult } from '../../base/types.ts'
import { infoOf } from '../../work/steps/job.ts'
import type { Job, JobResult } from '../../work/steps/job.ts'
import type { EngineOutcome } from '../contract.ts'
import type { RemoteBuild } from './build.ts'
import { refusedByService, sentenceEnd } from './client.ts'

/**
 * Chooses the outcome when the service is not asked, or did not answer.
 * @throws PixpressError `REMOTE_UNAVAILABLE` where the fallback is an error
 */
export function fallBack(
  { urls, fallback, done, reasons, warn }: RemoteBuild,
  job: Job,
  key: string,
  { probe, reason }: { readonly probe: ProbeResult; readonly reason: string },
): EngineOutcome {
  const { resize, background, types, orInput } = job.operations
  const mayStay = resize === null && background === null && (types === null || orInput)
  const who = urls.length === 1 ? `service at ${urls[0]} is` : `services at ${urls.join(' and ')} are`
  const message = `The image ${who} not used: ${reason}.`
  if (fallback === 'error') throw new PixpressError('REMOTE_UNAVAILABLE', message, { file: job.file })
  const original = fallback === 'original' && mayStay
  done.set(key, original ? 'original' : 'local')
  if (!reasons.has(reason)) {
    reasons.add(reason)
    const instead = fallback === 'original' ? 'are used as they are' : 'are compressed on this machine'
    warn(`${message} Images ${instead} instead, and the next build asks again.`)
  }
  return original ? { result: unchanged(job, probe), compressions: 0, lasting: false } : 'local'
}

/**
 * Chooses the outcome for one image that the service does not take.
 * @throws PixpressError the service's refusal, unless the fallback is this machine
 */
export function refused(
  { fallback, done, reasons, warn }: RemoteBuild,
  job: Job,
  key: string,
  error: Error,
): EngineOutcome {
  if (fallback !== 'local') throw refusedByService(error, job.file)
  const reason = sentenceEnd(error)
  done.set(key, 'local')
  reasons.add(reason)
  warn(`${job.file ?? 'An image'}: ${reason}. It is compressed on this machine instead.`)
  return 'local'
}

function unchanged({ source }: Job, probe: ProbeResult): JobResult {
  const info = infoOf(probe)
  return { data: source, info, input: info, kept: 'input', notes: [] }
}
