import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Report } from '@pixpress/core/report'
import { photo, naming } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseQuery } from '../../../src/directives/query.ts'
import type { ReplacedTool } from '../../../src/session/report/baselines.ts'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { Options } from '../../../src/session/options/options.ts'
import { createSession } from '../../../src/session/index.ts'
import type { Session } from '../../../src/session/session.ts'

let root: string
let printed: string[]
let asked: number

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-baselines-')))
  await writeFile(path.join(root, 'photo.png'), await photo(80, 60).png())
  await writeFile(path.join(root, 'package.json'), '{}')
  printed = []
  asked = 0
  for (const channel of ['log', 'warn'] as const)
    vi.spyOn(console, channel).mockImplementation((...text: unknown[]) => void printed.push(text.join(' ')))
})

afterEach(async () => {
  vi.restoreAllMocks()
  await rm(root, { recursive: true, force: true })
})

/** Another tool, which writes JPEG. */
const other = (quality: number): ReplacedTool => ({
  tool: 'Other',
  request: () => `jpeg ${quality}`,
  async make() {
    asked++
    return { data: await photo(80, 60).jpeg(quality), lossless: await readFile(path.join(root, 'photo.png')) }
  },
})

async function run(report: NonNullable<Options['report']>, ...tools: ReplacedTool[]): Promise<Report> {
  const session: Session = createSession(resolvePluginOptions({ report, cache: { dir: 'cache' } }, root))
  const planned = await session.plan(path.join(root, 'photo.png'), 'typed', { convert: { type: 'image/webp' } })
  await session.finish(planned, () => {})
  for (const tool of tools) {
    if (session.baselines.isWanted) await session.baselines.measure(planned, tool)
    else session.baselines.replaces(tool.tool)
  }
  await session.endBuild()
  return JSON.parse(await readFile(path.join(root, 'report.json'), 'utf8')) as Report
}

describe('baselines', () => {
  it("are in the report with the tool's bytes, its score, and whether it keeps the image's promise", async () => {
    const { images, baseline } = await run({ json: 'report.json', baseline: true }, other(30))
    const size = (await other(30).make()).data.length
    expect(images).toMatchObject([
      { promise: 80, baseline: { tool: 'Other', type: 'image/jpeg', size, keepsPromise: false } },
    ])
    expect(images[0]!.baseline!.score).toBeLessThan(80)
    expect(baseline).toMatchObject({ tools: ['Other'], images: 1, size, belowPromise: 1, larger: 0 })
    expect(printed.join('\n')).toContain('Other')
  })

  it('are those of the smallest request where several lead to one image, and are made once', async () => {
    const options = { json: 'report.json', baseline: true }
    const first = await run(options, other(90), other(30))
    expect(asked).toBe(2)
    const again = await run(options, other(30), other(90))
    expect([asked, again.images[0]!.baseline]).toEqual([2, first.images[0]!.baseline])
  })

  it('cost nothing where they are not asked for, and the report says what its figures are compared with', async () => {
    const { images, baseline } = await run({ json: 'report.json' }, other(30))
    expect([asked, images[0]!.baseline, baseline]).toEqual([0, undefined, undefined])
    expect(printed.join('\n')).toContain('with the sources')
    printed = []
    await run({ json: 'report.json' })
    expect(printed.join('\n')).not.toContain('with the sources')
  })

  it('are left out with a warning where the tool fails', async () => {
    const failing = { ...other(1), make: () => Promise.reject(new Error('no such encoder')) }
    const { images } = await run({ json: 'report.json', baseline: true }, failing)
    expect(images[0]!.baseline).toBeUndefined()
    expect(printed.join('\n')).toEqual(naming('photo.png', 'Other', 'such'))
  })
})

describe('trial', () => {
  it('makes an image that is no part of the build until it is finished, which then counts as encoded', async () => {
    const session = createSession(
      resolvePluginOptions({ report: { json: 'report.json' }, cache: { dir: 'cache' } }, root),
    )
    const file = path.join(root, 'photo.png')
    const planned = await session.plan(file, 'typed', { convert: { type: 'image/webp' } })
    const unused = await session.plan(file, 'typed', { convert: { type: 'image/jpeg' } })
    const [tried] = await Promise.all([planned, unused].map((each) => session.trial(each, () => {})))
    const { data } = await session.finish(planned, () => {})
    expect(Buffer.compare(data, tried!.data)).toBe(0)
    await session.endBuild()
    const { images } = JSON.parse(await readFile(path.join(root, 'report.json'), 'utf8')) as Report
    expect(images).toMatchObject([{ type: 'image/webp', cached: false }])
    expect(images[0]!.work!.milliseconds.total).toBeGreaterThan(0)
  })
})

describe("compat: 'imagetools'", () => {
  it('is compared with what sharp writes of a size and a type, where an import asks for no more', async () => {
    const report = { json: 'report.json', baseline: true }
    // A relative folder would be where the tests were started, as vite-imagetools reads it.
    const cache = { dir: path.join(root, 'cache') }
    const session = createSession(resolvePluginOptions({ compat: 'imagetools', report, cache }, root))
    const file = path.join(root, 'photo.png')
    for (const text of ['?w=40&format=jpeg', '?w=40&format=jpeg&quality=90', '?w=40&h=40&format=webp']) {
      const { images } = await session.planRequest(file, parseQuery(text))
      for (const image of images) await session.finish(image, () => {})
    }
    await session.endBuild()
    const { images, baseline } = JSON.parse(await readFile(path.join(root, 'report.json'), 'utf8')) as Report
    expect(images).toHaveLength(3)
    const compared = images.filter((image) => image.baseline !== undefined)
    expect(compared).toMatchObject([
      { type: 'image/jpeg', width: 40, baseline: { tool: 'vite-imagetools', type: 'image/jpeg' } },
    ])
    expect(baseline).toMatchObject({ tools: ['vite-imagetools'], images: 1, size: compared[0]!.baseline!.size })
    // A setting of an encoder makes no promise.
    const promises = images.map(({ type, promise }) => [type, promise])
    expect(promises).toEqual(
      expect.arrayContaining([
        ['image/webp', 80],
        ['image/jpeg', undefined],
        ['image/jpeg', 80],
      ]),
    )
  })

  it('is offered for comparison only where an image of the build can be compared', async () => {
    const cache = { dir: path.join(root, 'cache') }
    const file = path.join(root, 'photo.png')
    for (const [text, isOffered] of [
      ['?w=40&format=jpeg&quality=75', false],
      ['?w=40&format=jpeg', true],
    ] as const) {
      const session = createSession(resolvePluginOptions({ compat: 'imagetools', report: true, cache }, root))
      const { images } = await session.planRequest(file, parseQuery(text))
      for (const image of images) await session.finish(image, () => {})
      printed = []
      await session.endBuild()
      expect(printed.join('\n').includes('report: { baseline: true } measures that'), text).toBe(isOffered)
    }
  })
})
