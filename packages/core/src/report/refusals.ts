import type { ReportImage } from './json.ts'
import { formatBytes } from './units.ts'
import { damageOf } from './why.ts'

/**
 * Returns one sentence about images that stay lossless because a guard refused a smaller result; an empty list if there
 * are none.
 */
export function refusals(images: readonly ReportImage[]): string[] {
  const refused = images.flatMap(({ source, after, refused: best, score = 100 }) =>
    best === undefined || score < 100 ? [] : [{ source, after, best }],
  )
  const [first] = refused.sort((a, b) => b.after - b.best.size - (a.after - a.best.size))
  if (first === undefined) return []
  const subject = refused.length === 1 ? '1 image stays' : `${refused.length} images stay`
  const which = refused.length === 1 ? first.source : `for example ${first.source}`
  const smaller = `${formatBytes(first.best.size)} instead of ${formatBytes(first.after)}`
  const damage = damageOf(first.best.guard, first.best)
  return [`${subject} without loss, as what is smaller shows damage: ${which} (about ${smaller}, ${damage}).`]
}
