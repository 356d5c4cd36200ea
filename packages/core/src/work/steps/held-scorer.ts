import type { Picture } from '../../encoding/picture.ts'
import { createScorer } from './scorer.ts'
import type { PictureScorer } from './scorer.ts'

/** Milliseconds for which a scorer is kept for the next job of its picture. */
const HELD_FOR = 10_000

interface Held {
  readonly picture: Picture
  readonly scorer: PictureScorer
}

let held: Held | undefined
let dropping: NodeJS.Timeout | undefined

/**
 * Returns the scorer of a picture. If the previous job had the same picture in another type, its scorer is used again,
 * because preparing one takes as long as two scores. The caller gives it back with `closeScorer`.
 */
export function openScorer(picture: Picture): PictureScorer {
  const again = held?.picture === picture ? held.scorer : undefined
  if (again !== undefined) held = undefined
  dropScorer()
  return again ?? createScorer(picture)
}

/**
 * Gives back a scorer that `openScorer` opened.
 * @param mayComeAgain `true` if the next jobs may have the same picture object
 */
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

/** Releases the scorer that is kept, before other work takes memory. */
export function dropScorer(): void {
  clearTimeout(dropping)
  held?.scorer.dispose()
  held = undefined
}
