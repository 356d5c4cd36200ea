import type { Operations } from '@pixpress/core'
import { OPERATIONS } from '@pixpress/core/internal'
import type { Report } from '@pixpress/core/report'
import {
  OPTION_SAMPLES,
  SAMPLE_IMAGES,
  createProject,
  detect,
  startGcsDouble,
  startImageService,
} from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../../../../client/src/index.ts'
import { readQuery } from '../../../src/modules/reference.ts'
import { renderImport } from '../../../src/modules/render-import.ts'
import type { ModuleImages } from '../../../src/modules/render-import.ts'
import type { ImageUse } from '../../../src/references/types.ts'
import { createSession } from '../../../src/session/index.ts'
import type { Options } from '../../../src/session/options/options.ts'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { FinishedImage } from '../../../src/session/plan/images.ts'
import type { Session } from '../../../src/session/session.ts'

const PHOTO = 'src/photo.png'
const SIGNED = 'src/signed.jpg'

let files: Record<string, Buffer>
beforeAll(async () => {
  files = {}
  for (const [name, make] of Object.entries(SAMPLE_IMAGES)) files[`src/${name}`] = await make()
  files['src/damaged.png'] = files[PHOTO]!.subarray(0, 1500)
})

let project: Project
beforeEach(async () => {
  project = await createProject('option-effects', { files: { ...files, 'package.json': '{}' } })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await project.dispose()
})

const open = (options: Options, targets: readonly string[] = []): Session =>
  createSession(
    resolvePluginOptions({ report: false, cache: false, ...options }, project.root, targets),
    async () => createClient,
    targets,
  )

let warnings: string[] = []
beforeEach(() => {
  warnings = []
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})
const warn = (message: string): void => void warnings.push(message)

const finish = async (session: Session, file: string, use?: ImageUse): Promise<FinishedImage> =>
  session.finish(await session.plan(project.path(file), use), warn)

/** Finishes one image of a build. */
async function made(options: Options, file = PHOTO, use?: ImageUse): Promise<FinishedImage> {
  const session = open(options)
  const image = await finish(session, file, use)
  await session.endBuild()
  return image
}

/** The report of a build with these images. */
async function reported(options: Options, ...names: readonly string[]): Promise<Report> {
  const session = open({ report: { json: 'report.json' }, ...options })
  for (const name of names) await finish(session, name)
  await session.endBuild()
  return JSON.parse(await project.readText('report.json')) as Report
}

const namesAndSizes: ModuleImages['place'] = async (_, __, image) => {
  const { name, data } = await image()
  return JSON.stringify(`${name} ${data.length}`)
}

/** The code of a module, with the names and sizes of images as their URLs. */
async function moduleOf(options: Options, query: string): Promise<string> {
  const session = open(options)
  const reference = { file: project.path(PHOTO), query: readQuery(query) }
  const code = await renderImport(session, reference, { onRequest: false, place: namesAndSizes }, warn)
  await session.endBuild()
  return code
}

const namesAtTop = async (): Promise<string[]> => (await project.list()).filter((file) => !file.includes('/'))

/** Options that mean nothing without a bundler. */
type InBundlers = 'dimensions' | 'publicDir' | 'concurrency'

/**
 * A trial of each option that is no operation. An option does not compile before it has one. Bundlers alone have public
 * folders, pages and threads: `test/vite/options.test.ts` has those.
 */
