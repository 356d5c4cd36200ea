import type { RefusedResult } from '../types.ts'
import type { ReportImage } from './json.ts'
import { formatBytes } from './units.ts'

/** What each guard finds, as people call it. */
const DAMAGE: Readonly<Record<RefusedResult['guard'], string>> = {
  alpha: 'wrong transparency',
  flat: 'a changed flat colour',
  means: 'a changed colour',
  colours: 'a changed hue',
  band: 'bands or dots',
  jag: 'lost antialiasing',
  gone: 'lost detail',
  edges: 'jagged edges',
  twice: 'damage on 2× screens',
}

/** One sentence about a smaller result that is not used. */
export function describeRefusal({ type, size, guard, x, y }: RefusedResult): string {
  const place = guard === 'twice' ? '' : ` at ${x}, ${y}`
  return `A smaller one (${type.slice('image/'.length).toUpperCase()}, about ${formatBytes(size)}) shows ${DAMAGE[guard]}${place}.`
}

/** One sentence about images that are without loss although smaller results have the score; nothing where there are none. */
export function refusals(images: readonly ReportImage[]): string[] {
  const refused = images.flatMap(({ source, after, refused: best }) =>
    best === undefined ? [] : [{ source, after, best }],
  )
  const [first] = refused.sort((a, b) => b.after - b.best.size - (a.after - a.best.size))
  if (first === undefined) return []
  const subject = refused.length === 1 ? '1 image stays' : `${refused.length} images stay`
  const which = refused.length === 1 ? first.source : `for example ${first.source}`
  const smaller = `${formatBytes(first.best.size)} instead of ${formatBytes(first.after)}`
  const place = first.best.guard === 'twice' ? '' : ` at ${first.best.x}, ${first.best.y}`
  return [
    `${subject} without loss, as what is smaller shows damage: ${which} (about ${smaller}, ${DAMAGE[first.best.guard]}${place}).`,
  ]
}
