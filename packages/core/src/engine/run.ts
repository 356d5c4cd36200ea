import { isAnimatedPng } from '../detect.ts'
import { PixpressError } from '../errors.ts'
import { probeImage } from '../probe.ts'
import { resizedSize } from '../size.ts'
import type { ImageType, InputType, ProbeResult } from '../types.ts'
import { IMAGE_TYPES } from '../values.ts'
import { composeAnimation, encodeAnimation } from './animation.ts'
import { ApngError } from './apng/read.ts'
import { chooseCandidate, mostBytesInOwnType } from './choose-candidate.ts'
import { wantedTypes } from './choose-types.ts'
import { attachDisplayP3 } from './colour/attach-profile.ts'
import { decodePicture } from './decode.ts'
import { ENCODERS } from './encoders/index.ts'
import { encodePlain } from './encoders/plain.ts'
import { fitBytes } from './fit-bytes.ts'
import type { Candidate, Job, JobResult } from './job.ts'
import { releaseLargeJxlMemory } from './jxl/codec.ts'
import { unsupportedJxl } from './jxl/unsupported.ts'
import { infoOf, keptInput, preserved } from './kept-input.ts'
import { chooseAnimationCrop } from './open-animation.ts'
import { createScorer } from './picture.ts'
import type { Picture, Scorer } from './picture.ts'
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
  const best = chooseCandidate(attempt.candidates, job, inputMayStay(attempt, job))
  if (best === undefined) {
    const kept = keptInput(job, probe, attempt.notes)
    return { ...kept, notes: [...kept.notes, ...tooLarge(job, kept.data)] }
  }
  const input = infoOf(probe)
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
  const unsupported = job.type === 'image/jxl' ? unsupportedJxl(job.source) : undefined
  if (unsupported !== undefined) {
    refuseChanges(job, unsupported)
    return { ...unchanged, notes: [`${sentenceCase(unsupported)} is passed through as it is.`] }
  }
  if (isNearlyEmpty(job, probe)) return unchanged
  const animated = probe.frames > 1
  if (animated && job.type === 'image/avif') {
    refuseChanges(job, 'an AVIF sequence')
    return { ...unchanged, notes: ['An AVIF sequence is passed through as it is, so that its animation stays.'] }
  }
  if (job.type === 'image/png' && isAnimatedPng(job.source)) return attemptApng(job, probe, unchanged)
  return animated ? attemptAnimation(job, probe) : attemptPicture(job, probe)
}

/** Decoders differ in what they show of a file that breaks the rules: it stays as it is. */
async function attemptApng(job: Job, probe: ProbeResult, unchanged: Attempt): Promise<Attempt> {
  try {
    return await attemptAnimation({ ...job, composed: await composeAnimation(job) }, probe)
  } catch (error) {
    if (!(error instanceof ApngError)) throw error
    refuseChanges(job, `an animated PNG that is damaged (${error.message})`)
    return { ...unchanged, notes: [`The animated PNG is passed through as it is: ${error.message}.`] }
  }
}

async function attemptAnimation(job: Job, probe: ProbeResult): Promise<Attempt> {
  const types = wantedTypes(job, {
    animated: true,
    transparent: probe.hasAlpha && job.operations.background === null,
    pixels: probe.width * probe.height,
  })
  const crop = await chooseAnimationCrop(job, probe)
  const { width, height } = crop?.size ?? resizedSize(probe, job.operations.resize)
  const untouched = isUntouched(job, probe, crop !== undefined || width !== probe.width || height !== probe.height)
  const encode = (score: number): Promise<Candidate[]> =>
    encodeAnimation({ ...job, crop, operations: { ...job.operations, score } }, probe, types, untouched)
  return {
    candidates: await fitBytes(encode, job.operations.score, job.operations.maxBytes),
    width,
    height,
    hasAlpha: probe.hasAlpha && job.operations.background === null,
    untouched,
    notes: [],
  }
}

