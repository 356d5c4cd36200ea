import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject, detect, graphic, photo, failure } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { createOptimizer } from '@pixpress/core'
import { openSession } from 'unplugin-pixpress/internal'
import type { Options } from 'unplugin-pixpress/vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultFormat, inBestFormat, madeWith, makeImage } from '../src/engine.ts'
import type { ImageTransform } from '../src/astro-types.ts'
import { held, hold } from '../src/held-project.ts'

const CONFIG = { service: { entrypoint: '@pixpress/astro/service', config: {} } }
/** None of these images is left to Astro. */
const none = (): Promise<never> => Promise.reject(new Error('Astro was asked'))
const WORKSPACE = path.resolve(import.meta.dirname, '../../..')

let project: Project
let icon: Uint8Array
beforeAll(async () => {
  project = await createProject('astro-engine', { packages: [] })
  icon = await readFile(path.join(WORKSPACE, 'examples/images/icon.png'))
  hold({ options: { report: false }, root: project.root })
})
afterAll(() => project.dispose())

async function sizeOf(bytes: Uint8Array): Promise<[number, number]> {
  const { width, height } = await createOptimizer().probe(bytes)
  return [width, height]
}

describe('makeImage', () => {
  it.each(['/_astro/icon.aBc.png', 'https://example.com/100%.png'])(
    'makes the size and type that a component asks for of %s',
    async (src) => {
      const made = await makeImage(icon, { src, width: 48, format: 'webp' }, CONFIG, none)
      expect([made.format, detect(made.data), await sizeOf(made.data)]).toEqual(['webp', 'webp', [48, 48]])
      expect(made.data.length).toBeLessThan(icon.length)
    },
  )

  it('makes what is asked for of a TIFF', async () => {
    const tiff = await readFile(path.join(WORKSPACE, 'packages/core/test/fixtures/inputs/lzw.tif'))
    const made = await makeImage(tiff, { src: '/_astro/scan.aBc.tif', width: 20, format: 'webp' }, CONFIG, none)
    expect([made.format, detect(made.data), await sizeOf(made.data)]).toEqual(['webp', 'webp', [20, 15]])
  })

  it('takes what a URL does not say for not asked', async () => {
    const asked = { src: '/icon.png', width: 48, height: 48, format: 'webp', quality: null, fit: null, position: null }
    expect(await sizeOf((await makeImage(icon, asked, CONFIG, none)).data)).toEqual([48, 48])
  })

  it('crops to the centre with cover, and stays inside with contain', async () => {
    const asked = { src: '/_astro/icon.aBc.png', width: 60, height: 30, format: 'png' }
    const cover = await makeImage(icon, { ...asked, fit: 'cover' }, CONFIG, none)
    const contain = await makeImage(icon, { ...asked, fit: 'contain' }, CONFIG, none)
    expect([await sizeOf(cover.data), await sizeOf(contain.data)]).toEqual([
      [60, 30],
      [30, 30],
    ])
  })

  it('keeps the side that a position names, and stretches with fill', async () => {
    const asked = { src: '/_astro/icon.aBc.png', width: 60, height: 30, format: 'png' }
    const [top, bottom] = await Promise.all(
      ['top', 'right bottom'].map((position) => makeImage(icon, { ...asked, fit: 'cover', position }, CONFIG, none)),
    )
    expect(Buffer.compare(top!.data, bottom!.data)).not.toBe(0)
    expect(await sizeOf((await makeImage(icon, { ...asked, fit: 'fill' }, CONFIG, none)).data)).toEqual([60, 30])
  })

  it('scales nothing up', async () => {
    const made = await makeImage(icon, { src: '/icon.png', width: 4000, format: 'png' }, CONFIG, none)
    expect(await sizeOf(made.data)).toEqual(await sizeOf(icon))
  })

  it('takes words and numbers for a quality', async () => {
    const asked = { src: '/icon.png', width: 64, format: 'webp' }
    const [low, score, max] = await Promise.all(
      ['low', '60', 'max'].map((quality) => makeImage(icon, { ...asked, quality }, CONFIG, none)),
    )
    expect(low!.data).toEqual(score!.data)
    expect(max!.data.length).toBeGreaterThan(low!.data.length)
    await expect(makeImage(icon, { ...asked, quality: 'hihg' }, CONFIG, none)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    })
  })

  it('compresses vectors without asking for a size', async () => {
    const svg = await readFile(path.join(WORKSPACE, 'test/fixtures/site/src/images/scene.svg'))
    const made = await makeImage(svg, { src: '/_astro/scene.svg', width: 10, height: 10, format: 'svg' }, CONFIG, none)
    expect([made.format, detect(made.data)]).toEqual(['svg', 'svg'])
    expect(made.data.length).toBeLessThan(svg.length)
  })
})

