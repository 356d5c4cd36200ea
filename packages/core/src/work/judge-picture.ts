import type { Picture } from '../encoding/picture.ts'
import { blockKindOf, kindOfNearLossless, kindOfPalette, scoreOfWhole } from '../encoding/result-kind.ts'
import { detectType } from '../base/detect.ts'
import type { ResultKind } from '../quality/guards/index.ts'
import type { ProbeResult } from '../base/types.ts'
import type { Job, Judgement } from './steps/job.ts'
import { shownPicture } from './placeholder.ts'
import { probeImage } from './steps/probe.ts'
import { createScorer } from './steps/scorer.ts'

/**
 * Judges a picture that another encoder has written by the promise for our own results: by score and guards, and at
 * twice its size if it is small.
 * @returns `undefined` for an animation, and for a picture of another size than the source, which cannot be compared
 * @throws PixpressError `DECODE_FAILED`
 */
export async function judgePicture(job: Job, probe: ProbeResult): Promise<Judgement | undefined> {
  const { encoded, limits, file } = job
  const type = encoded && detectType(encoded)
  if (encoded === undefined || type === undefined || probe.frames > 1) return undefined
  const { width, height, frames } = await probeImage(encoded, type, limits, file)
  const picture = await shownPicture(job, probe)
  if (frames > 1 || width !== picture.width || height !== picture.height) return undefined
  const scorer = createScorer(picture)
  try {
    const kind = kindOfFile(encoded, picture)
    const verdict = await scorer.promiseKeptBy(encoded, kind, await scorer.score(encoded, kind))
    return { score: scoreOfWhole(verdict.score, picture, kind), kept: verdict.kept }
  } finally {
    scorer.dispose()
  }
}

/**
 * Returns the kind by which the guards judge a file of another encoder. Byte 25 of a PNG is the colour type of `IHDR`,
 * and 3 stands for a palette (PNG Specification, section 11.2.1). Any file but a PNG is judged like a block codec's.
 */
export function kindOfFile(encoded: Uint8Array, picture: Picture): ResultKind {
  if (detectType(encoded) !== 'image/png') return blockKindOf(picture)
  return encoded[25] === 3 ? kindOfPalette(coloursOf(encoded), picture) : kindOfNearLossless(picture)
}

/** Counts the palette's entries: `PLTE` has three bytes for each (section 11.2.2). */
function coloursOf(png: Uint8Array): number {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  return bytes.readUInt32BE(bytes.indexOf('PLTE') - 4) / 3
}
