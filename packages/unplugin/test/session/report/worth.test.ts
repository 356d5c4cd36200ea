import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createMemoryCache, createOptimizer } from '@pixpress/core'
import { STEPS, reportImage } from '@pixpress/core/report'
import type { Report, ReportImage, Step } from '@pixpress/core/report'
import { photo } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseQuery } from '../../../src/directives/query.ts'
import { createSession } from '../../../src/session/index.ts'
import { createImageOptions } from '../../../src/session/plan/image-operations.ts'
import type { ImageUse } from '../../../src/references/types.ts'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { Options, ResolvedOptions } from '../../../src/session/options/options.ts'
import { readSetting } from '../../../src/session/report/wanted.ts'
import { createWorthFinder } from '../../../src/session/report/worth.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-worth-')))
  await writeFile(path.join(root, 'package.json'), '{}')
  await writeFile(path.join(root, 'large.png'), await photo(320, 240, 3).png())
  await writeFile(path.join(root, 'small.png'), await photo(96, 72, 4).png())
})
afterEach(() => rm(root, { recursive: true, force: true }))

const warn = (): void => undefined

/** A build that has these files. */
async function build(options: Options, ...files: string[]): Promise<Report> {
  const session = createSession(
    resolvePluginOptions({ cache: { dir: 'cache' }, report: { json: 'report.json' }, ...options }, root),
  )
  for (const file of files) await session.finish(await session.plan(path.join(root, file)), warn)
  await session.endBuild()
  return JSON.parse(await readFile(path.join(root, 'report.json'), 'utf8')) as Report
}

const bytesOf = ({ images }: Report, source: string): number => images.find((each) => each.source === source)!.after

describe('the step that is worth most', () => {
  /** Holds what each line of the options that a step names has to change. A step that is not here fails. */
  const CHANGES: Readonly<Partial<Record<Step, (options: ResolvedOptions) => boolean>>> = {
    'convert-auto': ({ isAuto, operations }) => isAuto && operations.convert !== undefined,
    'effort-max': ({ operations }) => operations.effort === 'max',
  }
  const named = (Object.keys(STEPS) as Step[]).filter((step) => STEPS[step].reader === 'options')

  it.each(named)('names for %s a line that the options take, and that changes what it should', (step) => {
    const { setting } = STEPS[step]
    const changes = CHANGES[step]!
    expect(changes(resolvePluginOptions({}, root))).toBe(false)
    expect(changes(readSetting(setting, root))).toBe(true)
    // Pasted into a configuration, the line means the same.
    const pasted = new Function(`return { ${setting} }`)() as Options
    expect(changes(resolvePluginOptions(pasted, root))).toBe(true)
  })

  it('refuses a line that the options do not take', () => {
    expect(() => readSetting("convert: 'automatic'", root)).toThrow("'convert'")
    expect(() => readSetting("konvert: 'auto'", root)).toThrow("'konvert'")
  })

  it('does not count images whose type a directive names, be it their own', async () => {
    await build({ convert: 'auto' }, 'large.png')
    const session = createSession(
      resolvePluginOptions({ cache: { dir: 'cache' }, report: { json: 'report.json' } }, root),
    )
    const query = parseQuery('?format=avif;png&as=picture')
    const { images } = await session.planRequest(path.join(root, 'large.png'), query)
    for (const image of images) await session.finish(image, warn)
    await session.endBuild()
    const report = JSON.parse(await readFile(path.join(root, 'report.json'), 'utf8')) as Report
    expect(report.images.map(({ type }) => type).toSorted()).toEqual(['image/avif', 'image/png'])
    expect(report).not.toHaveProperty('worth')
  })

  it('is nothing that nobody has computed', async () => {
    expect(await build({}, 'large.png', 'small.png')).not.toHaveProperty('worth')
    expect(await build({}, 'large.png', 'small.png')).not.toHaveProperty('worth')
  })

  it('saves what it says, once it is done', async () => {
    const before = await build({ convert: 'auto' }, 'large.png')
    const { worth, images } = await build({}, 'large.png', 'small.png')
    expect(worth).toMatchObject({ step: 'convert-auto', setting: "convert: 'auto'", images: 1, of: 2 })
    expect(worth!.saves).toBe(bytesOf({ images } as Report, 'large.png') - bytesOf(before, 'large.png'))
    // Whoever has it is not told of it.
    expect(await build({ convert: 'auto' }, 'large.png', 'small.png')).not.toHaveProperty('worth')
    const all = await build({}, 'large.png', 'small.png')
    expect(all.worth).toMatchObject({ images: 2, of: 2 })
    // The other type of each stands with it, and comes to the same.
    for (const image of all.images) expect(image.wouldBe!.bytes).toBeLessThan(image.after)
    expect(all.images.reduce((sum, { after, wouldBe }) => sum + after - wouldBe!.bytes, 0)).toBe(all.worth!.saves)
    expect(images.map(({ source, wouldBe }) => [source, wouldBe?.type])).toEqual([
      ['large.png', 'image/avif'],
      ['small.png', undefined],
    ])
  })

  it('is the thorough effort where that was tried', async () => {
    await writeFile(path.join(root, 'photo.jpg'), await photo(640, 480, 5).jpeg(97))
    const [most] = (await build({ effort: 'max' }, 'photo.jpg')).images
    const { worth, images } = await build({ effort: 'fast' }, 'photo.jpg')
    expect(worth).toMatchObject({ step: 'effort-max', setting: "effort: 'max'", images: 1, of: 1 })
    expect(worth!.saves).toBe(images[0]!.after - most!.after)
  })
})

