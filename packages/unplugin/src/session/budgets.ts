import { resolveBudgets } from '@pixpress/core/internal'
import type { Budget } from '@pixpress/core/internal'
import { compare, formatBytes } from '@pixpress/core/report'
import type { ReportImage } from '@pixpress/core/report'

/**
 * What the images of a build exceed, one plain sentence each: `image` is held against each image that was made, `total` against
 * all of them together, `growth` against nothing, as a build knows of none before it.
 * @param images in the order of the report
 */
export function exceededBudgets(images: readonly ReportImage[], budgets: readonly Budget[]): string[] {
  return resolveBudgets(budgets).flatMap(({ name, matches, image = Infinity, total = Infinity }) => {
    const own = images.filter(({ source }) => matches(source))
    const each = own
      .filter(({ after }) => after > image)
      .map(
        (one) =>
          `${nameOf(one)} has ${formatBytes(one.after)} of ${formatBytes(image)} that ${name} may have each; the source has ${formatBytes(one.before)}.`,
      )
    const bytes = own.reduce((sum, { after }) => sum + after, 0)
    if (bytes <= total) return each
    const [largest] = own.toSorted((a, b) => b.after - a.after || compare(a.source, b.source))
    const all = `${name} have ${formatBytes(bytes)} of ${formatBytes(total)} that they may have together; the largest is ${nameOf(largest!)} with ${formatBytes(largest!.after)}.`
    return [...each, all]
  })
}

/** `src/hero.jpg (640×480, image/avif)`: a source may come in several. */
const nameOf = ({ source, width, height, type }: ReportImage): string => `${source} (${width}×${height}, ${type})`
