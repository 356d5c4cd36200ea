import { createOptimizer, PixpressError } from '@pixpress/core'
import { UsageError } from '@pixpress/core/internal'
import { launchBrowser } from './browser/launch.ts'
import { findChromium } from './browser/find-chromium.ts'
import type { Sighting } from './findings/findings.ts'
import { fileFaults } from './rules/files.ts'
import { layoutFaults } from './rules/layout.ts'
import { loadingFaults } from './rules/loading.ts'
import { sizeFaults } from './rules/sizes.ts'
import { isOwnPage } from './site/own-pages.ts'
import { linkedPages, pageOfUrl, pagesOfFolder } from './site/pages.ts'
import type { Page } from './site/pages.ts'
import { serveFolder } from './site/serve-folder.ts'
import type { LoadedImage, Visit } from './visit/facts.ts'
import { readPageScript, visitPage } from './visit/page-session.ts'
import type { Viewport } from './visit/viewports.ts'

/** Pages that links are followed to where nothing else is said. */
const MOST_LINKED = 20

/** How pages are to be looked at. */
export interface AuditTask {
  readonly viewports: readonly Viewport[]
  /** Pages to look at. Default: all of a folder, 20 of a URL with those that it links to. */
  readonly mostPages?: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** Called before each page. */
  readonly onPage: (page: string, count: number) => void
}

/** The visits of an audit. */
export interface AuditResult {
  readonly visits: readonly Visit[]
  /** Pages that could not be looked at, with the reason. */
  readonly failures: readonly { readonly page: string; readonly message: string }[]
}

/**
 * Serves a folder, and looks at its pages.
 * @param folder absolute
 * @param base path below which the site expects to be, with or without its slashes
 * @throws UsageError without a page, without a browser or with another base than that of the pages, PixpressError
 * `IO_FAILED` when the browser does not start
 */
export async function auditFolder(folder: string, base: string, task: AuditTask): Promise<AuditResult> {
  const served = await serveFolder(folder, `/${base.replaceAll(/^\/+|\/+$/g, '')}/`.replace('//', '/'))
  try {
    const pages = await pagesOfFolder(folder, served.url)
    const result = await visitPages(pages.slice(0, task.mostPages), task, undefined)
    const other = served.otherBase()
    if (other === undefined) return result
    throw new UsageError(`The pages of '${folder}' expect to be below '${other}': give '--base ${other}'.`)
  } finally {
    await served.close()
  }
}

/**
 * Looks at a page of a server, and at pages of the same host that it links to.
 * @throws UsageError unless the URL is one of this machine, or without a browser; PixpressError `IO_FAILED` when the
 * browser does not start
 */
export const auditUrl = (url: string, task: AuditTask): Promise<AuditResult> =>
  visitPages([pageOfUrl(url)], task, task.mostPages ?? MOST_LINKED)

/**
 * Looks at every page in every viewport, in a browser of its own.
 * @param mostPages pages to look at, links of the same host included; `undefined`: the first pages, and no links
 */
async function visitPages(
  first: readonly Page[],
  task: AuditTask,
  mostPages: number | undefined,
): Promise<AuditResult> {
  const script = await readPageScript()
  const optimizer = createOptimizer({ cache: false })
  const browser = await launchBrowser(findChromium(task.env), task.signal)
  const visits: Visit[] = []
  const failures: { page: string; message: string }[] = []
  const known = new Map<string, LoadedImage>()
  const queue = [...first]
  const met = new Set(queue.map(({ url }) => url))
  try {
    for (const [at, page] of queue.entries()) {
      if (task.signal.aborted || at >= (mostPages ?? queue.length)) break
      task.onPage(page.name, at + 1)
      try {
        const { connection } = browser
        const options = { connection, script, optimizer, known }
        const seen = await Promise.all(task.viewports.map((viewport) => visitPage(page, viewport, options)))
        // A site may link to the report of its build. Only the page that was asked for is looked at in any case.
        if (at >= first.length && seen.some(({ html }) => isOwnPage(html))) continue
        visits.push(...seen)
        const links = mostPages === undefined ? [] : seen.flatMap(({ facts }) => linkedPages(facts.links, page.url))
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
