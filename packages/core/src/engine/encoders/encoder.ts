import type { Effort } from '../../types.ts'
import type { Candidate } from '../job.ts'
import type { Picture, Scorer } from '../picture.ts'

/** What an encoder works on: the picture, how to judge a result, and the promise to keep. */
export interface EncodeRequest {
  picture: Picture
  scorer: Scorer
  /** The SSIMULACRA2 score to reach. */
  target: number
  effort: Effort
  /** The source file's own bytes, when it is of the encoder's type and no pixel was changed. */
  source: Uint8Array | undefined
  /** Bytes above which a lossy result is not going to be chosen, so that none need be made; by default without a bound. */
  mostBytes?: number | undefined
}

/**
 * Ways to write the picture in one type, each with its score. An encoder that cannot reach the target returns its best
 * attempt, so that a demanded type can still be had; the choice is made by the caller.
 */
export type Encoder = (request: EncodeRequest) => Promise<Candidate[]>

/** Encodes after which a search takes what keeps the promise, by effort: quick ones, and those of the final settings. */
export const PATIENCE: Readonly<Record<'probe' | 'final', Readonly<Record<Effort, number>>>> = {
  probe: { fast: 2, default: 3, max: 4 },
  final: { fast: 1, default: 2, max: 9 },
}

/**
 * Points above the target at which a search is content: by default about one quality step of most encoders; less time ends
 * it earlier, more time looks for the very setting.
 */
export const WINDOWS: Readonly<Record<Effort, number>> = { fast: 2, default: 0.7, max: 0.25 }
