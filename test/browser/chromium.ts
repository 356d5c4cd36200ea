import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { detect } from '@pixpress/testkit'
import type { ImageFormat } from '@pixpress/testkit'
import { chromium } from 'playwright-core'
import type { Browser, Page, Response } from 'playwright-core'

/** No sandbox in containers, no GPU, and no request of the browser's own. */
const FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: [...FLAGS] })
}

/** An empty page of a secure origin, which this machine is: only there are image decoders. */
export async function openEmptyPage(executablePath: string): Promise<{ page: Page; close(): Promise<void> }> {
  const server = createServer((_, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const browser = await launch(executablePath)
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return {
    page,
    async close() {
      await browser.close()
      server.close()
    },
  }
}

/** One image that an element of the page shows. */
export interface ShownImage {
  /** The place that shows it: an element's name, or where in its style. */
  readonly by: string
  readonly url: string
  /** Pixels of the decoded image; 0 when it did not load. */
  readonly width: number
}

/** The responses that a page has loaded. */
export interface Visit {
  /** Every image on the page, loaded and decoded. */
  readonly shown: readonly ShownImage[]
  /** Images that came over the network: by URL, with what they were said to be and what they are. */
  readonly received: ReadonlyMap<string, { readonly contentType: string; readonly format: ImageFormat | undefined }>
  /** Requests without a good answer, and errors of scripts. */
  readonly problems: readonly string[]
}

/** Opens a page of the site, waits until it has shown everything, and looks at every image. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const problems: string[] = []
    const answers: Response[] = []
    page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`console: ${message.text()}`)
    })
    page.on('requestfailed', (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`))
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.url()}: ${response.status()}`)
      else answers.push(response)
    })
    await page.goto(url, { waitUntil: 'load', timeout: 180_000 })
    await page.waitForSelector('body[data-rendered]', { state: 'attached', timeout: 180_000 })
    const shown = await lookAtImages(page)
    return { shown, received: await receivedImages(answers), problems }
  } finally {
    await context.close()
  }
}

async function receivedImages(answers: readonly Response[]): Promise<Visit['received']> {
  const received = new Map<string, { contentType: string; format: ImageFormat | undefined }>()
  for (const response of answers) {
    const contentType = response.headers()['content-type'] ?? ''
    if (!contentType.startsWith('image/') || response.url().startsWith('data:')) continue
    received.set(response.url(), { contentType, format: detect(await response.body()) })
  }
  return received
}

/** Runs inside the page: decodes what its elements and styles refer to. */
function lookAtImages(page: Page): Promise<ShownImage[]> {
  return page.evaluate(async () => {
    const images: { by: string; image: HTMLImageElement }[] = [...document.images].map((image) => ({
      by: 'img',
      image,
    }))
    const add = (by: string, src: string): void => void images.push({ by, image: Object.assign(new Image(), { src }) })
    for (const element of document.querySelectorAll('*')) {
      const style = getComputedStyle(element)
      for (const property of ['backgroundImage', 'listStyleImage'] as const) {
        for (const [, address] of style[property].matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)) {
          add(`${element.className || element.id}.${property}`, address!.replaceAll(/\\(.)/g, '$1'))
        }
      }
    }
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=icon]')) add('icon', link.href)
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[property="og:image"]'))
      add('og:image', meta.content)
    for (const video of document.querySelectorAll('video')) add('poster', video.poster)
    const shown: { by: string; url: string; width: number }[] = []
    for (const { by, image } of images) {
      await image.decode().catch(() => {
        // An image that did not load has no width; that is what is looked at.
      })
      shown.push({ by, url: image.currentSrc || image.outerHTML, width: image.naturalWidth })
    }
    return shown
  })
}