async function attemptPicture(job: Job, probe: ProbeResult): Promise<Attempt> {
  const { picture, resized, crop } = await decodePicture(job, probe)
  const types = wantedTypes(job, {
    animated: false,
    transparent: picture.channels === 4,
    pixels: picture.width * picture.height,
  })
  const untouched = isUntouched(job, probe, resized)
  const scorer = createScorer(picture)
  try {
    const still = { picture, scorer, source: untouched ? sourceFor(job, probe) : undefined }
    const encode = async (score: number): Promise<Candidate[]> => {
      const candidates: Candidate[] = []
      const aimed = { ...job, crop, operations: { ...job.operations, score } }
      for (const type of types) {
        if (isImageType(type)) candidates.push(...(await encodeStill(aimed, type, still)))
        else candidates.push(...(await encodeAnimation(aimed, probe, [type], untouched)))
      }
      const mayStay = job.operations.orInput && untouched && !types.includes(job.type)
      if (mayStay && isImageType(job.type) && ownTypeMayWin(picture, candidates, aimed)) {
        candidates.push(...(await encodeStill(aimed, job.type, still)))
      }
      return candidates
    }
    const candidates = await fitBytes(encode, job.operations.score, job.operations.maxBytes)
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
    releaseLargeJxlMemory()
  }
}

/** The source's own bytes, where they hold the picture's pixels: turned ones are others, but for a type that can say so. */
function sourceFor({ source, type }: Job, probe: ProbeResult): Uint8Array | undefined {
  return probe.orientation === 1 || type === 'image/jpeg' ? source : undefined
}

interface Still {
  picture: Picture
  scorer: Scorer
  source: Uint8Array | undefined
}

/** Ways to write a still picture in one type: by search, or with the caller's own settings. */
async function encodeStill(job: Job, type: ImageType, { picture, scorer, source }: Still): Promise<Candidate[]> {
  const { score: target, effort, encoder } = job.operations
  const data = await encodePlain(picture, type, encoder)
  const own = type === job.type ? source : undefined
  const mostBytes = own === undefined ? undefined : mostBytesInOwnType(job)
  const candidates: Candidate[] =
    data === undefined
      ? await ENCODERS[type]({ picture, scorer, target, effort, source: own, mostBytes })
      : [{ data, type, score: await scorer.score(data), plain: true }]
  return picture.space === 'srgb' ? candidates : candidates.map((each) => inDisplayP3(each, picture))
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

/** Whether the input is itself a result that was asked for. */
function inputMayStay({ untouched }: Attempt, { type, operations: { types, orInput } }: Job): boolean {
  return untouched && (types === null || orInput || (types as readonly InputType[]).includes(type))
}

function remarks(job: Job, best: Candidate, data: Uint8Array): string[] {
  const said: string[] = []
  const { maxBytes } = job.operations
  const large = tooLarge(job, best.data)
  if (large.length > 0) said.push(...large)
  else if (maxBytes !== null && best.score < job.operations.score && best.plain !== true) {
    said.push(`Scores ${best.score.toFixed(1)} to be within ${maxBytes} bytes.`)
  } else if (best.score < job.operations.score && best.plain !== true) {
    said.push(`The best ${best.type} scores ${best.score.toFixed(1)}, below the ${job.operations.score} asked for.`)
  }
  if (data.length > job.source.length) {
    said.push(`Grew from ${job.source.length} to ${data.length} bytes, as ${best.type} was asked for by name.`)
  }
  return said
}

function tooLarge({ operations: { maxBytes } }: Job, { length }: Uint8Array): string[] {
  if (maxBytes === null || length <= maxBytes) return []
  return [`Nothing is within ${maxBytes} bytes; the smallest has ${length}.`]
}

function isUntouched({ operations }: Job, probe: ProbeResult, resized: boolean): boolean {
  return !resized && !(operations.background !== null && probe.hasAlpha)
}

function inDisplayP3(candidate: Candidate, picture: Picture): Candidate {
  return { ...candidate, data: attachDisplayP3(candidate.data, candidate.type, picture) }
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
  // JPEG XL packs small drawings as tightly, so that only large ones are suspicious.
  const suspicious = type !== 'image/jxl' || width * height > 1_000_000
  return suspicious && !asked && source.length * 1000 < width * height * frames
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
    throw new PixpressError('UNSUPPORTED_OPERATION', `${sentenceCase(kind)} cannot be ${asked}.`, { file })
}

const sentenceCase = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const isImageType = (type: InputType): type is ImageType => (IMAGE_TYPES as readonly InputType[]).includes(type)

const hasAlpha = (picture: Picture): boolean => picture.channels === 4
