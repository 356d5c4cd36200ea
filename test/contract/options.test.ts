import {
  createProject,
  decode,
  expectSimilar,
  photo,
  photoInHdr,
  startGcsDouble,
  transparentGraphic,
} from '@pixpress/testkit'
import type { DecodedImage, Project } from '@pixpress/testkit'
import path from 'node:path'
import sharp from 'sharp'
import type { Options } from 'unplugin-pixpress'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { build, buildOrThrow, evaluate, readOutput } from './build.ts'
import type { BuildResult } from './build.ts'
import { follow, locate } from './locate.ts'
import type { BuiltSite } from './locate.ts'
import { serveImages } from '../remote-images/server.ts'
import { borrowResults, lendResults } from './shared-cache.ts'

/** Sources of the little site that every option is tried on. */
const PHOTO = 'src/images/photo.png'
const LOGO = 'src/images/logo.png'
const SIGNED = 'src/images/signed.jpg'
const ICON = 'src/images/icon.png'
const COPIED = 'public/copied.png'

let sources: Readonly<Record<string, Buffer>>
beforeAll(async () => {
  sources = {
    [PHOTO]: await photo(160, 120, 3).png(),
    [LOGO]: await transparentGraphic(120, 80, 4).png(),
    [SIGNED]: await sharp(await photo(120, 90, 5).jpeg())
      .withExif({ IFD0: { Copyright: 'Ada Example' } })
      .jpeg({ quality: 95 })
      .toBuffer(),
    [ICON]: await photo(128, 128, 6).png(),
    [COPIED]: await photo(120, 100, 7).png(),
  }
})

let project: Project | undefined
afterEach(discard)

/** Discards a trial's output. Its results stay for the next one: equal images with equal operations are equal work. */
async function discard(): Promise<void> {
  if (project !== undefined) await lendResults(project)
  await project?.dispose()
  project = undefined
}

interface Built {
  readonly result: BuildResult
  /** The bytes that a page gets for a source. */
  bytes(source: string): Buffer
  image(source: string): Promise<DecodedImage>
}

/** @param results whether the builds find what earlier trials encoded; those that count or judge the encoding do not */
async function create(results: 'borrowed' | 'none' = 'borrowed'): Promise<Project> {
  project = await createProject('options', {
    files: {
      ...sources,
      'index.html': `<!doctype html><title>x</title><link id="icon" rel="icon" href="./src/images/icon.png"><script type="module" src="./src/main.js"></script>`,
      'src/main.js': `
        import photo from './images/photo.png'
        import logo from './images/logo.png'
        import signed from './images/signed.jpg'
        globalThis.site = { images: { photo, logo, signed } }`,
    },
  })
  if (results === 'borrowed') await borrowResults(project)
  return project
}

/** A page with one image that says no size. */
async function pageWith(options: Options): Promise<string> {
  const made = await create()
  await made.write('index.html', '<!doctype html><head></head><img src="./src/images/photo.png">')
  await buildOrThrow(made, 'vite', { convert: 'auto', ...options })
  return made.readText('dist/index.html')
}

async function read(made: Project, result: BuildResult): Promise<Built> {
  const values = await evaluate(made, result)
  const site: BuiltSite = { files: await readOutput(made, result.outDir), page: result.page, values }
  const bytes = (source: string): Buffer => {
    if (source === COPIED) return follow('/copied.png', site, '').bytes
    if (source !== ICON) return follow(values['images']![/(\w+)\.\w+$/.exec(source)![1]!] as string, site, '').bytes
    return locate({ kind: 'html-icon', at: { element: 'icon', attribute: 'href' }, source }, site).bytes
  }
  return { result, bytes, image: (source) => decode(bytes(source)) }
}

async function built(options: Options, results?: 'none'): Promise<Built> {
  const made = await create(results)
  return read(made, await buildOrThrow(made, 'vite', options))
}

