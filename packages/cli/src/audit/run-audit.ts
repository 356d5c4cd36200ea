import { createOptimizer, PixpressError } from '@pixpress/core'
import { launchBrowser } from './browser/launch.ts'
import { findChromium } from './browser/find-chromium.ts'
import type { Sighting } from './findings.ts'
import { fileFaults } from './rules/files.ts'
import { layoutFaults } from './rules/layout.ts'
import { loadingFaults } from './rules/loading.ts'
import { sizeFaults } from './rules/sizes.ts'
import { linkedPages } from './site/pages.ts'
import type { Page } from './site/pages.ts'
import type { LoadedImage, Visit } from './visit/facts.ts'
import { visitPage } from './visit/page-session.ts'
import type { Viewport } from './viewports.ts'

export interface AuditTask {
  /** Pages to begin with. */
  readonly pages: readonly Page[]
  readonly viewports: readonly Viewport[]
  /** Pages to look at, links of the same host included; `undefined`: those that are given, and no links. */
  readonly mostPages: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** Called before each page. */
  readonly onPage: (page: string, count: number) => void
}

export interface AuditResult {
  readonly visits: readonly Visit[]
  /** Pages that could not be looked at, with the reason. */
  readonly failures: readonly { readonly page: string; readonly message: string }[]
}

/**
 * Looks at every page in every viewport, in a browser of its own.
 * @throws UsageError without a browser, PixpressError `IO_FAILED` when it does not start
 */
export async function runAudit(task: AuditTask): Promise<AuditResult> {
  const optimizer = createOptimizer({ cache: false })
  const browser = await launchBrowser(findChromium(task.env), task.signal)
  const visits: Visit[] = []
  const failures: { page: string; message: string }[] = []
  const known = new Map<string, LoadedImage>()
  const queue = [...task.pages]
  const met = new Set(queue.map(({ url }) => url))
  try {
    for (const [at, page] of queue.entries()) {
      if (task.signal.aborted || at >= (task.mostPages ?? queue.length)) break
      task.onPage(page.name, at + 1)
      try {
        const { connection } = browser
        const seen = await Promise.all(
          task.viewports.map((viewport) => visitPage(page.url, page.name, viewport, { connection, optimizer, known })),
        )
        visits.push(...seen)
        const links =
          task.mostPages === undefined ? [] : seen.flatMap(({ facts }) => linkedPages(facts.links, page.url))
        for (const linked of links) {
          if (met.has(linked.url)) continue
          met.add(linked.url)
          queue.push(linked)
        }
      } catch (error) {
        if (!(error instanceof PixpressError)) throw error
        failures.push({ page: page.name, message: error.message })
      }
    }
  } finally {
    await browser.close()
    await optimizer.close()
  }
  return { visits, failures }
}

/** All that is wrong in one visit. @param leastWaste bytes that are worth a finding */
export const faultsOf = (visit: Visit, leastWaste: number): Sighting[] => [
  ...fileFaults(visit),
  ...sizeFaults(visit, leastWaste),
  ...loadingFaults(visit, leastWaste),
  ...layoutFaults(visit),
]
