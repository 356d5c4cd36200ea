import type { Browser, Page, ViewportSize } from 'playwright-core'

/** An extension of an image type: `avif`. */
type TypeName = string

/** The events while a page was opened. */
export interface Opened {
  /** Requests without a good answer, and errors of scripts. */
  readonly problems: readonly string[]
  /** URLs of all answers, each once. */
  readonly received: readonly string[]
}

/**
 * Opens a page in a browser that does not read some types of images, and looks at it.
 * @param look runs once the page asks for nothing more
 */
export async function openWithoutTypes<T extends object>(
  browser: Browser,
  url: string,
  { disabled, viewport }: { readonly disabled: readonly TypeName[]; readonly viewport: ViewportSize },
  look: (page: Page) => Promise<T>,
): Promise<T & Opened> {
  const context = await browser.newContext({ viewport })
  try {
    const page = await context.newPage()
    // Chromium's own switch for image types is not asked by `image-set()`; a type that no browser knows is.
    await page.route(/\/$|\.css$|\.html$/, async (route) => {
      const response = await route.fetch()
      let text = await response.text()
      for (const type of disabled) text = text.replaceAll(`image/${type}`, `image/no-${type}`)
      await route.fulfill({ response, body: text })
    })
    const problems: string[] = []
    const received = new Set<string>()
    // On a busy machine Chromium drops what it has asked for in advance, and asks again.
    const failed = new Set<string>()
    page.on('pageerror', (error) => problems.push(error.message))
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
export const typeOf = (url: string): TypeName => /\.(\w+)$/.exec(url)?.[1] ?? ''
