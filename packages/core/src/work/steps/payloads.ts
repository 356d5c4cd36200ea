import { findPayloads, leftOut, scaledPayload, withPayloads } from '../../formats/payloads/find.ts'
import type { FoundPayload } from '../../formats/payloads/find.ts'
import type { ProbeResult } from '../../base/types.ts'
import { askedChange, infoOf } from './job.ts'
import type { Job, JobResult } from './job.ts'

/** Returns the payloads of a source. */
export const payloadsOf = ({ source, type }: Pick<Job, 'source' | 'type'>): readonly FoundPayload[] =>
  findPayloads(source, type)

/** Returns the source itself as the result, if a payload needs every byte and nothing is to be changed. */
export function wholeForPayload(job: Job, probe: ProbeResult, found: readonly FoundPayload[]): JobResult | undefined {
  const whole = found.find(({ payload }) => payload.builds === 'whole')
  if (whole === undefined || askedChange(job) !== undefined) return undefined
  const info = infoOf(probe)
  const note = `A ${whole.payload.name} stays byte for byte, as its pixels are its data.`
  return { data: job.source, info, input: info, kept: 'input', reason: 'unsupported', notes: [note] }
}

/**
 * Carries the payloads that pages use over to a result. A note names those that it does not have.
 * @param isCut the result shows a part of the picture
 */
export function carryPayloads(
  job: Job,
  probe: ProbeResult,
  result: JobResult,
  { found, isCut }: { readonly found: readonly FoundPayload[]; readonly isCut: boolean },
): JobResult {
  const isWhole = result.data.length === job.source.length && Buffer.compare(result.data, job.source) === 0
  if (found.length === 0 || isWhole) return result
  const across = result.info.width / probe.width
  const down = result.info.height / probe.height
  const isOther = isCut || job.operations.adjust?.rotate !== undefined || probe.orientation >= 5
  let { data } = result
  const kept: FoundPayload[] = []
  const lost: FoundPayload[] = []
  for (const each of found) {
    const scaled = isOther ? undefined : scaledPayload(each, across, down)
    const isKept = each.payload.builds === 'kept' && scaled?.parts !== undefined
    const made = isKept ? withPayloads(result.data, result.info.type, [...kept, scaled]) : undefined
    if (made === undefined || made.length > (job.operations.maxBytes ?? Infinity)) {
      lost.push(each)
    } else {
      kept.push(scaled!)
      data = made
    }
  }
  const notes = lost
    .filter(({ payload, parts }) => payload.isTold !== true && !hasTexts(data, parts))
    .map(({ payload }) => leftOut(payload.name))
  return { ...result, data, info: { ...result.info, size: data.length }, notes: [...result.notes, ...notes] }
}

/** Tells whether a result still has the parts of a text. */
function hasTexts(data: Uint8Array, parts: FoundPayload['parts']): boolean {
  if (parts === undefined || parts.texts.length === 0) return false
  const text = Buffer.from(data).toString('utf8')
  return parts.texts.every((part) => text.includes(part))
}