const file = (): string => path.join(root, 'large.png')

/**
 * Images that were encoded, and those that the step was computed for.
 * @param share how much the other images of the build took, as a multiple of this one
 */
async function tried(
  options: Options,
  share: number,
  { use = 'content', targets = ['chrome120'] }: { use?: ImageUse; targets?: readonly string[] } = {},
): Promise<{ readonly encoded: number; readonly images: number | undefined }> {
  const resolved = resolvePluginOptions(options, root)
  const optimizer = createOptimizer({ cache: createMemoryCache() })
  const asked = createImageOptions(resolved)
  const source = await readFile(file())
  const result = await optimizer.optimize(source, asked.of(file(), 'image/png', use).operations)
  const image = reportImage('large.png', result)
  const other: ReportImage = {
    ...image,
    source: 'other.png',
    after: 1,
    work: {
      ...image.work!,
      milliseconds: { ...image.work!.milliseconds, total: image.work!.milliseconds.total * share },
    },
  }
  const recipes = new Map([['one', { file: file(), use, extra: undefined }]])
  const find = createWorthFinder({ options: resolved, optimizer, asked, recipes, targets })
  const { worth } = await find(
    new Map([
      ['one', image],
      ['other', other],
    ]),
  )
  const { encoded } = optimizer.stats
  await optimizer.close()
  return { encoded, images: worth?.images }
}

const NONE = { encoded: 1, images: undefined }

describe('a trial', () => {
  it('is made where it takes at most 2 % of what the build took', async () => {
    expect(await tried({}, 200)).toEqual({ encoded: 2, images: 1 })
    expect(await tried({}, 20)).toEqual(NONE)
  })

  it("is made in the formats that the project's browsers support, and where the step would convert", async () => {
    expect(await tried({}, 200, { targets: ['chrome80'] })).toEqual({ encoded: 2, images: 1 })
    expect(await tried({}, 200, { targets: ['ie11'] })).toEqual(NONE)
    for (const use of ['icon', 'typed', 'public'] as const) expect(await tried({}, 200, { use })).toEqual(NONE)
  })

  it('saves nothing in an image that would not be smaller', async () => {
    const resolved = resolvePluginOptions({}, root)
    const optimizer = createOptimizer({ cache: createMemoryCache() })
    const asked = createImageOptions(resolved)
    const source = await readFile(file())
    const webp = await optimizer.optimize(source, { convert: { type: ['image/webp'] } })
    const own = reportImage('large.png', await optimizer.optimize(source, {}))
    const recipes = new Map(
      ['one', 'two'].map((id) => [id, { file: file(), use: 'content' as const, extra: undefined }]),
    )
    const find = createWorthFinder({ options: resolved, optimizer, asked, recipes, targets: ['chrome80'] })
    const [large, small] = [webp.info.size + 5000, webp.info.size - 300]
    const { worth, others } = await find(
      new Map([
        ['one', { ...own, after: large }],
        ['two', { ...own, after: small }],
      ]),
    )
    await optimizer.close()
    expect(worth!.saves).toBe(5000)
    expect([...others]).toEqual([['one', { type: 'image/webp', bytes: webp.info.size }]])
  })

  it('is not made where nothing may be kept of it', async () => {
    expect(await tried({ cache: { mode: 'read' } }, 200)).toEqual(NONE)
    // A folder with a name may be committed.
    expect(await tried({ cache: { dir: 'cache' } }, 200)).toEqual(NONE)
    expect(await tried({ cache: false }, 200)).toEqual(NONE)
  })
})