async function refusal(options: object): Promise<string> {
  const made = await create()
  const result = await build(made, 'vite', options)
  expect(result.ok).toBe(false)
  return result.error!
}

/** One entry for each option: a new one does not pass the type check before it is tried here. */
const TRIALS = {
  async root() {
    const { result } = await built({ root: 'src', report: { json: '../report.json' } })
    expect(result.report!.images.map(({ source }) => source)).toContain('images/photo.png')
  },

  async include() {
    const { result, bytes } = await built({ include: 'src/images/ph*.png' })
    expect(result.report!.images.map(({ source }) => source)).toEqual([PHOTO])
    expect(bytes(LOGO).equals(sources[LOGO]!)).toBe(true)
  },

  async exclude() {
    const { result, bytes } = await built({ exclude: '**/logo.*' })
    expect(result.report!.images.map(({ source }) => source)).toEqual([COPIED, ICON, PHOTO, SIGNED])
    expect(bytes(LOGO).equals(sources[LOGO]!)).toBe(true)
  },

  async quality() {
    const made = await create()
    const high = await read(made, await buildOrThrow(made, 'vite', { convert: { type: 'image/webp' } }))
    const options: Options = { convert: { type: 'image/webp' }, quality: 40 }
    const low = await read(made, await buildOrThrow(made, 'vite', options))
    expect(low.bytes(PHOTO).length).toBeLessThan(high.bytes(PHOTO).length * 0.8)
    await expectSimilar(low.bytes(PHOTO), sources[PHOTO]!, 8)
  },

  async convert() {
    const { image } = await built({ convert: { type: ['image/webp'] } })
    expect([await image(PHOTO), await image(ICON), await image(COPIED)].map(({ type }) => type)).toEqual([
      'webp',
      'png',
      'png',
    ])
  },

  async fallback() {
    // Vite's own targets all read WebP; what stands alone in a script is converted only where that is asked for.
    const { image } = await built({ convert: 'auto', fallback: 'picture' })
    expect((await image(PHOTO)).type).toBe('png')
    const { image: alone } = await built({ convert: { type: ['image/webp'] }, fallback: 'auto' })
    expect([await alone(PHOTO), await alone(ICON)].map(({ type }) => type)).toEqual(['webp', 'png'])
  },

  async dimensions() {
    const told = await pageWith({})
    expect(told).toMatch(/<img data-pixpress-ratio="4\/3" src=/)
    expect(told).toMatch(
      /<style>@layer pixpress\{:where\(img\[data-pixpress-ratio="4\/3"\]\)\{aspect-ratio:auto 4\/3\}\}<\/style>/,
    )
    expect(await pageWith({ dimensions: false })).not.toContain('ratio')
  },

  async convertIcons() {
    const { image } = await built({ convert: { type: ['image/webp'] }, convertIcons: true })
    expect([await image(PHOTO), await image(ICON), await image(COPIED)].map(({ type }) => type)).toEqual([
      'webp',
      'webp',
      'png',
    ])
  },

  async resize() {
    const { image } = await built({ resize: { method: 'fit', width: 60, height: 60 } })
    expect(await image(PHOTO)).toMatchObject({ width: 60, height: 45 })
    expect(await image(ICON)).toMatchObject({ width: 60, height: 60 })
    expect(await image(COPIED)).toMatchObject({ width: 60, height: 50 })
  },

  async transform() {
    const { image } = await built({ transform: { background: '#ff0000' } })
    const { pixels } = await image(LOGO)
    expect(Math.min(...pixels.filter((_, index) => index % 4 === 3))).toBe(255)
    const red = pixels.filter((value, index) => index % 4 === 0 && value > 250).length
    expect(red).toBeGreaterThan(pixels.length / 16)
  },

  async preserve() {
    const made = await create()
    expect(await keepsCopyright(await read(made, await buildOrThrow(made, 'vite', {})))).toBe(false)
    const keeping = await buildOrThrow(made, 'vite', { preserve: ['copyright'] })
    expect(await keepsCopyright(await read(made, keeping))).toBe(true)
  },

  async presets() {
    const made = await create()
    await made.write(
      'src/main.js',
      "import photo from './images/photo.png?preset=tiny'\nglobalThis.site = { images: { photo } }",
    )
    const { image } = await read(made, await buildOrThrow(made, 'vite', { presets: { tiny: { w: 30 } } }))
    expect(await image(PHOTO)).toMatchObject({ width: 30 })
    expect((await build(made, 'vite', {})).error).toContain('tiny')
  },

  async defaultDirectives() {
    const made = await create()
    await made.write(
      'src/main.js',
      "import photo from './images/photo.png?as=url'\nglobalThis.site = { images: { photo } }",
    )
    const { image } = await read(made, await buildOrThrow(made, 'vite', { defaultDirectives: { w: 30 } }))
    expect(await image(PHOTO)).toMatchObject({ width: 30 })
    expect((await build(made, 'vite', { defaultDirectives: 'w=30' as never })).error).toContain('defaultDirectives')
  },

  // Functions do not reach another process: what they give is tested with the module of an import.
  async outputs() {
    const made = await create()
    expect((await build(made, 'vite', { outputs: { url: 1 as never } })).error).toContain('outputs.url')
  },

  async namedExports() {
    const made = await create()
    await made.write(
      'src/main.js',
      "import { src } from './images/photo.png?w=30&as=img'\nglobalThis.site = { images: { photo: src } }",
    )
    expect((await build(made, 'vite', { namedExports: false })).error).toContain('src')
    expect((await build(made, 'vite', { namedExports: 'no' as never })).error).toContain('namedExports')
  },

  async compat() {
    const made = await create()
    await made.write(
      'src/main.js',
      "import photo from './images/photo.png?format=jpg&quality=3&effort=4'\nglobalThis.site = { images: { photo } }",
    )
    const sizeWith = async (compat: 'imagetools' | false): Promise<number> => {
      const { bytes } = await read(made, await buildOrThrow(made, 'vite', { compat }))
      return bytes(PHOTO).length
    }
    expect(await sizeWith('imagetools')).not.toBe(await sizeWith(false))
    expect((await build(made, 'vite', { compat: 'imagetool' as never })).error).toContain('compat')
  },

  async lqip() {
    const made = await create()
    await made.write(
      'src/main.js',
      "import { src, placeholder } from './images/photo.png?w=30&as=img'\nglobalThis.site = { images: { photo: src }, placeholder }",
    )
    const { image } = await read(made, await buildOrThrow(made, 'vite', { lqip: 'color' }))
    expect(await image(PHOTO)).toMatchObject({ width: 30 })
    const scripts = (await made.list()).filter((file) => /^dist\b.*\.js$/.test(file))
    const texts = await Promise.all(scripts.map((file) => made.readText(file)))
    expect(texts.join('')).toMatch(/data:image\/webp;base64,[\w+/=]{30,60}["'`]/)
  },

  async types() {
    const made = await create()
    await made.write(
      'src/main.js',
      "import photo from './images/photo.png?w=30&as=img'\nglobalThis.site = { images: { photo: photo.src } }",
    )
    await read(made, await buildOrThrow(made, 'vite', { types: 'src/pixpress.d.ts' }))
    expect(await made.readText('src/pixpress.d.ts')).toContain(
      "declare module '*?w=30&as=img' {\n  const value: { src: string;",
    )
  },

  async remoteImages() {
    const host = await serveImages({ '/photos/a.jpg': await photo(160, 120, 8).jpeg(98) })
    const url = `${host.origin}/photos/a.jpg`
    try {
      const made = await create()
      await made.write('src/main.js', `import a from '${url}'\nglobalThis.site = { images: { a } }`)
      const result = await buildOrThrow(made, 'vite', { remoteImages: [`${host.origin}/photos/**`] })
      const values = await evaluate(made, result)
      const site: BuiltSite = { files: await readOutput(made, result.outDir), page: result.page, values }
      const { bytes } = follow(values['images']!['a'] as string, site, '')
      expect((await decode(bytes)).width).toBe(160)
      expect(host.asked).toEqual(['/photos/a.jpg'])
      await buildOrThrow(made, 'vite', {})
      expect(host.asked).toHaveLength(1)
    } finally {
      await host.close()
    }
  },

  async publicDir() {
    const on = await built({})
    expect(on.bytes(COPIED).length).toBeLessThan(sources[COPIED]!.length)
    await discard()
    const off = await built({ publicDir: false })
    expect(off.bytes(COPIED).equals(sources[COPIED]!)).toBe(true)
  },

  async engine() {
    const { result } = await built({ engine: 'local' }, 'none')
    expect(result.report!.totals.encoded).toBe(5)
    await discard()
    expect(await refusal({ engine: 'remote' })).toMatch(/'engine'.*'remote'/)
  },

  async store() {
    const double = await startGcsDouble('pictures', { secret: 'write' })
    try {
      const made = await create()
      const store = { service: 'gcs', gcp_access_token: 'secret', path: 'pictures', endpoint: double.endpoint } as const
      const result = await buildOrThrow(made, 'vite', { store, quality: 95 })
      const { images } = await evaluate(made, result)
      const stored = Object.values(images!).filter((url) => (url as string).startsWith(`${double.endpoint}/pictures/`))
      expect(stored.length).toBeGreaterThan(0)
      for (const url of stored) expect((await fetch(url as string)).status).toBe(200)
    } finally {
      await double.close()
    }
    await discard()
    expect(await refusal({ store: { service: 'ftp' } })).toContain('store')
  },

  async cache() {
    const made = await create('none')
    const own = { cache: { dir: '.images', maxSize: 10_000_000 } }
    expect((await buildOrThrow(made, 'vite', own)).report!.totals).toMatchObject({ encoded: 5, cached: 0 })
    expect((await buildOrThrow(made, 'vite', own)).report!.totals).toMatchObject({ encoded: 0, cached: 5 })
    expect((await made.list('.images')).length).toBeGreaterThan(4)
    expect(await made.list('.cache/pixpress')).toEqual([])
    expect(await made.list('node_modules/.cache/pixpress')).toEqual([])
    for (let run = 0; run < 2; run++) {
      expect((await buildOrThrow(made, 'vite', { cache: false })).report!.totals).toMatchObject({
        encoded: 5,
        cached: 0,
      })
    }
    await discard()
    expect(await refusal({ cache: { maxSize: 0 } })).toContain('cache.maxSize')
  },

  async firstBuild() {
    const options = { firstBuild: 1, effort: 'auto' } as const
    const { result } = await built(options, 'none')
    const drafts = result.report!.images.filter(({ draft }) => draft).length
    expect(drafts).toBeGreaterThan(0)
    expect((await project!.readText('pixpress.lock')).split('"draft":true')).toHaveLength(drafts + 1)
    await discard()
    expect(await refusal({ firstBuild: 'soon' })).toContain('firstBuild')
  },

  async lock() {
    const made = await create()
    const { report } = await buildOrThrow(made, 'vite', { lock: 'images.lock' })
    const locked = await made.readText('images.lock')
    expect(locked.trimEnd().split('\n')).toHaveLength(1 + report!.totals.images)
    // A line that nothing is known of is another engine's: its result is not in the cache, and it is replaced.
    await made.write('images.lock', locked.replaceAll(/"key":"[0-9a-f]{8}/g, '"key":"00000000'))
    await buildOrThrow(made, 'vite', { lock: false })
    expect(await made.readText('images.lock')).not.toBe(locked)
    await buildOrThrow(made, 'vite', { lock: 'images.lock' })
    expect(await made.readText('images.lock')).toBe(locked)
    await discard()
    expect(await refusal({ lock: 5 as never })).toContain("'lock'")
  },

  async report() {
    const made = await create('none')
    const shown = await buildOrThrow(made, 'vite', { report: true })
    expect(shown.process.stdout).toContain(PHOTO)
    expect(shown.report).toBeUndefined()
    const silent = await buildOrThrow(made, 'vite', { report: false, cache: false })
    expect(silent.process.stdout).not.toContain(PHOTO)
  },

  async maxBytes() {
    const made = await create()
    const free = await read(made, await buildOrThrow(made, 'vite', {}))
    const bound = Math.round(free.bytes(SIGNED).length * 0.7)
    const bounded = await read(made, await buildOrThrow(made, 'vite', { maxBytes: bound }))
    expect(bounded.bytes(SIGNED).length).toBeLessThanOrEqual(bound)
    expect(bounded.bytes(PHOTO).length).toBeLessThan(free.bytes(PHOTO).length)
    await discard()
    expect(await refusal({ maxBytes: 0 })).toContain('maxBytes')
  },

  async effort() {
    const totals: number[] = []
    for (const effort of ['max', 'fast'] as const) {
      const { result } = await built({ effort, convert: { type: 'image/webp' } })
      totals.push(result.report!.totals.after)
      await discard()
    }
    expect(totals[0]).toBeLessThan(totals[1]!)
    expect(await refusal({ effort: 'low' as never })).toContain('effort')
  },

  async encoder() {
    const { bytes } = await built({ encoder: { 'image/jpeg': { quality: 30, progressive: false } } })
    const low = bytes(SIGNED).length
    await discard()
    const high = await built({ encoder: { 'image/jpeg': { quality: 80 } } })
    expect(low).toBeLessThan(high.bytes(SIGNED).length)
    await discard()
    expect(await refusal({ encoder: { 'image/jpeg': { quality: 0 } } })).toContain('encoder')
  },

  async svgo() {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>t</title><path d="M0 0h9"/></svg>'
    for (const [svgo, shown] of [
      [{ multipass: false }, true],
      [{ plugins: ['removeTitle'] }, false],
    ] as const) {
      const made = await create()
      await made.write('public/drawing.svg', drawing)
      const result = await buildOrThrow(made, 'vite', { svgo: svgo as Options['svgo'] & object })
      const files = await readOutput(made, result.outDir)
      expect(files.get('drawing.svg')!.includes('<title>')).toBe(shown)
      await discard()
    }
    expect(await refusal({ svgo: { plugins: [{ name: 'mine', fn: () => null }] as never } })).toContain(
      'svgo.plugins[0]',
    )
  },

  async keepElements() {
    const rooms =
      '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><rect x="1" width="9" height="9" fill="#000"/><rect x="50" width="9" height="9" fill="#000"/></svg>'
    const made = await create()
    await made.write('public/rooms.svg', rooms)
    for (const [keepElements, count] of [
      [undefined, 2],
      [true, 2],
      [false, 0],
    ] as const) {
      const result = await buildOrThrow(made, 'vite', keepElements === undefined ? {} : { keepElements })
      const files = await readOutput(made, result.outDir)
      expect(files.get('rooms.svg')!.toString().split('<rect').length - 1).toBe(count)
    }
    await discard()
    expect(await refusal({ keepElements: 'yes' as never })).toContain('keepElements')
  },

  async lossless() {
    const { bytes } = await built({ lossless: true })
    for (const source of [PHOTO, SIGNED]) {
      expect((await pixels(bytes(source))).equals(await pixels(sources[source]!))).toBe(true)
    }
    await discard()
    expect(await refusal({ lossless: 'yes' as never })).toContain('lossless')
  },

  async gainMap() {
    const made = await create()
    await made.write(SIGNED, await photoInHdr(120, 90))
    const kept = await read(made, await buildOrThrow(made, 'vite', {}))
    expect((await sharp(kept.bytes(SIGNED)).metadata()).gainMap).toBeDefined()
    const dropped = await read(made, await buildOrThrow(made, 'vite', { gainMap: false }))
    expect((await sharp(dropped.bytes(SIGNED)).metadata()).gainMap).toBeUndefined()
    await discard()
    expect(await refusal({ gainMap: 'drop' as never })).toContain('gainMap')
  },

  async maxWidth() {
    const { bytes } = await built({ maxWidth: 60 })
    expect((await sharp(bytes(PHOTO)).metadata()).width).toBe(60)
    await discard()
    expect(await refusal({ maxWidth: 0 })).toContain('maxWidth')
  },

  async adjust() {
    const { bytes } = await built({ adjust: { grayscale: true } })
    const samples = await pixels(bytes(PHOTO))
    const isGrey = samples.every((sample, at) => at % 3 === 0 || Math.abs(sample - samples[at - (at % 3)]!) < 3)
    expect(isGrey).toBe(true)
    await discard()
    expect(await refusal({ adjust: { rotate: '90' as never } })).toContain('adjust.rotate')
  },

  async overrides() {
    const { bytes } = await built({ overrides: [{ include: `**/${path.basename(SIGNED)}`, quality: 30 }] })
    const low = bytes(SIGNED).length
    await discard()
    const high = await built({ overrides: [{ include: 'nothing/**', quality: 30 }] })
    expect(low).toBeLessThan(high.bytes(SIGNED).length)
    await discard()
    expect(await refusal({ overrides: [{ quality: 30 } as never] })).toContain('overrides[0].include')
  },

  async budgets() {
    const made = await create()
    const budgets = [{ include: PHOTO, image: '1 kB' }]
    const tolerant = await buildOrThrow(made, 'vite', { budgets })
    expect(tolerant.process.stderr).toContain(`${PHOTO} (`)
    const strict = await build(made, 'vite', { budgets, onError: 'error' })
    expect(strict.ok).toBe(false)
    expect(strict.error).toContain('of 1.0 kB that')
    await discard()
    expect(await refusal({ budgets: [{ imgae: 5 } as never] })).toContain('budgets[0].imgae')
  },

  async onError() {
    const made = await create()
    await made.write(PHOTO, sources[PHOTO]!.subarray(0, 3000))
    const tolerant = await buildOrThrow(made, 'vite', { onError: 'warn' })
    expect(tolerant.warnings.filter((text) => text.includes(PHOTO))).toHaveLength(1)
    const strict = await build(made, 'vite', { onError: 'error' })
    expect(strict.ok).toBe(false)
    expect(strict.error).toContain(PHOTO)
  },

  async concurrency() {
    const made = await create()
    const parallel = await read(made, await buildOrThrow(made, 'vite', { cache: false, concurrency: 4 }))
    const serial = await read(made, await buildOrThrow(made, 'vite', { cache: false, concurrency: 1 }))
    for (const source of Object.keys(sources)) expect(serial.bytes(source).equals(parallel.bytes(source))).toBe(true)
    await discard()
    expect(await refusal({ concurrency: 0 })).toContain('concurrency')
  },

  async limits() {
    const { result, bytes } = await built({ limits: { maxPixels: 10_000 } }, 'none')
    expect(result.report!.failures.map(({ source, code }) => [source, code])).toEqual(
      [COPIED, ICON, PHOTO, SIGNED].map((source) => [source, 'INPUT_TOO_LARGE']),
    )
    expect(bytes(PHOTO).equals(sources[PHOTO]!)).toBe(true)
    expect(bytes(LOGO).length).toBeLessThan(sources[LOGO]!.length)
  },
} satisfies Record<keyof Options, () => Promise<void>>

describe('options in a real build', () => {
  it.each(Object.entries(TRIALS))('%s', (_, trial) => trial())
})

const pixels = (data: Buffer): Promise<Buffer> => sharp(data).raw().toBuffer()

async function keepsCopyright({ bytes }: Built): Promise<boolean> {
  const { exif } = await sharp(bytes(SIGNED)).metadata()
  return exif?.includes('Ada Example') ?? false
}
