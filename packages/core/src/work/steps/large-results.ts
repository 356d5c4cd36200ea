import sharp from 'sharp'
import { countDecoded, timePhase } from '../../base/counters.ts'
import { releasePixels } from '../../encoding/release-pixels.ts'
import type { Picture } from '../../encoding/picture.ts'
import type { Verdict } from '../../encoding/request.ts'
import { blockKindOf } from '../../encoding/result-kind.ts'
import { createGuards, findRefusal, keptPromise, worseRefusal } from '../../quality/guards/index.ts'
import type { GuardMeasures, Refusal, ResultKind } from '../../quality/guards/index.ts'
import type { Aim, PixelScorer } from './pixel-scorer.ts'

/** Bytes of the pixels that the guards measure at once, and of which rows they take a multiple. */
const BAND_BYTES = 40 * 2 ** 20
const ROWS = 32

/** Encoded bytes with a known score, and the kind and promise by which they are judged. */
export interface Written {
  readonly encoded: Uint8Array
  readonly score: number
  readonly aim: Aim
}

/** The measures of the guards for a result, band by band from the top. */
interface Measured {
  readonly kind: ResultKind
  readonly bands: readonly { readonly top: number; readonly measures: GuardMeasures }[]
}

/**
 * Judges JPEG results of one large picture. The pixels of a result take as much memory as the picture, so they are not
 * kept, and to decode it takes a second: score and guards look at the pixels of one decode.
 */
export class LargeResults {
  readonly #picture: Picture
  readonly #pixels: PixelScorer
  readonly #measured = new WeakMap<Uint8Array, Measured>()

  constructor(picture: Picture, pixels: PixelScorer) {
    this.#picture = picture
    this.#pixels = pixels
  }

  /** Returns the score of a result, and notes what the guards say of it. */
  async score(encoded: Uint8Array): Promise<number> {
    const data = await this.#decoded(encoded)
    try {
      const score = this.#pixels.score(data)
      this.#measure(encoded, data, blockKindOf(this.#picture))
      return score
    } finally {
      releasePixels(data)
    }
  }

  /** Returns the highest promise that a result keeps. One that was scored is not decoded again. */
  async judge({ encoded, score, aim: { kind, promise } }: Written): Promise<Verdict> {
    const { bands } = await this.#measuredAs(encoded, kind)
    let kept = score
    let refusal: Refusal | undefined
    for (const { top, measures } of bands) {
      kept = Math.min(kept, keptPromise(measures, kind))
      const ofBand = findRefusal(measures, promise, kind)
      refusal = worseRefusal(refusal, ofBand && { ...ofBand, y: ofBand.y + top })
    }
    return { kept, score, ...(refusal && { refusal }) }
  }

  async #measuredAs(encoded: Uint8Array, kind: ResultKind): Promise<Measured> {
    const known = this.#measured.get(encoded)
    if (known?.kind === kind) return known
    const data = await this.#decoded(encoded)
    try {
      return this.#measure(encoded, data, kind)
    } finally {
      releasePixels(data)
    }
  }

  async #decoded(encoded: Uint8Array): Promise<Buffer> {
    const opened = sharp(encoded, { failOn: 'error', limitInputPixels: false }).removeAlpha().toColourspace('srgb')
    const data = await timePhase('score', () => opened.raw({ depth: 'uchar' }).toBuffer())
    countDecoded(this.#picture.width * this.#picture.height)
    return data
  }

  /** Measures each band on its own, because guards of a whole take much memory: windows across two are left out. */
  #measure(encoded: Uint8Array, data: Buffer, kind: ResultKind): Measured {
    const { width, height, channels } = this.#picture
    const rows = Math.max(ROWS, Math.floor(BAND_BYTES / (width * channels) / ROWS) * ROWS)
    const bands: { top: number; measures: GuardMeasures }[] = []
    timePhase('score', () => {
      for (let top = 0; top < height; top += rows) {
        const [from, to] = [top * width * channels, Math.min(height, top + rows) * width * channels]
        const before = {
          ...this.#picture,
          height: Math.min(rows, height - top),
          data: this.#picture.data.subarray(from, to),
        }
        const guards = createGuards(before)
        bands.push({ top, measures: guards.measure({ ...before, data: data.subarray(from, to) }, kind) })
        guards.dispose()
      }
    })
    const measured = { kind, bands }
    this.#measured.set(encoded, measured)
    return measured
  }
}
