import { PixpressError } from '../errors.ts'
import { readMetadata, selectMetadata, stripMetadata, writeMetadata } from '../metadata/index.ts'
import { probeImage } from '../probe.ts'
import { resizedSize } from '../size.ts'
import type { ImageInfo, ImageType, InputType, ProbeResult } from '../types.ts'
import { IMAGE_TYPES } from '../values.ts'
import { encodeAnimation } from './animation.ts'
import { wantedTypes } from './choose-types.ts'
import { decodePicture } from './decode.ts'
import { ENCODERS } from './encoders/index.ts'
import type { Candidate, Job, JobResult } from './job.ts'
import { createScorer } from './picture.ts'
import type { Picture } from './picture.ts'
import { optimizeSvg, svgObjection } from './svg.ts'

/** What one kind of image came to, before the input joins the contest. */
interface Attempt {
  candidates: Candidate[]
  width: number
  height: number
  hasAlpha: boolean
  /** Whether no pixel was to be changed, so that the input itself may win. */
  untouched: boolean
  notes: string[]
}

/**
 * The whole work on one image: probe → decode → encode candidates → pick → metadata.
 * @throws PixpressError
 */
export async function runJob(job: Job): Promise<JobResult> {
  const probe = await probeImage(job.source, job.type, job.limits, job.file)
  const attempt = await attemptJob(job, probe)
  const input: ImageInfo = {
    type: probe.type,
    width: probe.width,
    height: probe.height,
    size: job.source.length,
    frames: probe.frames,
    hasAlpha: probe.hasAlpha,
  }
  const best = pick(attempt, job)
  if (best === undefined) {
    const data = preserved(job, stripMetadata(job.source, job.type), job.type)
    // Metadata that was asked for is not worth a file larger than the input, which has it already.
    const kept = data.length <= job.source.length ? data : job.source
    return { data: kept, info: { ...input, size: kept.length }, input, kept: 'input', notes: attempt.notes }
  }
  const data = preserved(job, best.data, best.type)
  const info = {
    ...input,
    type: best.type,
    width: attempt.width,
    height: attempt.height,
    size: data.length,
    hasAlpha: attempt.hasAlpha,
  }
  return {
    data,
    info,
    input,
    kept: 'output',
    score: best.score,
    notes: [...attempt.notes, ...remarks(job, best, data)],
  }
}

function attemptJob(job: Job, probe: ProbeResult): Attempt | Promise<Attempt> {
  const unchanged: Attempt = {
    candidates: [],
    width: probe.width,
    height: probe.height,
    hasAlpha: probe.hasAlpha,
    untouched: true,
    notes: [],
  }
  if (job.type === 'image/svg+xml') {
    refuseChanges(job, 'an SVG')
    const objection = svgObjection(job)
    if (objection !== undefined) return { ...unchanged, notes: [objection] }
    return { ...unchanged, candidates: [{ data: optimizeSvg(job), type: job.type, score: 100 }] }
  }
  if (job.type === 'image/jxl') {
    refuseChanges(job, 'a JPEG XL image')
    return { ...unchanged, notes: ['JPEG XL is passed through as it is.'] }
  }
  if (isNearlyEmpty(job, probe)) return unchanged
  const animated = probe.frames > 1
  if (animated && (job.type === 'image/png' || job.type === 'image/avif')) {
    const kind = job.type === 'image/png' ? 'animated PNG' : 'AVIF sequence'
    refuseChanges(job, `an ${kind}`)
    return { ...unchanged, notes: [`An ${kind} is passed through as it is, so that its animation stays.`] }
  }
  return animated ? attemptAnimation(job, probe) : attemptPicture(job, probe)
}

async function attemptAnimation(job: Job, probe: ProbeResult): Promise<Attempt> {
  const types = wantedTypes(job, {
    animated: true,
    transparent: probe.hasAlpha && job.operations.background === null,
  })
  const { width, height } = resizedSize(probe, job.operations.resize)
  return {
    candidates: await encodeAnimation(job, probe, types),
    width,
    height,
    hasAlpha: probe.hasAlpha && job.operations.background === null,
    untouched: isUntouched(job, probe, { width, height }),
    notes: [],
  }
}

