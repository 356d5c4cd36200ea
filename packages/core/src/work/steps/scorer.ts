import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { toSrgb } from '../../colour/gamut.ts'
import { decodedBands } from '../../encoding/bands.ts'
import type { Scorer, Verdict } from '../../encoding/request.ts'
import { detectType } from '../../base/detect.ts'
import { MOST_PREPARED_BYTES } from '../../base/limits.ts'
import { createGuards, findRefusal, keptPromise, refusalAtTwice, worseRefusal } from '../../quality/guards/index.ts'
import type { Guards, Refusal, ResultKind } from '../../quality/guards/index.ts'
import { enlargeTwice, isJudgedTwice } from '../../quality/guards/twice.ts'
import { Comparison } from '../../quality/metric/comparison.ts'
import type { Sampled } from '../../quality/metric/prepared-original.ts'
import { areTrialsSampled, sampleShare } from '../../quality/metric/sample-share.ts'
import { createReference } from '../../quality/metric/ssimulacra2.ts'
import type { Pixels, Reference } from '../../quality/metric/ssimulacra2.ts'
import { showEncoded } from './shown.ts'
import type { Shown } from './shown.ts'
import type { Picture } from '../../encoding/picture.ts'
import { countSample, countScore, timePhase } from '../../base/counters.ts'

/** Bytes of pixels from which a JPEG result is decoded in bands: all of it takes as much memory as the picture itself. */
const MOST_WHOLE_BYTES = 128 * 2 ** 20

/** Bytes of a result's pixels up to which they are kept until the next: about ten megapixels, or three of more than 8 bits. */
const MOST_SHOWN_BYTES = 32 * 2 ** 20

const openJpeg = (encoded: Uint8Array): Sharp =>
  sharp(encoded, { failOn: 'error', limitInputPixels: false }).removeAlpha().toColourspace('srgb')

/** The promise that refusals are told for where none is given. */
const USUAL_PROMISE = 80

/** How pixels did by the guards alone. */
interface Guarded {
  readonly kept: number
  readonly refusal: Refusal | undefined
}

/** What a result is judged for. */
interface Aim {
  readonly kind: ResultKind
  readonly promise: number
}

/** Pixels in Display P3 as a screen of sRGB shows them. */
const shownInSrgb = (pixels: Pixels): Buffer => toSrgb({ ...pixels, encoding: 'gamma8' }).data as Buffer

async function* bandsInSrgb(
  bands: AsyncIterable<Uint8Array>,
  { width }: Pick<Picture, 'width'>,
): AsyncGenerator<Buffer> {
  for await (const data of bands) yield shownInSrgb({ data, width, height: data.length / 3 / width, channels: 3 })
}

/**
 * Points that a result scores less against what browsers show of its source than against pixels that are nearly that. Of 28
 * results of sources in Adobe RGB and ProPhoto, Chromium showed all but one at up to 1.2 less, 16 of them at over 0.5 less.
 */
const NEARLY = 0.75

/** A scorer that can be kept for the next job of the same picture. */
export interface PictureScorer extends Scorer {
  /** Lets go of results; what is prepared of the picture stays. */
  forget(): void
}

/**
 * Compares results with a picture, whose side of the comparison is prepared once, at the first score that is asked for. Pictures
 * in Display P3 are compared as screens of sRGB show them, on which errors of saturated colours are larger: by 2 points of 80 in
 * photographs. What is chosen is compared as screens of Display P3 show it, too.
 */
