import type { Browser } from 'playwright-core'
import { serveFolder } from './servers.ts'
import { typeOf } from './opened-page.ts'

/** A page of components as a browser shows it, after a click on `#hero`. */
export interface SeenComponents {
  /** Messages of the console, and errors of scripts. */
  readonly problems: readonly string[]
  /** Bytes of all images. */
  readonly bytes: number
  /** The text of the page's `output`, which counts clicks. */
  readonly clicked: string | null
  /** Name, place and size of each element but what React has fetched in advance, in order. */
  readonly boxes: readonly (readonly [string, number, number, number, number])[]
  /** The type of each image, by its `alt`. */
  readonly shown: Readonly<Record<string, string>>
}

/** Opens the page of a folder, which renders itself into `#root`. */
export async function lookAt(browser: Browser, folder: string): Promise<SeenComponents> {
  const server = await serveFolder(folder)
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } })
  try {
    const problems: string[] = []
    const bodies: Promise<Buffer>[] = []
    page.on('console', (message) => {
      if (/error|warning/.test(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('response', (response) => {
      if (/\.(?:png|jpg|webp|avif)$/.test(response.url())) bodies.push(response.body())
    })
    await page.goto(server.url, { waitUntil: 'networkidle' })
    await page.click('#hero')
    const clicked = await page.textContent('output')
    const seen = await page.evaluate(() => ({
      boxes: [...document.querySelectorAll('#root :not(link)')].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return [element.tagName, x, y, width, height] as const
      }),
      images: [...document.images].map(({ alt, currentSrc }) => ({ alt, url: currentSrc })),
    }))
    const typed = seen.images.map(({ alt, url }) => [alt, /^data:image\/(\w+)/.exec(url)?.[1] ?? typeOf(url)] as const)
    const bytes = (await Promise.all(bodies)).reduce((sum, { length }) => sum + length, 0)
    return { problems, bytes, clicked, boxes: seen.boxes, shown: Object.fromEntries(typed) }
  } finally {
    await page.close()
    await server.close()
  }
}
