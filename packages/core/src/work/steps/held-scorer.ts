import type { Picture } from '../../encoding/picture.ts'
import { createScorer } from './scorer.ts'
import type { PictureScorer } from './scorer.ts'

/** Milliseconds for which a scorer waits for the next job of its picture. */
const HELD_FOR = 10_000

interface Held {
  readonly picture: Picture
  readonly scorer: PictureScorer
}

let held: Held | undefined
let dropping: NodeJS.Timeout | undefined

/**
 * The scorer of a picture: that of the job before, where it was the same picture in another type, as preparing one takes as long as two
 * scores. Whoever opened it gives it back with `closeScorer`.
 */
export function openScorer(picture: Picture): PictureScorer {
  const again = held?.picture === picture ? held.scorer : undefined
  if (again !== undefined) held = undefined
  dropScorer()
  return again ?? createScorer(picture)
}

/** @param mayComeAgain whether other jobs may bring the same picture, the very object, next */
export function closeScorer(picture: Picture, scorer: PictureScorer, mayComeAgain: boolean): void {
  dropScorer()
  if (!mayComeAgain) {
    scorer.dispose()
    return
  }
  scorer.forget()
  held = { picture, scorer }
  dropping = setTimeout(dropScorer, HELD_FOR).unref()
}

/** Lets go of what is held, before anything else takes memory. */
export function dropScorer(): void {
  clearTimeout(dropping)
  held?.scorer.dispose()
  held = undefined
}
