import type { Candidate } from '../job.ts'
import type { Picture, Scorer } from '../picture.ts'

/** What an encoder works on: the picture, how to judge a result, and the promise to keep. */
export interface EncodeRequest {
  picture: Picture
  scorer: Scorer
  /** The SSIMULACRA2 score to reach. */
  target: number
  /** The source file's own bytes, when it is of the encoder's type and no pixel was changed. */
  source: Uint8Array | undefined
}

/**
 * Ways to write the picture in one type, each with its score. An encoder that cannot reach the target returns its best
 * attempt, so that a demanded type can still be had; the choice is made by the caller.
 */
export type Encoder = (request: EncodeRequest) => Promise<Candidate[]>

/** Points above the target at which a search is content: about one quality step of most encoders. */
export const WINDOW = 0.7
