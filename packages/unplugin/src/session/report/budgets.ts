import { resolveBudgets } from '@pixpress/core/internal'
import type { Budget } from '@pixpress/core'
import { budgetFigures, formatBytes, overAll, overEach } from '@pixpress/core/report'
import type { ReportImage } from '@pixpress/core/report'

/**
 * Gives what the images of a build exceed, one plain sentence each: `image` is held against the heaviest file of each
 * image, `total` against those of all together, `growth` against nothing, as a build knows of none before it.
 * @param images in the order of the report
 */
export function exceededBudgets(images: readonly ReportImage[], budgets: readonly Budget[]): string[] {
  return resolveBudgets(budgets).flatMap((budget) => {
    const { matches, image = Infinity, total = Infinity } = budget
    const { each, bytes, largest } = budgetFigures(
      images.flatMap((made, at) => {
        // The same bytes under several names are one file, which a budget is for that matches any of them.
        const source = [made.source, ...(made.duplicates ?? [])].find(matches)
        return source === undefined ? [] : [{ source, id: String(at), bytes: made.after, made }]
      }),
    )
    const over = each
      .filter((file) => file.bytes > image)
      .map(
        (file) =>
          `${nameOf(file.made)}: ${overEach(file.bytes, budget)}; the source has ${formatBytes(file.made.before)}.`,
      )
    if (bytes <= total) return over
    const named = `the largest is ${nameOf(largest!.made)} with ${formatBytes(largest!.bytes)}`
    return [...over, `${overAll(bytes, budget)}; ${named}.`]
  })
}

/** `src/hero.jpg (640×480, image/avif)`: a source may come in several. */
const nameOf = ({ source, width, height, type }: ReportImage): string => `${source} (${width}×${height}, ${type})`
