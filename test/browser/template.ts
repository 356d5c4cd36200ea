import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  WORKSPACE,
  danglingReferences,
  photo,
  readReferences,
  requireTool,
  transparentGraphic,
} from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { Browser, Page, ViewportSize } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from './chromium.ts'
import { serveFolder } from './servers.ts'
import type { Server } from './servers.ts'
import { openPage, typeOf } from './opened-page.ts'

const TEMPLATE = path.join(WORKSPACE, 'test/fixtures/template')
const FILES = ['index.html', 'src/main.js', 'src/style.css']

/**
 * Width and height by name; photographs are JPEGs, textures PNGs of the same kind, the others PNGs of a few colours.
 */
const PHOTOS: Readonly<Record<string, readonly [number, number]>> = {
  hero: [360, 160],
  wide: [240, 80],
  quay: [200, 150],
  'quay-small': [120, 120],
  tide: [240, 120],
  'tide-small': [120, 60],
  film: [160, 90],
  shed: [120, 90],
  boat: [90, 120],
  rope: [110, 80],
  lamp: [96, 128],
  stone: [128, 128],
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((index) => [`card-${index}`, [144, 96 + index]])),
  ...Object.fromEntries([1, 2, 3, 4].map((index) => [`face-${index}`, [80 + index, 100]])),
}
const TEXTURES: Readonly<Record<string, readonly [number, number]>> = {
  before: [120, 80],
  after: [120, 80],
  oak: [60, 60],
  ash: [60, 60],
  pattern: [80, 80],
  ribbon: [160, 40],
}
const TRANSPARENT: Readonly<Record<string, readonly [number, number]>> = {
  mark: [64, 64],
  search: [48, 48],
  star: [48, 48],
  play: [64, 64],
  post: [48, 48],
  bird: [48, 48],
  badge: [96, 96],
  quote: [80, 80],
  tick: [16, 16],
  arrow: [24, 16],
  ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => [`logo-${name}`, [110 + 8 * index, 44]])),
}

/** Windows that the template is laid out differently in. */
export const WINDOWS: readonly ViewportSize[] = [
  { width: 1280, height: 800 },
  { width: 390, height: 800 },
]

/**
 * The page of the template, its script, stylesheet and images, by their paths in a project.
 * @param end of the page's body, for what does not put scripts into pages by itself
 */
export async function templateFiles(end = ''): Promise<Record<string, Buffer>> {
  const texts = await Promise.all(FILES.map(async (file) => [file, await readFile(path.join(TEMPLATE, file))] as const))
  const [[name, page], ...others] = texts as [[string, Buffer], ...[string, Buffer][]]
  const whole = Buffer.from(page.toString().replace('</body>', `${end}</body>`))
  return {
    'package.json': Buffer.from('{"type":"module"}'),
    [name]: whole,
    ...Object.fromEntries(others),
    ...(await imageFiles()),
  }
}

/**
 * Holds that a page looks as the one that was built without the plugin, and shows its images in newer formats.
 * @param plain URL of the page without
 * @param auto URL of the page whose images were converted
 */
export async function expectSameLook(
  browser: Browser,
  plain: string,
  auto: string,
  viewport: ViewportSize,
): Promise<void> {
  const before = await openPage(browser, plain, { viewport }, elementsAndImages)
  const seen = await openPage(browser, auto, { viewport }, elementsAndImages)
  expect([before.problems, seen.problems]).toEqual([[], []])
  expect(before.images.length).toBeGreaterThanOrEqual(45)
  expect(seen.images.filter(({ width }) => width === 0)).toEqual([])
  expect(differences(before, seen)).toEqual([])
  // Drawings of a few colours are often smallest as PNG.
  const converted = seen.images.filter(({ source }) => /\.(?:avif|webp)$/.test(source))
  expect(converted.length).toBeGreaterThan(seen.images.length * 0.3)
  expect(seen.received.filter((url) => /\.(?:jpg|gif)$/.test(url) && !url.includes('hero'))).toEqual([])
  // A stylesheet's, in a variable and in a shorthand.
  for (const name of ['pattern', 'ribbon'])
    expect(seen.received.filter((url) => new RegExp(`/${name}[._-]`).test(url)).map(typeOf)).toEqual(['avif'])
}

