import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo, failure } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readQuery } from '../../src/modules/reference.ts'
import { renderAsImports, renderImport } from '../../src/modules/render-import.ts'
import type { OutputImage } from '../../src/directives/custom-output.ts'
import type { ModuleImages } from '../../src/modules/render-import.ts'
import { openSession } from '../../src/session/registry.ts'
import type { Session } from '../../src/session/session.ts'

let root: string
let session: Session
let file: string

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-module-'))
  file = path.join(root, 'photo.png')
  await writeFile(file, await photo(160, 120).png())
  session = openSession({ convert: { type: 'image/webp' }, cache: false, report: false }, root)
})

afterAll(() => rm(root, { recursive: true, force: true }))

const warn = (): void => undefined
const emitted: ModuleImages['place'] = async (_, __, finish) => `url(${JSON.stringify((await finish()).name)})`
const served: ModuleImages['place'] = ({ stem }, index) => JSON.stringify(`/${stem}/${index}`)

const render = (query: string, by: Session = session): Promise<string> =>
  renderImport(by, { file, query: readQuery(query) }, { onRequest: true, place: served }, warn)

const load = (code: string): Promise<Record<string, unknown>> =>
  import(`data:text/javascript,${encodeURIComponent(code)}`) as Promise<Record<string, unknown>>

describe('renderImport in a build', () => {
  it.each([
    ['', 'export default url("photo.webp")\n'],
    ['?original', 'export default url("photo.png")\n'],
    ['?w=20', 'export default url("photo-20.webp");\n'],
    ['?w=10;20', 'export default [url("photo-10.png"), url("photo-20.webp")];\n'],
  ])('answers %j with the URLs of finished images', async (query, expected) => {
    const reference = { file, query: readQuery(query) }
    expect(await renderImport(session, reference, { onRequest: false, place: emitted }, warn)).toBe(expected)
  })
})

describe('renderImport in a dev server', () => {
  it('encodes nothing that is not needed', async () => {
    const lazy = openSession({ cache: false, report: false, limits: { maxPixels: 1 } }, root)
    expect(await render('', lazy)).toBe('export default "/photo/0"\n')
    expect(await render('?w=10;20&as=srcset')).toBe('export default "/photo-10/0 10w, /photo-20/1 20w";\n')
    expect(await render('?original')).toBe('export default "/photo/0"\n')
  })

  it('gives what an output of the project makes of the images', async () => {
    const outputs = {
      list: (images: readonly OutputImage[]) => images.map(({ src, width, space }) => [src, width, space]),
    }
    const own = openSession({ cache: false, report: false, outputs }, root)
    expect(await render('?w=10;20&as=list', own)).toBe(
      'export default [["/photo-10/0", 10, "srgb"], ["/photo-20/1", 20, "srgb"]];\n',
    )
    await expect(render('?w=10&as=list')).rejects.toThrow(failure('INVALID_OPTION', "'as'", "'list'"))
  })

  it('gives the sources of media before those of all others', async () => {
    const presets = {
      hero: [
        { media: '(max-width: 600px)', aspect: '1:1', w: [8, 16], format: ['webp', 'png'] },
        { w: 20, format: ['webp', 'png'] },
      ],
    } as const
    const own = openSession({ cache: false, report: false, presets }, root)
    const { media, sources, img } = await load(await render('?preset=hero', own))
    const square = { media: '(max-width: 600px)', w: 16, h: 16 }
    expect(media).toEqual([
      { ...square, type: 'image/webp', srcset: '/photo-8/0 8w, /photo-16/2 16w' },
      { ...square, type: 'image/png', srcset: '/photo-8/1 8w, /photo-16/3 16w' },
    ])
    expect([sources, img]).toEqual([{ webp: '/photo-20/4 20w' }, { src: '/photo-20/5', w: 20, h: 15 }])
  })

  it('says once where crops may be meant otherwise', async () => {
    const said: string[] = []
    const own = openSession({ cache: false, report: false, quality: 61 }, root)
    for (const query of ['?w=10&h=10', '?w=20&h=10']) {
      const images = { onRequest: true, place: served }
      await renderImport(own, { file, query: readQuery(query) }, images, (message) => said.push(message))
    }
    expect(said).toEqual([expect.stringContaining('photo.png')])
  })

  it('encodes where the module holds the number of bytes', async () => {
    expect(await render('?w=20&as=metadata')).toMatch(/size = \d+;[^]*space = "srgb";\nexport const channels = 3;/)
  })

  it('knows sizes and types beforehand', async () => {
    const code = await render('?w=16;32&format=avif;webp&as=picture')
    expect(code).toContain('img = { src: "/photo-32/3", w: 32, h: 24 }')
    expect(code).toMatch(/avif: "[^"]+", webp: "[^"]+"/)
  })
})

const placeholderOf = (code: string): unknown => /placeholder = "([^"]+)"/.exec(code)?.[1]

describe('the placeholder of an import', () => {
  it.each(['?w=16;32&as=img', '?w=32&as=metadata', '?w=16;32&format=avif;webp&as=picture'])(
    'is the same in a dev server as in a build: %s',
    async (query) => {
      const reference = { file, query: readQuery(`${query}&lqip=thumbhash`) }
      const built = await renderImport(session, reference, { onRequest: false, place: emitted }, warn)
      const shown = await render(`${query}&lqip=thumbhash`, openSession({ cache: false, report: false }, root))
      expect(placeholderOf(built)).toMatch(/^data:image\/webp;base64,/)
      expect(placeholderOf(shown)).toBe(placeholderOf(built))
    },
  )

  it("is the plugin's in img and picture, and that of a broken image is nothing to see", async () => {
    const usual = openSession({ cache: false, report: false, lqip: 'color' }, root)
    expect(await render('?w=32&as=img', usual)).toContain('color = "#')
    expect(await render('?w=32&as=img&lqip=none', usual)).not.toContain('color = "#')
    const broken = path.join(root, 'broken.jpg')
    await writeFile(broken, 'no image')
    const reference = { file: broken, query: readQuery('?as=img') }
    const code = await renderImport(usual, reference, { onRequest: false, place: emitted }, warn)
    expect(placeholderOf(code)).toMatch(/^data:image\/gif/)
  })
})

describe('renderAsImports', () => {
  it('imports each image that the module names, and no other', async () => {
    const request = await session.planRequest(file, readQuery('?w=8;16&format=webp;png&as=picture'))
    const asked: number[] = []
    const place: ModuleImages['place'] = (_, index) => `./${asked[asked.push(index) - 1]}.js`
    const code = await renderAsImports(session, request, { onRequest: true, place }, warn)
    expect([...code.matchAll(/import _(\d) from "\.\/(\d)\.js";/g)].map((match) => [match[1], match[2]])).toEqual(
      asked.map((index) => [String(index), String(index)]),
    )
    const used = [0, 1, 2, 3].filter((index) => code.split('export')[1]!.length > 0 && code.includes(`_${index}`))
    expect(asked).toEqual(used)
    const metadata = await session.planRequest(file, readQuery('?w=8&as=metadata:width'))
    expect(await renderAsImports(session, metadata, { onRequest: true, place }, warn)).not.toContain('import')
  })
})