describe('an image that the options exclude', () => {
  it("is made by Astro's own service alone", async () => {
    hold({ options: { report: false, exclude: '**/logo.*' }, root: project.root })
    const asked: ImageTransform[] = []
    const ofAstro = { data: new Uint8Array([1, 2, 3]), format: 'webp' }
    const astro = () =>
      Promise.resolve({
        transform(_: Uint8Array, transform: ImageTransform) {
          asked.push(transform)
          return Promise.resolve(ofAstro)
        },
      })
    const logo = { src: '/logo.png', width: 48, format: 'webp' }
    expect(await makeImage(icon, logo, CONFIG, astro)).toEqual(ofAstro)
    expect(detect((await makeImage(icon, { ...logo, src: '/icon.png' }, CONFIG, astro)).data)).toBe('webp')
    expect(asked).toEqual([logo])
    hold({ options: { report: false }, root: project.root })
  })
})

/** A source that a component asks for without a format, as Astro has emitted it. */
async function emitted(name: string, bytes: Uint8Array, options: Options = {}): Promise<ImageTransform> {
  await project.write(`src/${name}`, bytes)
  const { width, height } = await createOptimizer().probe(bytes)
  hold({
    options: { report: false, ...options },
    root: project.root,
    emitted: new Map([[`_astro/${name}`, project.path(`src/${name}`)]]),
  })
  return { src: { src: `/site/_astro/${name}`, width, height, format: path.extname(name).slice(1) }, width, height }
}

const bestFormat = async (asked: ImageTransform): Promise<unknown> => (await inBestFormat(asked, CONFIG)).format

/** The image without a requested format, as a build makes it: its format, and its bytes. */
async function best(asked: ImageTransform): Promise<{ format: unknown; data: Uint8Array }> {
  const transform = await inBestFormat(asked, CONFIG)
  const { src, width } = asked.src as { src: string; width: number }
  const source = await project.read(`src/${path.basename(src)}`)
  const made = await makeImage(source, { ...transform, src }, CONFIG, none)
  expect(transform.format).toBe(made.format)
  if (asked.width === width) expect(made.data.length).toBeLessThanOrEqual(source.length)
  return made
}