const TRIALS: Record<Exclude<keyof Options, keyof Operations | InBundlers>, () => Promise<void>> = {
  async root() {
    const session = open({ root: 'src', include: 'photo.png' })
    expect([PHOTO, 'photo.png'].map((file) => session.matches(project.path(file)))).toEqual([true, false])
    const report = await reported({ root: 'src', report: { json: '../report.json' } }, PHOTO)
    expect(report.images.map(({ source }) => source)).toEqual(['photo.png'])
  },

  async include() {
    const session = open({ include: 'src/ph*.png' })
    expect([PHOTO, SIGNED].map((file) => session.matches(project.path(file)))).toEqual([true, false])
  },

  async exclude() {
    const session = open({ exclude: '**/photo.*' })
    expect([PHOTO, SIGNED].map((file) => session.matches(project.path(file)))).toEqual([false, true])
  },

  async overrides() {
    const options = { overrides: [{ include: '**/photo.png', quality: 20, convert: { type: 'image/webp' } }] } as const
    const photograph = await made(options)
    expect(photograph.type).toBe('image/webp')
    expect(photograph.data.length).toBeLessThan((await made({ convert: { type: 'image/webp' } })).data.length)
    expect((await made(options, SIGNED)).type).toBe('image/jpeg')
  },

  async convertIcons() {
    const convert = { type: ['image/webp'] } as const
    const uses = ['content', 'icon', 'public'] as const
    const typesWith = async (options: Options): Promise<string[]> =>
      Promise.all(uses.map(async (use) => (await made({ convert, ...options }, PHOTO, use)).type))
    expect(await typesWith({})).toEqual(['image/webp', 'image/png', 'image/png'])
    expect(await typesWith({ convertIcons: true })).toEqual(['image/webp', 'image/webp', 'image/png'])
  },

  async presets() {
    expect(await moduleOf({ presets: { tiny: { w: 30 } } }, '?preset=tiny')).toContain('photo-30.png')
    await expect(moduleOf({}, '?preset=tiny')).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  },

  async defaultDirectives() {
    expect(await moduleOf({ defaultDirectives: { w: 30 } }, '?as=url')).toContain('photo-30.png')
    expect(await moduleOf({}, '?as=url')).not.toContain('photo-30.png')
  },

  async outputs() {
    const outputs = { count: (images: readonly unknown[]) => images.length }
    expect(await moduleOf({ outputs }, '?w=10;20&as=count')).toBe('export default 2;\n')
    expect(() => open({ outputs: { url: () => 1 } })).toThrow("'outputs.url'")
  },

  async namedExports() {
    expect(await moduleOf({}, '?w=30&as=img')).toContain('export const src =')
    const alone = await moduleOf({ namedExports: false }, '?w=30&as=img')
    expect(alone).toMatch(/export default/)
    expect(alone).not.toMatch(/export const/)
  },

  async compat() {
    // `quality=3` is a setting of the encoder there, and a score here.
    const query = '?format=jpg&quality=3&effort=4'
    expect(await moduleOf({ compat: 'imagetools' }, query)).not.toBe(await moduleOf({}, query))
  },

  async lqip() {
    expect(await moduleOf({ lqip: 'color' }, '?w=30&as=img')).toMatch(/data:image\/webp;base64,[\w+/=]{30,60}["'`]/)
    expect(await moduleOf({}, '?w=30&as=img')).not.toContain('data:')
  },

  async types() {
    await project.write('src/main.js', "import photo from './photo.png?w=30&as=img'\nexport { photo }\n")
    await made({ types: 'src/images.d.ts' })
    expect(await project.readText('src/images.d.ts')).toContain(
      "declare module '*?w=30&as=img' {\n  const value: { src: string;",
    )
  },

  async remoteImages() {
    const options = { remoteImages: ['https://images.example.com/photos/**'] }
    const urls = ['https://images.example.com/photos/a.jpg', 'https://images.example.com/icons/a.jpg']
    expect(urls.map((url) => open(options).remote.takes(url))).toEqual([true, false])
    expect(open({}).remote.takes(urls[0]!)).toBe(false)
  },

  async engine() {
    const service = await startImageService()
    try {
      await made({ engine: { endpoint: service.endpoint, key: 'test-key' } })
      expect(service.requests.length).toBeGreaterThan(0)
    } finally {
      await service.close()
    }
  },

  async store() {
    const bucket = await startGcsDouble('pictures', { secret: 'write', weak: 'read' })
    const { endpoint } = bucket
    const store = { service: 'gcs', gcp_access_token: 'secret', path: 'pictures', endpoint } as const
    try {
      const session = open({ store })
      const image = await finish(session, PHOTO)
      const url = await session.upload(image)
      await session.endBuild()
      expect(url).toMatch(`${endpoint}/pictures/`)
      expect(Buffer.from(await (await fetch(url!)).arrayBuffer()).equals(image.data)).toBe(true)
      const refused = open({ store: { ...store, gcp_access_token: 'weak' } })
      const other = await finish(refused, SIGNED)
      await expect(refused.upload(other)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    } finally {
      await bucket.close()
    }
    const local = open({})
    expect(await local.upload(await finish(local, PHOTO))).toBeUndefined()
  },

  async firstBuild() {
    const options = { effort: 'auto', convert: { type: 'image/webp' } } as const
    const report = await reported({ ...options, firstBuild: 1, cache: { dir: 'drafts' } }, PHOTO)
    expect(report.images).toMatchObject([{ draft: true }])
    expect((await project.readText('pixpress.lock')).split('"draft":true')).toHaveLength(2)
  },

  async cache() {
    const cache = { dir: 'images', maxSize: 10_000_000 }
    const none = { encoded: 2, cached: 0 }
    expect(await reported({ cache }, PHOTO, SIGNED)).toMatchObject({ totals: none })
    expect(await reported({ cache }, PHOTO, SIGNED)).toMatchObject({ totals: { encoded: 0, cached: 2 } })
    expect((await project.list('images')).length).toBeGreaterThan(1)
    for (let build = 0; build < 2; build++)
      expect(await reported({ cache: false }, PHOTO, SIGNED)).toMatchObject({ totals: none })
    expect(await project.list('.cache/pixpress')).toEqual([])
  },

  async lock() {
    await made({ lock: 'images.lock' })
    const locked = await project.readText('images.lock')
    expect(locked.trimEnd().split('\n')).toHaveLength(2)
    await project.write('images.lock', locked.replaceAll(/"key":"[0-9a-f]{8}/g, '"key":"00000000'))
    await made({ lock: false })
    expect(await project.readText('images.lock')).not.toBe(locked)
    await made({ lock: 'images.lock' })
    expect(await project.readText('images.lock')).toBe(locked)
    expect(await namesAtTop()).not.toContain('pixpress.lock')
  },

  async report() {
    const log = vi.mocked(console.log)
    await made({ report: { json: 'images.json', html: 'images.html' } })
    expect(await namesAtTop()).toEqual(expect.arrayContaining(['images.json', 'images.html']))
    expect(await project.readText('images.html')).toContain(PHOTO)
    expect(log.mock.calls.flat().join('\n')).toContain(PHOTO)
    log.mockClear()
    await made({ report: false })
    expect(log).not.toHaveBeenCalled()
  },

  async budgets() {
    const budgets = [{ include: PHOTO, image: '100 B' }]
    await made({ budgets })
    expect(vi.mocked(console.warn).mock.calls.flat().join('\n')).toContain(`${PHOTO} (`)
    await expect(made({ budgets, onError: 'error' })).rejects.toMatchObject({ code: 'OVER_BUDGET' })
    await expect(made({ budgets, onError: 'error' }, SIGNED)).resolves.toBeDefined()
  },

  async onError() {
    const { data } = await made({}, 'src/damaged.png')
    expect(files['src/damaged.png']!.equals(data)).toBe(true)
    expect(warnings).toEqual([expect.stringContaining('src/damaged.png')])
    await expect(made({ onError: 'error' }, 'src/damaged.png')).rejects.toMatchObject({ code: 'DECODE_FAILED' })
  },

  async limits() {
    const { failures } = await reported({ limits: { maxPixels: 2000 } }, PHOTO, 'src/drawing.svg')
    expect(failures.map(({ source, code }) => [source, code])).toEqual([[PHOTO, 'INPUT_TOO_LARGE']])
  },
}

describe('each option', () => {
  it.each(Object.entries(TRIALS))('%s does in a session what it says', (_, trial) => trial())
})

describe('each operation', () => {
  it.each(Object.keys(OPERATIONS) as (keyof Operations)[])('%s reaches the plan of an image', async (name) => {
    const { valid, effect } = OPTION_SAMPLES[name]
    const planWith = async (options: Options): Promise<string> =>
      (await open({ ...effect.beside, ...options }).plan(project.path(`src/${effect.of}`))).id
    expect(await planWith({ [name]: valid[0] })).not.toBe(await planWith({ [name]: valid[1] }))
  })
})

describe('a session', () => {
  it('gives the bytes of the operations that are asked for', async () => {
    const { data } = await made({ convert: { type: 'image/webp' }, maxWidth: 20 })
    expect(detect(Buffer.from(data))).toBe('webp')
    expect((await made({ maxWidth: 20 })).width).toBe(20)
  })
})
