import type { Browser, Page, ViewportSize } from 'playwright-core'

/** The events while a page was opened. */
export interface Opened {
  /** Requests without a good answer, messages of the console that tell of a fault, and errors of scripts. */
  readonly problems: readonly string[]
  /** URLs of all answers, each once. */
  readonly received: readonly string[]
}

interface PageSettings {
  readonly viewport: ViewportSize
  /** The Content-Security-Policy that the server sends with pages. Default: none. */
  readonly policy?: string
}

/**
 * Opens a page, and looks at it.
 * @param look runs once the page asks for nothing more
 */
export async function openPage<T extends object>(
  browser: Browser,
  url: string,
  { viewport, policy }: PageSettings,
  look: (page: Page) => Promise<T>,
): Promise<T & Opened> {
  const context = await browser.newContext({ viewport })
  try {
    const page = await context.newPage()
    if (policy !== undefined)
      await page.route(/\/$|\.html$/, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } })
      })
    const problems: string[] = []
    const received = new Set<string>()
    // On a busy machine Chromium drops what it has asked for in advance, and asks again.
    const failed = new Set<string>()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (/error|warning/.test(message.type()) && !message.text().includes('404')) problems.push(message.text())
    })
    page.on('requestfailed', (request) => failed.add(request.url()))
    page.on('requestfinished', (request) => failed.delete(request.url()))
    page.on('response', (response) => {
      if (response.status() >= 400 && !response.url().endsWith('/favicon.ico')) problems.push(response.url())
      received.add(response.url())
    })
    await page.goto(url, { waitUntil: 'networkidle' })
    return { ...(await look(page)), problems: [...problems, ...failed], received: [...received] }
  } finally {
    await context.close()
  }
}

/** The extension of an image's URL; empty where it has none. */
export const typeOf = (url: string): string => /\.(\w+)$/.exec(url)?.[1] ?? ''