async function attemptPicture(job: Job, probe: ProbeResult): Promise<Attempt> {
  const picture = await decodePicture(job, probe)
  const types = wantedTypes(job, { animated: false, transparent: picture.channels === 4 })
  const untouched = isUntouched(job, probe, picture)
  const scorer = createScorer(picture)
  try {
    const candidates: Candidate[] = []
    const encode = async (type: ImageType): Promise<void> => {
      // Pixels that were turned upright are others than the file's own.
      const source = untouched && probe.orientation === 1 && type === job.type ? job.source : undefined
      candidates.push(...(await ENCODERS[type]({ picture, scorer, target: job.operations.score, source })))
    }
    for (const type of types) {
      if (isImageType(type)) await encode(type)
      else candidates.push(...(await encodeAnimation(job, probe, [type])))
    }
    const mayStay = job.operations.orInput && untouched && !types.includes(job.type)
    if (mayStay && isImageType(job.type) && ownTypeMayWin(picture, candidates, job)) await encode(job.type)
    return {
      candidates,
      width: picture.width,
      height: picture.height,
      hasAlpha: hasAlpha(picture),
      untouched,
      notes: [],
    }
  } finally {
    scorer.dispose()
  }
}

/** Share of the source's bytes above which a conversion has not won so clearly that the own type need not be tried. */
const CLEAR_WIN = 0.7

/** A drawing's palette in PNG often beats every other type; a photograph's own type only where conversion gains little. */
function ownTypeMayWin(picture: Picture, candidates: readonly Candidate[], job: Job): boolean {
  const smallest = Math.min(
    ...candidates.filter(({ score }) => score >= job.operations.score).map(({ data }) => data.length),
  )
  return picture.graphic || smallest > job.source.length * CLEAR_WIN
}

/** The smallest candidate that keeps the promise; `undefined` when the input is to stay. */
function pick({ candidates, untouched }: Attempt, job: Job): Candidate | undefined {
  const { types, orInput, score } = job.operations
  const inputMayStay = untouched && (types === null || orInput || (types as readonly InputType[]).includes(job.type))
  const smallest = candidates
    .filter((candidate) => candidate.score >= score)
    .reduce<Candidate | undefined>(
      (best, each) => (best === undefined || each.data.length < best.data.length ? each : best),
      undefined,
    )
  if (inputMayStay) {
    const input = stripMetadata(job.source, job.type)
    return smallest !== undefined && smallest.data.length < input.length ? smallest : undefined
  }
  const nearest = candidates.reduce<Candidate | undefined>(
    (best, each) => (best === undefined || each.score > best.score ? each : best),
    undefined,
  )
  const chosen = smallest ?? nearest
  if (chosen === undefined) throw new PixpressError('ENCODE_FAILED', 'No encoder gave a result.', { file: job.file })
  return chosen
}

function preserved({ source, type, operations }: Job, data: Uint8Array, outputType: InputType): Uint8Array {
  if (operations.preserve.length === 0 || !isImageType(outputType)) return data
  return writeMetadata(data, outputType, selectMetadata(readMetadata(source, type), operations.preserve))
}

function remarks(job: Job, best: Candidate, data: Uint8Array): string[] {
  const said: string[] = []
  if (best.score < job.operations.score) {
    said.push(`The best ${best.type} scores ${best.score.toFixed(1)}, below the ${job.operations.score} asked for.`)
  }
  if (data.length > job.source.length) {
    said.push(`Grew from ${job.source.length} to ${data.length} bytes, as ${best.type} was asked for by name.`)
  }
  return said
}

function isUntouched({ operations }: Job, probe: ProbeResult, size: { width: number; height: number }): boolean {
  const filled = operations.background !== null && probe.hasAlpha
  return !filled && size.width === probe.width && size.height === probe.height
}

/**
 * A thousand pixels in less than a byte: one colour, or nearly so. There is nothing to gain, and such files are made to
 * cost their reader memory.
 */
function isNearlyEmpty({ source, operations, type }: Job, { width, height, frames }: ProbeResult): boolean {
  const { resize, background, types, orInput } = operations
  const asked =
    resize !== null ||
    background !== null ||
    !(types === null || orInput || (types as readonly InputType[]).includes(type))
  return !asked && source.length * 1000 < width * height * frames
}

/** Kinds of image that are only optimised in place cannot be given another size, background or type. */
function refuseChanges({ operations, type, file }: Job, kind: string): void {
  const converts =
    operations.types !== null && !operations.orInput && !(operations.types as readonly InputType[]).includes(type)
  const asked =
    operations.resize !== null
      ? 'resized'
      : operations.background !== null
        ? 'filled'
        : converts
          ? 'converted'
          : undefined
  if (asked !== undefined)
    throw new PixpressError('UNSUPPORTED_OPERATION', `${kind[0]!.toUpperCase()}${kind.slice(1)} cannot be ${asked}.`, {
      file,
    })
}

const isImageType = (type: InputType): type is ImageType => (IMAGE_TYPES as readonly InputType[]).includes(type)

const hasAlpha = (picture: Picture): boolean => picture.channels === 4
