import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { decodedBands, releasePixels } from '../encoding/bands.ts'
import type { Scorer } from '../encoding/request.ts'
import { detectType } from '../formats/detect.ts'
import { codecOf } from '../formats/index.ts'
import { MOST_PREPARED_BYTES } from '../limits.ts'
import { createGuards, keptPromise } from '../quality/guards/index.ts'
import type { Guards, ResultKind } from '../quality/guards/index.ts'
import { enlargeTwice, isSmall } from '../quality/guards/twice.ts'
import { createReference } from '../quality/metric/ssimulacra2.ts'
import type { Reference } from '../quality/metric/ssimulacra2.ts'
import { openStill } from './still/open-still.ts'
import type { Picture } from '../encoding/picture.ts'
import { wordsOf } from '../resample/raster.ts'
import { countScore, timePhase } from '../work-counters.ts'

/** Bytes of pixels from which a JPEG result is decoded in bands: all of it takes as much memory as the picture itself. */
const MOST_WHOLE_BYTES = 128 * 2 ** 20

const openJpeg = (encoded: Uint8Array): Sharp =>
  sharp(encoded, { failOn: 'error', limitInputPixels: false }).removeAlpha().toColourspace('srgb')

/** Compares results with a picture, whose side of the comparison is prepared once, at the first score that is asked for. */
export function createScorer(picture: Picture): Scorer {
  let reference: Reference | undefined
  let enlarged: Reference | undefined
  let guards: Guards | undefined
  function prepared(): Reference {
    reference ??= createReference(picture, { maxBytes: MOST_PREPARED_BYTES })
    return reference
  }
  function scorePixels(data: Uint8Array): number {
    return countScore(picture.width * picture.height, () => prepared().score({ ...picture, data }))
  }
  function promiseKept(data: Uint8Array, kind: ResultKind, score = scorePixels(data)): number {
    const pixels = { ...picture, data }
    const kept = timePhase('score', () => {
      guards ??= createGuards(picture)
      return Math.min(score, keptPromise(guards.measure(pixels), kind))
    })
    if (!isSmall(picture) || kept === -Infinity) return kept
    return countScore(picture.width * picture.height * 4, () => {
      enlarged ??= createReference(enlargeTwice(picture))
      return Math.min(kept, enlarged.score(enlargeTwice(pixels)))
    })
  }
  /** One picture for each way in which readers show the bytes. */
  async function shownBy(encoded: Uint8Array): Promise<readonly Buffer[]> {
    const type = detectType(encoded)
    const decoded = await openStill(encoded, type, false)
    const plain = picture.channels === 4 ? decoded.ensureAlpha() : decoded.removeAlpha()
    const shownSamples = type === undefined ? undefined : codecOf(type).shownSamples
    const { depth, bitsPerSample = 16 } = shownSamples === undefined ? {} : await decoded.metadata()
    if (shownSamples === undefined || depth !== 'ushort') {
      return [await plain.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer()]
    }
    const words = wordsOf(await plain.toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer())
    return shownSamples(words, bitsPerSample, picture.channels)
  }
  const isLarge = (encoded: Uint8Array): boolean =>
    picture.channels === 3 && picture.data.length > MOST_WHOLE_BYTES && detectType(encoded) === 'image/jpeg'
  /** Each band for itself: a window across the border of two is not measured. */
  async function keptByBands(encoded: Uint8Array, kind: ResultKind): Promise<number> {
    let kept = Infinity
    let top = 0
    const rowBytes = picture.width * picture.channels
    for await (const band of decodedBands(() => openJpeg(encoded), picture)) {
      const height = band.length / rowBytes
      const before = { ...picture, height, data: picture.data.subarray(top * rowBytes, (top + height) * rowBytes) }
      const measured = createGuards(before)
      kept = Math.min(kept, keptPromise(measured.measure({ ...before, data: band }), kind))
      measured.dispose()
      top += height
    }
    return kept
  }
  return {
    scorePixels,
    promiseKept,
    async score(encoded) {
      if (isLarge(encoded)) {
        const bands = (): Promise<number> => prepared().scoreBands(decodedBands(() => openJpeg(encoded), picture))
        return countScore(picture.width * picture.height, bands)
      }
      const shown = await timePhase('score', () => shownBy(encoded))
      const score = Math.min(...shown.map(scorePixels))
      for (const pixels of shown) releasePixels(pixels)
      return score
    },
    async promiseKeptBy(encoded, kind, score) {
      if (isLarge(encoded)) return Math.min(score, await timePhase('score', () => keptByBands(encoded, kind)))
      const shown = await timePhase('score', () => shownBy(encoded))
      const kept = Math.min(...shown.map((data) => promiseKept(data, kind, score)))
      for (const pixels of shown) releasePixels(pixels)
      return kept
    },
    dispose() {
      reference?.dispose()
      enlarged?.dispose()
      guards?.dispose()
    },
  }
}
