import path from 'node:path'
import { loadDelivered, UsageError } from '@pixpress/core/internal'
import type { ResolvedBudget } from '@pixpress/core/internal'
import { formatBytes } from '@pixpress/core/report'
import { shownPath } from '../compress/batch.ts'
import type { Finding } from './findings.ts'

/** Pages, and the budgets that they are held against. */
export interface PagesTask {
  /** Absolute folder; `undefined`: no pages are looked at. */
  readonly pages: string | undefined
  readonly budgets: readonly ResolvedBudget[]
  readonly tell: (message: string) => void
}

/**
 * Pages of a finished build that deliver more than a budget allows, in the window where they deliver most.
 * @param root absolute folder that findings' paths are relative to
 * @throws UsageError for a folder that cannot be read
 */
export async function heavyPages({ pages: folder, budgets, tell }: PagesTask, root: string): Promise<Finding[]> {
  const own = budgets.filter(({ page }) => page !== undefined)
  if (folder === undefined) {
    if (own.length > 0) tell("'page' of budgets needs --pages, and is not checked.")
    return []
  }
  if (own.length === 0) {
    tell("--pages has nothing to hold pages against: no budget has 'page'.")
    return []
  }
  const { VIEWPORTS, deliveredBy, findPages } = await loadDelivered()
  const files = await findPages(folder).catch(() => {
    throw new UsageError(`--pages needs a folder that can be read, and '${folder}' is none.`)
  })
  const delivered = await deliveredBy(files, folder)
  return delivered.flatMap(({ page, bytes: all, heaviest }) => {
    const bytes = Math.max(...all)
    const { width, ratio } = VIEWPORTS[all.indexOf(bytes)]!
    return own.flatMap(({ name, matches, page: limit = Infinity }): Finding[] => {
      if (!matches(page) || bytes <= limit) return []
      const named = heaviest.map((each) => `${each.file} (${formatBytes(each.bytes)})`).join(', ')
      const window = `${width} px @ ${ratio}x`
      const message = `${formatBytes(bytes)} of ${formatBytes(limit)} that ${name} may deliver, at ${window}; the heaviest: ${named}.`
      const source = shownPath(root, path.join(folder, page))
      return [{ rule: 'page-budget', source, budget: name, message, bytes, limit }]
    })
  })
}