export function createScorer(picture: Picture): PictureScorer {
  const isWide = picture.space === 'display-p3'
  const onSrgb = <Kind extends Pixels>(pixels: Kind): Kind =>
    isWide ? { ...pixels, data: shownInSrgb(pixels) } : pixels
  const asBrowsersSee = (score: number): number => (picture.isNear === true && score < 100 ? score - NEARLY : score)
  const pixelsOfPicture = picture.width * picture.height
  const share = sampleShare(picture)
  let comparison: Comparison | undefined
  let wide: Reference | undefined
  let enlarged: Reference | undefined
  let guards: Guards | undefined
  function prepared(): Comparison {
    comparison ??= new Comparison(onSrgb(picture), { maxBytes: MOST_PREPARED_BYTES, share })
    return comparison
  }
  function scoreAndSample(data: Uint8Array): Sampled {
    return countScore(pixelsOfPicture, () => {
      const { whole, sampled } = prepared().score(onSrgb({ ...picture, data }))
      return { whole: asBrowsersSee(whole), sampled: asBrowsersSee(sampled) }
    })
  }
  const scorePixels = (data: Uint8Array): number => scoreAndSample(data).whole
  function samplePixels(data: Uint8Array): number {
    if (share === 1) return scorePixels(data)
    const pixels = Math.round(pixelsOfPicture / share)
    return countSample(pixels, () => asBrowsersSee(prepared().scoreSample(onSrgb({ ...picture, data }))))
  }
  /** The lower of a score and that of the same pixels on a screen of Display P3, where the picture is in it. */
  function onEveryScreen(data: Uint8Array, score: number): number {
    if (!isWide) return score
    return countScore(pixelsOfPicture, () => {
      wide ??= createReference(picture, { maxBytes: MOST_PREPARED_BYTES })
      return Math.min(score, asBrowsersSee(wide.score({ ...picture, data })))
    })
  }
  function judge(data: Uint8Array, { kind, promise }: Aim): Guarded {
    const pixels = { ...picture, data }
    const { kept, refusal } = timePhase('score', () => {
      guards ??= createGuards(picture)
      const measures = guards.measure(pixels, kind)
      return { kept: keptPromise(measures, kind), refusal: findRefusal(measures, promise, kind) }
    })
    if (!isJudgedTwice(picture) || kept === -Infinity) return { kept, refusal }
    return countScore(pixelsOfPicture * 4, () => {
      enlarged ??= createReference(enlargeTwice(onSrgb(picture)))
      const twice = enlarged.score(enlargeTwice(onSrgb(pixels)))
      return { kept: Math.min(kept, twice), refusal: worseRefusal(refusal, refusalAtTwice(twice, promise)) }
    })
  }
  function judgePixels(data: Uint8Array, kind: ResultKind, score: number, promise = USUAL_PROMISE): Verdict {
    const { kept, refusal } = judge(data, { kind, promise })
    const lowest = onEveryScreen(data, score)
    return { kept: Math.min(lowest, kept), score: lowest, ...(refusal && { refusal }) }
  }
  /** The last result that was scored, as it is mostly the one that is chosen, and judged by the guards, next. */
  let last: { readonly encoded: Uint8Array; readonly shown: Shown } | undefined
  async function show(encoded: Uint8Array): Promise<Shown> {
    if (last?.encoded === encoded) return last.shown
    forget()
    const shown = await timePhase('score', () => showEncoded(encoded, picture))
    last = { encoded, shown }
    return shown
  }
  function forget(): void {
    last?.shown.release()
    last = undefined
  }
  const isLarge = (encoded: Uint8Array): boolean =>
    picture.channels === 3 && picture.data.length > MOST_WHOLE_BYTES && detectType(encoded) === 'image/jpeg'
  /** Each band for itself: a window across the border of two is not measured. */
  async function judgeBands(encoded: Uint8Array, { kind, promise }: Aim): Promise<Guarded> {
    let kept = Infinity
    let refusal: Refusal | undefined
    let top = 0
    const rowBytes = picture.width * picture.channels
    for await (const band of decodedBands(() => openJpeg(encoded), picture)) {
      const height = band.length / rowBytes
      const before = { ...picture, height, data: picture.data.subarray(top * rowBytes, (top + height) * rowBytes) }
      const guardsOfBand = createGuards(before)
      const measures = guardsOfBand.measure({ ...before, data: band }, kind)
      guardsOfBand.dispose()
      kept = Math.min(kept, keptPromise(measures, kind))
      const ofBand = findRefusal(measures, promise, kind)
      refusal = worseRefusal(refusal, ofBand && { ...ofBand, y: ofBand.y + top })
      top += height
    }
    return { kept, refusal }
  }
  async function scoreShown(encoded: Uint8Array, scoreOf: (pixels: Uint8Array) => number): Promise<number> {
    const shown = await show(encoded)
    const score = scoreOf(timePhase('score', () => shown.pixels(0)))
    if (shown.bytes > MOST_SHOWN_BYTES) forget()
    return score
  }
  async function scoreWritten(encoded: Uint8Array): Promise<number> {
    if (!isLarge(encoded)) return scoreShown(encoded, scorePixels)
    const decoded = decodedBands(() => openJpeg(encoded), picture)
    const bands = (): Promise<number> => prepared().scoreBands(isWide ? bandsInSrgb(decoded, picture) : decoded)
    return asBrowsersSee(await countScore(pixelsOfPicture, bands))
  }
  return {
    areTrialsSampled: areTrialsSampled(picture),
    scorePixels,
    samplePixels,
    scoreAndSample,
    judgePixels,
    score: scoreWritten,
    sample: (encoded) => (isLarge(encoded) ? scoreWritten(encoded) : scoreShown(encoded, samplePixels)),
    async scoreOf(part, encoded) {
      const scorer = createScorer(part)
      try {
        return await scorer.score(encoded)
      } finally {
        scorer.dispose()
      }
    },
    async promiseKeptBy(encoded, kind, score, promise = USUAL_PROMISE) {
      if (isLarge(encoded)) {
        const judged = await timePhase('score', () => judgeBands(encoded, { kind, promise }))
        return verdict({ ...judged, kept: Math.min(score, judged.kept) }, score)
      }
      const shown = await show(encoded)
      let lowest = score
      let worst: Guarded = { kept: Infinity, refusal: undefined }
      for (let way = 0; way < shown.ways; way++) {
        const pixels = timePhase('score', () => shown.pixels(way))
        if (way > 0) lowest = Math.min(lowest, scorePixels(pixels))
        lowest = onEveryScreen(pixels, lowest)
        const { kept, refusal } = judge(pixels, { kind, promise })
        worst = { kept: Math.min(worst.kept, kept, lowest), refusal: worseRefusal(worst.refusal, refusal) }
      }
      forget()
      return verdict(worst, lowest)
    },
    forget,
    dispose() {
      forget()
      comparison?.dispose()
      wide?.dispose()
      enlarged?.dispose()
      guards?.dispose()
    },
  }
}

const verdict = ({ kept, refusal }: Guarded, score: number): Verdict => ({ kept, score, ...(refusal && { refusal }) })
