import type { Browser, Page } from 'playwright-core'

/** A host that only this test knows: every request to it is answered here. */
const ORIGIN = 'http://svg.test'

/** CSS pixels of the window. */
const WINDOW = { width: 320, height: 240 }

/** Milliseconds of the moments at which an animation is looked at. */
const MOMENTS = [250, 1750]

/** Elements that are pointed at, at most. */
const MOST_POINTS = 6

/** The occasions worth looking at in a file, read from its source alone, so that both sides are shown alike. */
interface Occasions {
  readonly hovers: boolean
  readonly targets: readonly string[]
  readonly prints: boolean
  readonly darkens: boolean
  readonly animates: boolean
}

function occasionsOf(svg: string): Occasions {
  return {
    hovers: svg.includes(':hover'),
    targets: svg.includes(':target') ? [...svg.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!) : [],
    prints: /\bprint\b/.test(svg),
    darkens: /prefers-color-scheme|light-dark/.test(svg),
    animates: /<(?:\w+:)?(?:animate|set)|@keyframes|transition/.test(svg),
  }
}

/** Renders SVG files in Chromium, in every state that a reader can bring them into. */
export interface Gallery {
  /**
   * @param source what decides which states are looked at
   * @param shown the file to show; `source` itself, or what was made of it
   * @returns PNG screenshots by state
   */
  looksOf(source: string, shown: string): Promise<Map<string, Buffer>>
  close(): Promise<void>
}

export async function openGallery(browser: Browser): Promise<Gallery> {
  const context = await browser.newContext({ viewport: WINDOW })
  const page = await context.newPage()
  let served = ''
  await context.route(`${ORIGIN}/**`, (route) =>
    route.request().url().includes('image.svg')
      ? route.fulfill({ contentType: 'image/svg+xml', body: served })
      : route.fulfill({
          contentType: 'text/html',
          body: '<!doctype html><body style="margin:0"><img src="image.svg">',
        }),
  )

  /** In a folder that is new each time, as a change of the fragment alone would load nothing. */
  let opened = 0
  async function open(url: string): Promise<void> {
    await page.goto(`${ORIGIN}/${++opened}${url}`)
  }

  async function looksOf(source: string, shown: string): Promise<Map<string, Buffer>> {
    const { hovers, targets, prints, darkens, animates } = occasionsOf(source)
    const looks = new Map<string, Buffer>()
    const look = async (state: string): Promise<void> => void looks.set(state, await page.screenshot())
    served = shown
    if (animates) {
      for (const moment of MOMENTS) {
        await open('/image.svg')
        await showMoment(page, moment)
        await look(`document after ${moment} ms`)
      }
    } else {
      await open('/page.html')
      await look('img')
      await open('/image.svg')
      await look('document')
    }
    if (hovers) {
      served = source
      await open('/image.svg')
      const points = await pointsOf(page)
      served = shown
      await open('/image.svg')
      for (const { x, y } of points) {
        await page.mouse.move(x, y)
        // A transition is held in its middle.
        if (animates) await holdAnimations(page, MOMENTS[0]!)
        await look(`document hovered at ${x}, ${y}`)
      }
      await page.mouse.move(WINDOW.width - 1, WINDOW.height - 1)
    }
    for (const id of targets) {
      await open(`/image.svg#${id}`)
      await look(`document at #${id}`)
    }
    if (prints) {
      await open('/image.svg')
      await page.emulateMedia({ media: 'print' })
      await look('document printed')
      await page.emulateMedia({ media: null })
    }
    if (darkens) {
      for (const url of ['/page.html', '/image.svg']) {
        await open(url)
        await page.emulateMedia({ colorScheme: 'dark' })
        await look(`dark ${url}`)
        await page.emulateMedia({ colorScheme: null })
      }
    }
    return looks
  }

  return { looksOf, close: () => context.close() }
}

/** Brings every animation of the document, of SMIL or CSS, to one moment and holds it there. */
async function showMoment(page: Page, milliseconds: number): Promise<void> {
  await page.evaluate((moment) => {
    const root = document.documentElement as unknown as SVGSVGElement
    root.pauseAnimations()
    root.setCurrentTime(moment / 1000)
  }, milliseconds)
  await holdAnimations(page, milliseconds)
}

/** Those of CSS alone. */
async function holdAnimations(page: Page, milliseconds: number): Promise<void> {
  await page.evaluate((moment) => {
    for (const animation of document.getAnimations()) {
      animation.pause()
      animation.currentTime = moment
    }
  }, milliseconds)
}

/** The middle of what the document draws, one point per element. */
function pointsOf(page: Page): Promise<{ x: number; y: number }[]> {
  return page.evaluate((most) => {
    const points: { x: number; y: number }[] = []
    for (const element of document.querySelectorAll('path, rect, circle, ellipse, polygon, text')) {
      const { left, top, width, height } = element.getBoundingClientRect()
      if (width > 0 && height > 0) points.push({ x: Math.round(left + width / 2), y: Math.round(top + height / 2) })
    }
    return points.slice(0, most)
  }, MOST_POINTS)
}
