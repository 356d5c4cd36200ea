import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo, failure, naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/directives/query.ts'
import { resolvePluginOptions } from '../../src/session/options/resolve.ts'
import { createSession } from '../../src/session/index.ts'
import type { Session } from '../../src/session/session.ts'

let root: string
let session: Session
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  session = createSession(resolvePluginOptions({ report: { json: 'report.json' }, cache: { dir: 'cache' } }, root))
  await writeFile(path.join(root, 'broken.png'), 'no image')
  await writeFile(
    path.join(root, 'a.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- a --></svg>',
  )
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** Those of the engine's tests. */
const FIXTURES: URL = new URL('../../../core/test/fixtures/', import.meta.url)

const hasReport = async (): Promise<boolean> => {
  const report = path.join(root, 'report.json')
  const found = await readFile(report).then(
    () => true,
    () => false,
  )
  await rm(report, { force: true })
  return found
}
const warnings: string[] = []
const warn = (message: string): void => void warnings.push(message)
const work = async (): Promise<unknown> => session.finish(await session.plan(path.join(root, 'a.svg')), warn)

describe('joinBuilds', () => {
  it('holds the report back until the last of the builds has ended', async () => {
    session.joinBuilds(2)
    await work()
    await session.endBuild()
    expect(await hasReport()).toBe(false)
    await session.endBuild()
    expect(await hasReport()).toBe(true)
    await work()
    await session.endBuild()
    expect(await hasReport()).toBe(true)
  })

  it('holds it back until it is told otherwise', async () => {
    session.joinBuilds(Infinity)
    await work()
    await session.endBuild()
    expect(await hasReport()).toBe(false)
    session.joinBuilds(0)
    await session.endBuild()
    expect(await hasReport()).toBe(true)
  })
})

describe('a broken image with directives', () => {
  it('is kept for every image that is asked for', async () => {
    const file = path.join(root, 'broken.png')
    const { request, images } = await session.planRequest(file, parseQuery('?w=20;40&format=webp&as=picture'))
    expect(request.variants).toHaveLength(2)
    const finished = await Promise.all(images.map((image) => session.finish(image, warn)))
    expect(finished.map(({ data, name }) => [Buffer.from(data).toString(), name])).toEqual([
      ['no image', 'broken.png'],
      ['no image', 'broken.png'],
    ])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('broken.png')
  })

  it('still has its directives checked', async () => {
    const file = path.join(root, 'broken.png')
    await expect(session.planRequest(file, parseQuery('?w=0'))).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})

describe('the size that is told before the work', () => {
  it.each([
    ['an object that stands free', () => readFile(new URL('cutouts/transparent/emoji3d-1f4f7.webp', FIXTURES)), 600],
    ['anything else', () => photo(90, 60, 1).webp(), 60],
  ])('is that of a thumb beyond the source, of %s', async (_, load, expected) => {
    const file = path.join(root, 'object.webp')
    await writeFile(file, await load())
    const { images } = await session.planRequest(file, parseQuery('?w=600&h=600&method=thumb'))
    const told = await session.expect(images[0]!)
    expect(told).toEqual({ width: expected, height: expected, type: 'image/webp' })
    expect(await session.finish(images[0]!, warn)).toMatchObject(told)
  })
})

describe('w=auto', () => {
  it('has the same widths at every asking, in every format, and one where there is nothing to measure', async () => {
    const file = path.join(root, 'auto.jpg')
    await writeFile(file, await photo(700, 500, 4).jpeg())
    const asked = parseQuery('?w=auto&format=avif;jpg&as=picture')
    const widthsOf = async (source: string): Promise<(number | undefined)[]> =>
      (await session.planRequest(path.join(root, source), asked)).request.variants.map(({ width }) => width)
    const widths = await widthsOf('auto.jpg')
    expect(await widthsOf('auto.jpg')).toEqual(widths)
    const half = widths.length / 2
    expect(half).toBeGreaterThan(2)
    expect([...new Set(widths)]).toHaveLength(half)
    expect(Math.max(...widths.map(Number))).toBe(700)
    expect((await session.planRequest(path.join(root, 'broken.png'), asked)).request.variants).toHaveLength(2)
    expect((await session.planRequest(path.join(root, 'a.svg'), parseQuery('?w=auto&as=img'))).images).toHaveLength(1)
  })

  it('has the widths that an audit saw, of the images that it saw', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
    const own = createSession(resolvePluginOptions({ report: false, cache: false }, folder))
    const widthsOf = async (name: string, of: Session): Promise<(number | undefined)[]> =>
      (await of.planRequest(path.join(folder, name), parseQuery('?w=auto&as=img'))).request.variants.map(
        ({ width }) => width,
      )
    try {
      for (const name of ['seen.jpg', 'other.jpg'])
        await writeFile(path.join(folder, name), await photo(700, 500, 4).jpeg())
      const images = { 'seen.jpg': { widths: [111, 222, 9999] } }
      await writeFile(path.join(folder, 'pixpress.audit.json'), JSON.stringify({ version: 1, images }))
      expect(await widthsOf('seen.jpg', own)).toEqual([111, 222, 700])
      expect(await widthsOf('other.jpg', own)).not.toContain(111)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('is refused where the number of images decides the shape', async () => {
    const file = path.join(root, 'auto.jpg')
    await writeFile(file, await photo(32, 24, 4).jpeg())
    for (const query of ['?w=auto', '?w=auto&as=metadata']) {
      await expect(session.planRequest(file, parseQuery(query))).rejects.toThrow(
        failure('INVALID_OPTION', "'as=srcset'", "'as=img'", "'as=picture'"),
      )
    }
  })
})

describe('JPEG XL', () => {
  it('is made where a query names it, and read like any other source', async () => {
    const file = path.join(root, 'a.jxl')
    await writeFile(file, await readFile(new URL('jxl/container.jxl', FIXTURES)))
    const { images } = await session.planRequest(file, parseQuery('?w=80&format=jxl;webp'))
    const finished = await Promise.all(images.map((image) => session.finish(image, warn)))
    expect(finished.map(({ type, width, name }) => [type, width, path.extname(name)])).toEqual([
      ['image/jxl', 80, '.jxl'],
      ['image/webp', 80, '.webp'],
    ])
  })

  it("is made where the plugin's options name it", async () => {
    const converting = createSession(
      resolvePluginOptions({ report: false, cache: false, convert: { type: 'image/jxl' } }, root),
    )
    const file = path.join(root, 'b.jpg')
    await writeFile(file, await readFile(new URL('metadata/irb-only.jpg', FIXTURES)))
    const { type, name } = await converting.finish(await converting.plan(file), warn)
    expect([type, name]).toEqual(['image/jxl', 'b.jxl'])
  })
})

describe('a build that reads its sources elsewhere', () => {
  it('finds images that are nowhere on the disk, while the session itself goes on reading the disk', async () => {
    const bytes = await photo(32, 24).png()
    const file = path.join(root, 'nowhere', 'a.png')
    const read: string[] = []
    const readSource = async (asked: string): Promise<Buffer> => (read.push(asked), bytes)
    const view = session.withFiles({ ...session.files, readFile: readSource })
    const planned = await view.plan(file)
    expect(await view.planned(planned.id)).toMatchObject({ id: planned.id })
    expect((await view.original(file)).data).toBe(bytes)
    expect((await view.planRequest(file, parseQuery('?w=8'))).source).toMatchObject({ width: 32, height: 24 })
    expect(read).toEqual([file, file, file, file])
    await expect(session.plan(file)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(view.log).toBe(session.log)
  })
})

it('writes finished images and untouched ones to files that lead back to the source', async () => {
  const file = path.join(root, 'a.svg')
  const written = await session.writeToFile(await session.finish(await session.plan(file), warn))
  const untouched = await session.writeToFile(await session.original(file))
  expect(untouched).not.toBe(written)
  expect(await readFile(untouched)).toEqual(await readFile(file))
  expect((await readFile(written)).length).toBeLessThan((await readFile(file)).length)
  expect([session.sourceOf(written), session.sourceOf(untouched)]).toEqual([file, file])
  expect([session.matches(written), session.matches(file)]).toEqual([false, true])
})

it("hands the project's configuration of svgo on to an SVG, and no other operation", async () => {
  const configured = createSession(
    resolvePluginOptions(
      { svgo: { floatPrecision: 2 }, convert: { type: 'image/webp' }, cache: false, report: false },
      root,
    ),
  )
  const { plan } = await configured.plan(path.join(root, 'a.svg'))
  expect(plan).toMatchObject({ types: ['image/svg+xml'], operations: { types: null, svgo: { floatPrecision: 2 } } })
  expect((await session.plan(path.join(root, 'a.svg'))).plan!.operations).not.toHaveProperty('svgo')
})

/** Gives what a build makes of an image that takes long, or its error. */
const built = async (options: object): Promise<unknown> => {
  await writeFile(path.join(root, 'slow.jpg'), await photo(900, 700).jpeg(97))
  const timed = createSession(
    resolvePluginOptions({ report: false, cache: false, limits: { timeout: 1 }, ...options }, root),
  )
  const made = timed.finish(await timed.plan(path.join(root, 'slow.jpg')), warn)
  return made.then(
    ({ data }) => data.length,
    (error: Error & { code: string }) => `${error.code}: ${error.message}`,
  )
}

describe('an image whose time is up', () => {
  it('fails the build, and is kept where that is asked for', async () => {
    const sentence =
      'slow.jpg: The image took longer than the limit of 1 ms: raise limits.timeout, lower effort, or exclude it.'
    expect(await built({})).toBe(`TIMEOUT: ${sentence}`)
    warnings.length = 0
    expect(await built({ onError: 'warn' })).toBe((await readFile(path.join(root, 'slow.jpg'))).length)
    expect(warnings).toEqual([naming(sentence)])
  })
})