describe('an image without a format', () => {
  it('keeps its own where that is smaller, in its size and below it', async () => {
    // WebP takes more bytes to show the artefacts of a poor JPEG than the JPEG itself.
    const poor = await emitted('poor.jpg', await photo(240, 180, 21).jpeg(30))
    expect((await best(poor)).format).toBe('jpg')
    expect((await best({ ...poor, width: 120, height: 90 })).format).toMatch(/jpg|webp/)
  })

  it('stays AVIF where WebP would be larger', async () => {
    const { data } = await createOptimizer().optimize(await photo(240, 180, 21).jpeg(60), {
      convert: { type: 'image/avif' },
    })
    const asked = await emitted('photo.avif', data)
    expect((await best(asked)).format).toBe('avif')
    expect((await best({ ...asked, width: 160, height: 120 })).format).toBe('avif')
  })

  it('is WebP where that is smaller', async () => {
    expect((await best(await emitted('good.png', await photo(120, 90, 22).png()))).format).toBe('webp')
  })

  it('is WebP where nothing is to be tried: a smaller PNG, a fit of Astro, another source, a dev server', async () => {
    const small = await emitted('flat.png', await graphic(64, 64).png())
    const asked = await Promise.all([
      bestFormat({ ...small, width: 32, height: 32 }),
      bestFormat({ ...small, fit: 'outside' }),
      bestFormat({ ...small, src: { src: '/_astro/none.png', width: 64, height: 64, format: 'png' } }),
      bestFormat({ ...small, src: 'https://example.com/a.png' }),
    ])
    hold({ options: { report: false }, root: project.root, isServed: true })
    expect([...asked, await bestFormat(small)]).toEqual(Array(5).fill('webp'))
    hold({ options: { report: false }, root: project.root })
  })

  describe("with convert: 'auto'", () => {
    const options = { convert: 'auto' } as const

    it('is the smallest of the formats that browsers support, and is encoded once', async () => {
      const asked = await emitted('large.png', await photo(192, 144, 3).png(), options)
      const cached = { ...options, cache: { dir: 'auto-cache' } }
      hold({ ...held()!, options: { report: false, ...cached } })
      const { format } = await inBestFormat({ ...asked, width: 96, height: 72 }, CONFIG)
      const results = await project.list('auto-cache')
      expect((await best({ ...asked, width: 96, height: 72 })).format).toBe('avif')
      expect([format, await project.list('auto-cache')]).toEqual(['avif', results])
    })

    it('keeps its own where overrides say so, and where browsers support no other', async () => {
      const source = await photo(120, 90, 22).png()
      const overrides = [{ include: '**/kept.png', convert: false as const }]
      expect((await best(await emitted('kept.png', source, { ...options, overrides }))).format).toBe('png')
      const asked = await emitted('old.png', source, options)
      hold({ ...held()!, targets: ['safari12'] })
      expect((await best({ ...asked, width: 60, height: 45 })).format).toBe('png')
      hold({ options: { report: false }, root: project.root })
    })
  })
})

describe('a frozen cache', () => {
  it('fails in a dev server, and in a build when that ends', async () => {
    const options = { report: false, cache: { dir: 'frozen', mode: 'frozen' } } as const
    const source = await photo(64, 48, 9).png()
    await project.write('frozen.png', source)
    const make = (): ReturnType<typeof makeImage> =>
      makeImage(source, { src: '/frozen.png', width: 32, format: 'webp' }, CONFIG, none)
    hold({ options, root: project.root, isServed: true })
    await expect(make()).rejects.toMatchObject({ code: 'NOT_CACHED' })
    hold({ options, root: project.root })
    expect((await make()).data).toEqual(source)
    await expect(openSession(options, project.root).endBuild()).rejects.toThrow(
      failure('NOT_CACHED', 'frozen.png', 'image/webp'),
    )
    hold({ options: { report: false }, root: project.root })
  })
})

describe('the identity of what is made', () => {
  it('changes with the options', () => {
    const usual = madeWith(CONFIG)
    hold({ options: { report: false, quality: 'small' }, root: project.root })
    const small = madeWith(CONFIG)
    hold({ options: { report: false }, root: project.root })
    expect([madeWith(CONFIG), small === usual]).toEqual([usual, false])
  })

  it('changes when a service takes over the work, whatever its key', () => {
    const usual = madeWith(CONFIG)
    const identities = ['first-secret-key', 'second-secret-key'].map((key) => {
      hold({ options: { report: false, engine: { endpoint: 'https://images.example.com', key } }, root: project.root })
      return madeWith(CONFIG)
    })
    hold({ options: { report: false }, root: project.root })
    expect(new Set(identities)).toHaveLength(1)
    expect(identities).not.toContain(usual)
  })

  it('names WebP where no type is asked for, or the one of convert', () => {
    expect(defaultFormat(CONFIG)).toBe('webp')
    hold({ options: { report: false, convert: { type: 'avif' } }, root: project.root })
    expect(defaultFormat(CONFIG)).toBe('avif')
    hold({ options: { report: false }, root: project.root })
  })
})
