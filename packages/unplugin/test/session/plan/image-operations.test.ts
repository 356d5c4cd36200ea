import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { decode, photo } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery } from '../../../src/directives/query.ts'
import { createSession } from '../../../src/session/index.ts'
import { createImageOptions } from '../../../src/session/plan/image-operations.ts'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { Options } from '../../../src/session/options/options.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const operations = (options: Options = {}) =>
  createImageOptions(resolvePluginOptions({ cache: false, ...options }, root))
const at = (name: string): string => path.join(root, name)

describe('an image whose type is only read', () => {
  it('stays as it is without `convert`, whatever else is asked of all images', () => {
    const { of } = operations({ maxWidth: 800, transform: { background: '#fff' } })
    expect(of(at('a.tif'), 'image/tiff', 'content').operations).toEqual({})
    expect(of(at('a.jpg'), 'image/jpeg', 'content').operations).toMatchObject({ maxWidth: 800 })
  })

  it('becomes what is asked for, and keeps its pixels where its type stays', () => {
    const { of } = operations({ maxWidth: 800, convert: { type: 'webp' } })
    expect(of(at('a.tif'), 'image/tiff', 'content').operations).toEqual({ maxWidth: 800, convert: { type: ['webp'] } })
    expect(of(at('a.tif'), 'image/tiff', 'public').operations).toEqual({})
  })
})

describe('`convert`', () => {
  it.each([
    ['content', true, true],
    ['icon', false, true],
    ['public', false, false],
    ['typed', false, false],
  ] as const)('of an image of a %s use: %s, with convertIcons: %s', (use, alone, withIcons) => {
    const { of } = operations({ maxWidth: 800, convert: { type: 'webp' } })
    const icons = operations({ maxWidth: 800, convert: { type: 'webp' }, convertIcons: true })
    const converted = { maxWidth: 800, convert: { type: ['webp'] } }
    const kept = { maxWidth: 800 }
    expect(of(at('a.jpg'), 'image/jpeg', use).operations).toEqual(alone ? converted : kept)
    expect(icons.of(at('a.jpg'), 'image/jpeg', use).operations).toEqual(withIcons ? converted : kept)
  })

  it('is overruled with `false`, for pictures in several formats too', () => {
    const { of, convertOf } = operations({ convert: 'auto', overrides: [{ include: 'raw/**', convert: false }] })
    expect(of(at('a.jpg'), 'image/jpeg', 'content').operations.convert).toBeDefined()
    expect(convertOf(at('a.jpg'))).toBe('auto')
    expect(of(at('raw/a.jpg'), 'image/jpeg', 'content').operations.convert).toBeUndefined()
    expect(convertOf(at('raw/a.jpg'))).toBe(false)
  })

  it("is 'auto' only where an override asks for it", () => {
    const { convertOf } = operations({ convert: { type: 'webp' }, overrides: [{ include: 'new/**', convert: 'auto' }] })
    expect(convertOf(at('new/a.jpg'))).toBe('auto')
    expect(convertOf(at('a.jpg'))).toEqual({ type: 'webp' })
  })

  it("gives an `as=picture` every format where it is 'auto', whatever browsers there are, and no other", async () => {
    const given = { overrides: [{ include: 'auto.png', convert: 'auto' }] } as const
    // A dev server, for which 'auto' stands for no format.
    const session = createSession(resolvePluginOptions({ cache: false, report: false, ...given }, root, [], true))
    for (const [name, types] of [['auto.png', 3], ['own.png', 1]] as const) {
      await writeFile(at(name), await photo(60, 40).png())
      const { images } = await session.planRequest(at(name), parseQuery('?w=30&as=picture'))
      expect(images).toHaveLength(types)
    }
  }) // prettier-ignore
})

describe('an image that a script gives to a reader that is not a browser', () => {
  const convert = { type: 'webp' } as const

  it.each<[string, Options, string, object]>([
    ['keeps its format', { convert, maxWidth: 800 }, 'a.jpg', { maxWidth: 800 }],
    ['is converted where an override says so', { convert, overrides: [{ include: 'a.*', convert }] }, 'a.jpg', { convert: { type: ['webp'] } }],
    ['keeps its format where another override has it', { convert, overrides: [{ include: 'b.*', convert }] }, 'a.jpg', {}],
    ['leaves others alone', { convert }, 'b.jpg', { convert: { type: ['webp'] } }],
  ])('%s', async (_, options, name, expected) => {
    await writeFile(at('pdf.ts'), `import 'jspdf'\nimport a from './a.jpg'`)
    await writeFile(at('a.jpg'), '')
    const { of, usual } = operations(options)
    expect(of(at(name), 'image/jpeg', 'content').operations).toEqual(expected)
    expect(usual(at(name))).toEqual(expected)
    await rm(at('pdf.ts'))
  }) // prettier-ignore

  it('is named by the report with the file that does so', async () => {
    await writeFile(at('pdf.ts'), `import 'jspdf'\nimport a from './a.jpg'`)
    await writeFile(at('a.jpg'), await photo(60, 40).jpeg())
    const json = at('report.json')
    const session = createSession(resolvePluginOptions({ cache: false, convert, report: { json } }, root))
    await session.finish(await session.plan(at('a.jpg')), () => {})
    await session.endBuild()
    const { images } = JSON.parse(await readFile(json, 'utf8')) as { images: { typeKept?: string }[] }
    expect(images[0]!.typeKept).toContain('pdf.ts')
    await rm(at('pdf.ts'))
  })
})