async function imageFiles(): Promise<Record<string, Buffer>> {
  const made: Record<string, Buffer> = {}
  let seed = 1
  for (const [name, [width, height]] of Object.entries(PHOTOS))
    made[`src/images/${name}.jpg`] = await photo(width, height, seed++).jpeg()
  for (const [name, [width, height]] of Object.entries(TEXTURES))
    made[`src/images/${name}.png`] = await photo(width, height, seed++).png()
  for (const [name, [width, height]] of Object.entries(TRANSPARENT))
    made[`src/images/${name}.png`] = await transparentGraphic(width, height, seed++).png()
  return made
}

/** Lists everything that is elsewhere or looks different, in sentences. */
function differences(plain: Look, seen: Look): string[] {
  expect(seen.elements.map(({ name }) => name)).toEqual(plain.elements.map(({ name }) => name))
  return plain.elements.flatMap(({ name, edges, style }, index) => {
    const other = seen.elements[index]!
    const far = edges.some((edge, side) => Math.abs(edge - other.edges[side]!) > 0.5)
    const changed = Object.entries(style).filter(([property, value]) => other.style[property] !== value)
    return [
      ...(far ? [`${name} is at ${other.edges.join(' ')}, not at ${edges.join(' ')}`] : []),
      ...changed.map(([property, value]) => `${name} has ${property}: ${other.style[property]!}, not ${value}`),
    ]
  })
}

interface Look {
  readonly elements: readonly {
    readonly name: string
    readonly edges: readonly number[]
    /** Computed, of the element and the one before its content. */
    readonly style: Readonly<Record<string, string>>
  }[]
  /** `width`: pixels of the decoded image; 0 when it did not load. */
  readonly images: readonly { readonly source: string; readonly width: number }[]
}

/** Looks at the page, once all of its images have been loaded. */
const elementsAndImages = (page: Page): Promise<Look> => page.evaluate(lookInside)

/** Runs inside the page. */
async function lookInside(): Promise<Look> {
  for (const image of document.images) image.loading = 'eager'
  await Promise.allSettled([...document.images].map((image) => image.decode()))
  const elements = [...document.body.querySelectorAll('*')]
    .filter((element) => !element.matches('script'))
    .map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      const styles = ['', '::before'].flatMap((pseudo) => {
        const style = getComputedStyle(element, pseudo)
        return [...style].map((property): [string, string] => [
          `${pseudo}${property}`,
          style.getPropertyValue(property),
        ])
      })
      // Which image it is differs.
      const style = Object.fromEntries(styles.filter(([, value]) => !/\b(?:url|image-set)\(/.test(value)))
      return { name: `${element.localName}.${element.className}`, edges: [left, top, right, bottom], style }
    })
  const images = [...document.images].map(({ currentSrc, naturalWidth }) => ({
    source: currentSrc,
    width: naturalWidth,
  }))
  return { elements, images }
}

/**
 * Tests of the template's page as a bundler builds it, without the plugin into `plain`, and with `convert: 'auto'` into
 * `auto`.
 * @param build of both, in a project of its own
 */
export function describeTemplate(bundler: string, build: () => Promise<Project>): void {
  const executable = requireTool('chromium')

  describe.skipIf(executable === undefined)(`a template's page that ${bundler} builds with convert: 'auto'`, () => {
    let project: Project
    let browser: Browser
    const servers: Record<string, Server> = {}

    beforeAll(async () => {
      project = await build()
      for (const folder of ['plain', 'auto']) servers[folder] = await serveFolder(project.path(folder))
      browser = await launch(executable!)
    })
    afterAll(async () => {
      await browser?.close()
      await Promise.all(Object.values(servers).map((server) => server.close()))
      await project?.dispose()
    })

    it('refers to every image that is there, and to none that is not', async () => {
      const references = await readReferences(project.path('auto'))
      expect(danglingReferences(references)).toEqual([])
      const targets = new Set(references.map(({ target }) => target))
      const emitted = (await project.list('auto')).filter((file) => /\.(?:png|jpg|webp|avif)$/.test(file))
      expect(emitted.filter((name) => !targets.has(name))).toEqual([])
      // Two images are an icon or a social card as well, which keep their format.
      expect(emitted.length - (await project.list('src/images')).length).toBeLessThanOrEqual(2)
    })

    it.each(WINDOWS)('keeps every box and style in a window $width pixels wide', (viewport) =>
      expectSameLook(browser, servers['plain']!.url, servers['auto']!.url, viewport),
    )
  })
}
