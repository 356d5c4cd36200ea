import { element } from './element.ts'
import { shareOnScale, scaleOf } from './scale.ts'
import type { Scale } from './scale.ts'
import { scoreText } from './words.ts'

/** Share of the scale that a mark's text takes; one that would lie closer to what was promised is left out. */
const ROOM = 0.19

/** Draws the score of one picture on the scale, with what was promised of it where that is known. */
export function createRuler(score: number, promise: number | undefined): HTMLElement {
  const scale = scaleOf(promise === undefined ? [] : [promise])
  const pointer = element('i', { className: 'ruler-pointer' })
  pointer.style.left = `${shareOnScale(score, scale) * 100}%`
  const promised = promise === undefined ? '' : `; ${promise} was promised`
  return element(
    'div',
    {
      className: 'ruler',
      role: 'img',
      ariaLabel: `Score ${scoreText(score)} on a scale from ${scale.from} to 100${promised}`,
    },
    pointer,
    rulerTrack(scale, promise === undefined ? [] : [promise]),
  )
}

/** The line of a scale: grey below what was promised, blue from there on, with its marks. */
export function rulerTrack(scale: Scale, promises: readonly number[]): HTMLElement {
  const lowest = Math.min(...promises)
  const kept = element('i', { className: 'ruler-kept' })
  kept.style.left = `${promises.length === 0 ? 0 : shareOnScale(lowest, scale) * 100}%`
  const marks = [
    ...[...new Set([scale.from, 70, 90, 100])]
      .filter((mark) => mark >= scale.from && isFree(mark, promises, scale))
      .map((mark) => [mark, String(mark)] as const),
    ...promises.map((mark) => [mark, `${mark} promised`] as const),
  ]
  return element(
    'div',
    { className: 'ruler-track', ariaHidden: 'true' },
    kept,
    ...marks.map(([mark, textContent]) => {
      const place = shareOnScale(mark, scale)
      const made = element('span', { textContent, className: place === 0 ? 'first' : place === 1 ? 'last' : '' })
      made.style.left = `${place * 100}%`
      return made
    }),
  )
}

const isFree = (mark: number, promises: readonly number[], scale: Scale): boolean =>
  promises.every((promise) => Math.abs(shareOnScale(mark, scale) - shareOnScale(promise, scale)) >= ROOM)
