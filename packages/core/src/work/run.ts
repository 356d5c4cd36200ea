import { withoutIt } from '../base/faults.ts'
import sharp from 'sharp'
import { codecOf } from '../formats/index.ts'
import { INPUT_ONLY } from '../base/formats.ts'
import type { ProbeResult } from '../base/types.ts'
import { attemptAnimation } from './animation/candidates.ts'
import { carryExtras } from './steps/carry-extras.ts'
import { carryPayloads, payloadsOf, wholeForPayload } from './steps/payloads.ts'
import { keepsCredentials, withCredentials } from './steps/credentials.ts'
import { compressInside } from './compress-inside.ts'
import { askedChange, decodeFailed, encodeFailed, infoOf } from './steps/job.ts'
import type { Job, JobResult } from './steps/job.ts'
import { isNearlyEmpty, passedThrough, refuseChanges, repacked } from './steps/pass-through.ts'
import { isDecodable, probeImage } from './steps/probe.ts'
import { finish, unchanged } from './steps/result.ts'
import type { Attempt } from './steps/result.ts'
import { chooseCandidate } from './steps/selection.ts'
import { attemptStill } from './still/candidates.ts'
import { judgePicture } from './judge-picture.ts'
import { leaveInput } from './leave-input.ts'
import { measureCurve } from './measure-curve.ts'
import { placeholderOf } from './placeholder.ts'
import { countEncode, countWork } from '../base/counters.ts'

/**
 * Does the whole work on one image: it reads the header, makes candidates, selects one of them or the input, and adds
 * metadata.
 * @throws PixpressError
 */
export async function runJob(job: Job): Promise<JobResult> {
  // libaom's bytes depend on its number of threads. sharp sets that number from the processors, except with glibc,
  // where it does so only if the environment has MALLOC_ARENA_MAX. Images are worked on in parallel anyway.
  sharp.concurrency(1)
  const { result, work } = await countWork(() => makeResult(job))
  return { ...result, work }
}

async function makeResult(given: Job): Promise<JobResult> {
  const job = given.operations.lossless === true ? losslessly(given) : given
  const probe = job.probe ?? (await probeImage(job.source, job.type, job.limits, job.file))
  if (job.only === 'placeholder') return withoutBytes(probe, { placeholder: await placeholderOf(job, probe) })
  if (job.only === 'curve') return withoutBytes(probe, { curve: await measureCurve(job, probe) })
  if (job.only === 'judgement') return withoutBytes(probe, { judgement: await judgePicture(job, probe) })
  if (keepsCredentials(job, probe)) return withPlaceholder(job, probe, withCredentials(job, probe), undefined)
  const found = payloadsOf(job)
  const whole = wholeForPayload(job, probe, found)
  if (whole !== undefined) return withPlaceholder(job, probe, whole, undefined)
  const attempt = await attemptImage(job, probe).catch((error: unknown) => {
    throw encodeFailed(job, error)
  })
  const best = chooseCandidate(attempt.candidates, job, attempt.inputMayStay)
  const { crop } = attempt
  const carried = await carryExtras(job, probe, finish(job, probe, attempt, best), crop)
  const result = carryPayloads(job, probe, carried, { found, isCut: crop !== undefined })
  return withPlaceholder(job, probe, result, attempt.placeholder)
}

/** Adds the placeholder that a job asks for. A missing one is not an error: the page shows none. */
async function withPlaceholder(
  job: Job,
  probe: ProbeResult,
  result: JobResult,
  made: JobResult['placeholder'],
): Promise<JobResult> {
  const placeholder = made ?? (await placeholderOf(job, probe).catch(withoutIt))
  return { ...result, ...(placeholder && { placeholder }) }
}

type Measured = 'placeholder' | 'curve' | 'judgement'

function withoutBytes(
  probe: ProbeResult,
  { placeholder, curve, judgement }: { [Key in Measured]?: JobResult[Key] | undefined },
): JobResult {
  const info = infoOf(probe)
  const made = { ...(placeholder && { placeholder }), ...(curve && { curve }), ...(judgement && { judgement }) }
  return { data: new Uint8Array(), info, input: info, kept: 'input', notes: [], ...made }
}

/** Turns off the search: every candidate keeps the exact pixels. */
const losslessly = (job: Job): Job => ({
  ...job,
  operations: { ...job.operations, score: 100, maxBytes: null, encoder: null },
})

/**
 * Makes the candidates for one image. An image that cannot be worked on has none and passes through. A file that is no
 * grid of pixels is rewritten. Frames and stills are decoded or composed, and then encoded.
 */
async function attemptImage(job: Job, probe: ProbeResult): Promise<Attempt> {
  const { source, type } = job
  const codec = codecOf(type)
  if (codec.rewrite !== undefined) return attemptRewriting(job, probe)
  const unsupported = codec.unsupported?.(source, probe.frames)
  const mayChange = unsupported?.changeable === true && askedChange(job) !== undefined
  if (unsupported !== undefined && !mayChange) return passedThrough(job, probe, unsupported)
  if (INPUT_ONLY.has(type) && job.operations.types === null) return leaveInput(job, probe)
  if (isNearlyEmpty(job, probe)) return unchanged(probe)
  if (!isDecodable(probe, job.limits)) return repacked(job, probe)
  const composed = await codec.compose?.(source).catch((error: unknown) => {
    throw decodeFailed(job, error)
  })
  if (composed !== undefined && 'kind' in composed) return passedThrough(job, probe, composed)
  if (composed !== undefined || probe.frames > 1) return attemptAnimation({ ...job, composed }, probe)
  return attemptStill(job, probe)
}

/**
 * Rewrites a file that is no grid of pixels. The pictures inside of it are compressed first, as most of its bytes are
 * theirs.
 */
async function attemptRewriting(job: Job, probe: ProbeResult): Promise<Attempt> {
  const { type, operations } = job
  const { rewrite, unsupported } = codecOf(type)
  refuseChanges(job, rewrite!.kind)
  const { source, score, notes } = await compressInside(job, makeResult)
  const lighter = source === job.source ? [] : [{ data: source, type, score }]
  const kept = unsupported?.(source, probe.frames)
  if (kept !== undefined) {
    const passed = passedThrough(job, probe, kept)
    return lighter.length === 0 ? passed : { ...unchanged(probe), candidates: lighter, notes }
  }
  const rewritten = await countEncode(
    () => rewrite!.run(source, operations),
    () => ({ type, pixels: 0 }),
  )
  // Renderings of a drawing are compared within a tolerance, which is no score; pictures inside have one.
  const unscored = score === 100 && { isUnscored: true as const }
  const smaller = rewritten.data === undefined ? [] : [{ data: rewritten.data, type, score, ...unscored }]
  return { ...unchanged(probe), candidates: [...lighter, ...smaller], notes: [...notes, ...rewritten.notes] }
}