describe('overrides', () => {
  const options = {
    quality: 'balanced',
    convert: { type: 'webp' },
    overrides: [
      { include: 'textures/**', lossless: true },
      {
        include: ['**/hero.*', /poster/],
        exclude: 'textures/raw/**',
        quality: 95,
        convert: { type: ['avif', 'webp'] },
      },
    ],
  } as const satisfies Options

  it('overrule the operations of all images, the last that includes an image first', () => {
    const { of } = operations(options)
    const usual = { quality: 'balanced', convert: { type: ['webp'] } }
    expect(of(at('a.jpg'), 'image/jpeg', 'content').operations).toEqual(usual)
    expect(of(at('textures/a.jpg'), 'image/jpeg', 'content').operations).toEqual({ ...usual, lossless: true })
    const hero = { quality: 95, convert: { type: ['avif', 'webp'] } }
    expect(of(at('textures/hero.png'), 'image/png', 'content').operations).toEqual({ lossless: true, ...hero })
    expect(of(at('textures/raw/hero.png'), 'image/png', 'content').operations).toEqual({ ...usual, lossless: true })
    expect(of(at('poster.jpg'), 'image/jpeg', 'icon').operations).toEqual({ quality: 95 })
  })

  it('are what directives are added to', async () => {
    await writeFile(at('hero.png'), await photo(60, 40).png())
    const session = createSession(resolvePluginOptions({ cache: false, report: false, ...options }, root))
    const { images } = await session.planRequest(at('hero.png'), parseQuery('?w=30'))
    expect(images[0]!.plan!.operations).toMatchObject({ score: 95, types: ['image/avif', 'image/webp'] })
    const lossless = await session.planRequest(at('hero.png'), parseQuery('?lossless&format=webp'))
    expect(lossless.images[0]!.plan!.operations.lossless).toBe(true)
  })

  it.each([
    [{ overrides: {} }, /a list of objects for 'overrides'/],
    [{ overrides: [{ lossless: true }] }, /'overrides\[0\]\.include'/],
    [{ overrides: [{ include: '*', losless: true }] }, /'overrides\[0\]\.losless'.*Did you mean 'lossless'\?/],
    [{ overrides: [{ include: '*', quality: 0 }] }, /'overrides\[0\]\.quality'/],
  ])('are refused when the plugin is made: %j', (given, message) => {
    expect(() => operations(given as Options)).toThrow(message)
  })
})

describe('a texture of data', () => {
  it('keeps its width, whatever the widest may be', () => {
    const { of } = operations({ maxWidth: 800 })
    expect(of(at('wall-normal.png'), 'image/png', 'content').operations).toEqual({ lossless: true })
    expect(of(at('wall.png'), 'image/png', 'content').operations).toEqual({ maxWidth: 800 })
  })

  it.each([
    'wall-normal.png', 'wall_roughness_2k.png', 'Metal.metallic.png', 'height.png', 'terrain heightmap.png',
    'film-lut.png', 'brick_nor_gl.png', 'rock-ao.png',
  ])('is known by its name, and lossless: %s', (name) => {
    const found = operations({ convert: { type: 'webp' } }).of(at(name), 'image/png', 'content')
    const reason = 'Lossless, as it is named like a map of data.'
    expect(found).toEqual({ operations: { lossless: true }, reason, texture: 'name' })
  }) // prettier-ignore

  it.each(['normandy.png', 'solution.png', 'height-chart.png', 'absolute.png', 'photo.png', 'paored.png'])(
    'is not what is named otherwise: %s',
    (name) => {
      expect(operations().of(at(name), 'image/png', 'content')).toEqual({ operations: {} })
    },
  )

  it('is a PNG beside a model, and no other type', async () => {
    const { of } = operations()
    expect(of(at('photo.png'), 'image/png', 'public')).toEqual({ operations: {} })
    expect(of(at('photo.jpg'), 'image/jpeg', 'public')).toEqual({ operations: {} })
    await writeFile(at('scene.glb'), '')
    expect(of(at('photo.png'), 'image/png', 'content').reason).toContain('beside a model')
    await rm(at('scene.glb'))
  })

  it('is none where the options say so', () => {
    const { of } = operations({ overrides: [{ include: '**', lossless: false }] })
    expect(of(at('wall-normal.png'), 'image/png', 'public')).toEqual({ operations: { lossless: false } })
  })

  it('keeps its values, and the report says why', async () => {
    const file = at('wall-normal.png')
    await writeFile(file, await photo(60, 40).png())
    const json = at('report.json')
    const session = createSession(resolvePluginOptions({ cache: false, report: { json } }, root))
    const told: string[] = []
    const { data } = await session.finish(await session.plan(file), (message) => void told.push(message))
    await session.endBuild()
    expect(told).toEqual([])
    const [before, after] = await Promise.all([decode(await readFile(file)), decode(data)])
    expect(Buffer.compare(after.pixels, before.pixels)).toBe(0)
    expect(await readFile(json, 'utf8')).toContain('map of data')
  })
})
