import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createOptimizer } from '@pixpress/core'
import type { Progress, Report } from '@pixpress/core/report'
import { graphic, photo, failure, naming } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { Options } from '../../../src/session/options/options.ts'
import { createReportLog } from '../../../src/session/report/report-log.ts'
import { createSession } from '../../../src/session/index.ts'
import type { Session } from '../../../src/session/session.ts'

let root: string
let warned: string[]
let printed: string[]

const warn = (message: string): void => void warned.push(message)
const silent = (): void => undefined

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-log-')))
  await mkdir(path.join(root, 'src'))
  await writeFile(path.join(root, 'src/photo.jpg'), await photo(60, 40).jpeg())
  await writeFile(path.join(root, 'src/logo.png'), await graphic(40, 40).png())
  await writeFile(path.join(root, 'package.json'), '{}')
  warned = []
  printed = []
  vi.spyOn(console, 'log').mockImplementation((...text: unknown[]) => void printed.push(text.join(' ')))
  vi.stubEnv('PIXPRESS_REPORT', '')
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(root, { recursive: true, force: true })
})

const open = (options: Options = {}): Session => createSession(resolvePluginOptions(options, root))

async function finish(session: Session, ...files: string[]): Promise<void> {
  for (const file of files) await session.finish(await session.plan(path.join(root, file)), warn)
}

const readReport = async (file = 'report.json'): Promise<Report> =>
  JSON.parse(await readFile(path.join(root, file), 'utf8')) as Report

describe('report of a build', () => {
  it('is written as a page where asked, with the names of files that are alike', async () => {
    await writeFile(path.join(root, 'src/copy.png'), await readFile(path.join(root, 'src/logo.png')))
    const session = open({ report: { html: 'out/report.html', json: 'out/report.json' } })
    await finish(session, 'src/logo.png', 'src/copy.png')
    await session.endBuild()
    expect(await readFile(path.join(root, 'out/report.html'), 'utf8')).toContain('"beforeLink":"./../src/copy.png"')
    expect((await readReport('out/report.json')).images).toMatchObject([
      { source: 'src/copy.png', duplicates: ['src/logo.png'] },
    ])
    expect(() => open({ report: { html: '' } })).toThrow(failure('INVALID_OPTION', "'report.html'"))
  })

  it('names images that HTML shows without width and height, with the attributes to write', async () => {
    const session = open({ report: { json: 'report.json' } })
    await finish(session, 'src/photo.jpg', 'src/logo.png')
    await session.finish(
      await session.plan(path.join(root, 'src/logo.png'), 'content', { resize: { method: 'scale', width: 20 } }),
      warn,
    )
    for (const file of ['src/photo.jpg', 'src/logo.png', 'src/missing.png']) session.log.unsized(path.join(root, file))
    await session.endBuild()
    // The logo has two sizes, and any of them may be meant.
    expect(printed[0]).toEqual(naming('src/photo.jpg (width="60" height="40")'))
    expect(printed[0]).not.toContain('src/logo.png (')
    const { images } = await readReport()
    const notes = images.flatMap(({ source, notes: all }) =>
      all.filter((note) => note.includes('<img>')).map(() => source),
    )
    expect(notes).toEqual(['src/photo.jpg'])
  })

  it('is printed at once, and written where asked', async () => {
    const session = open({ report: { json: 'out/report.json' } })
    await finish(session, 'src/photo.jpg', 'src/logo.png')
    await session.endBuild()
    expect(printed).toHaveLength(1)
    const text = stripVTControlCharacters(printed[0]!).split('\n')
    expect(text[0]).toMatch(/^pixpress {2}2 images {2}\d/)
    expect(text.slice(1).map((line) => line.trim().split(' ')[0])).toEqual(
      expect.arrayContaining(['src/photo.jpg', 'src/logo.png', 'pixpress']),
    )
    const report = await readReport('out/report.json')
    const sizes = await Promise.all(
      ['src/logo.png', 'src/photo.jpg'].map(async (file) => (await readFile(path.join(root, file))).length),
    )
    expect(report.images.map(({ source, before, width, cached }) => [source, before, width, cached])).toEqual([
      ['src/logo.png', sizes[0], 40, false],
      ['src/photo.jpg', sizes[1], 60, false],
    ])
    expect(report.totals).toMatchObject({ images: 2, encoded: 2, cached: 0, failed: 0 })
    expect(report.totals.milliseconds).toBeGreaterThan(0)
  })

  it('is the same from a cold and a warm cache, but for the work', async () => {
    await writeFile(path.join(root, 'src/bad.png'), 'no image')
    await writeFile(path.join(root, 'src/copy.jpg'), await readFile(path.join(root, 'src/photo.jpg')))
    const cold = open({ report: { json: 'cold.json' } })
    await finish(cold, 'src/photo.jpg', 'src/logo.png', 'src/bad.png', 'src/copy.jpg', 'src/photo.jpg')
    await cold.endBuild()
    const warm = open({ report: { json: 'warm.json' } })
    await finish(warm, 'src/bad.png', 'src/logo.png', 'src/copy.jpg', 'src/photo.jpg')
    await warm.endBuild()

    const [first, second] = [await readReport('cold.json'), await readReport('warm.json')]
    expect(first.totals).toMatchObject({ images: 2, encoded: 2, cached: 0, failed: 1 })
    expect(second.totals).toMatchObject({ images: 2, encoded: 0, cached: 2, failed: 1 })
    expect(comparable(second)).toEqual(comparable(first))
    expect(first.images.map(({ source }) => source)).toEqual(['src/copy.jpg', 'src/logo.png'])

    expect(printed).toHaveLength(2)
    expect(stripVTControlCharacters(printed[1]!)).toEqual(naming('pixpress  2 images', '\npixpress  1 file'))
  })

  it('is whole when everything is asked for', async () => {
    for (const _ of ['cold', 'warm']) {
      const session = open()
      vi.stubEnv('PIXPRESS_REPORT', 'full')
      await finish(session, 'src/photo.jpg')
      await session.endBuild()
    }
    expect(printed[1]).toContain('src/photo.jpg')
  })

  it('has the work of each image that was worked on, and its sum for PIXPRESS_PROFILE', async () => {
    vi.stubEnv('PIXPRESS_PROFILE', '1')
    for (const json of ['cold.json', 'warm.json']) {
      const session = open({ report: { json } })
      // A repeat, which the cache answers, hides nothing.
      await finish(session, 'src/photo.jpg', 'src/photo.jpg')
      await session.endBuild()
    }
    const [cold, warm] = [await readReport('cold.json'), await readReport('warm.json')]
    expect(cold.images[0]?.work?.encodes['image/jpeg']).toBeGreaterThan(0)
    expect(warm.images[0]).not.toHaveProperty('work')
    expect(printed[1]).toMatch(/^pixpress {2}profile {2}1 worked on .*\n {2}\d+ encodes \(\d+ jpg\)/)
    expect(printed[3]).toMatch(/^pixpress {2}profile {2}0 worked on /)
  })

  it('starts anew with every build, and is left out when there is nothing', async () => {
    const session = open({ report: { json: 'report.json' } })
    await session.endBuild()
    expect(printed).toEqual([])
    await expect(readReport()).rejects.toMatchObject({ code: 'ENOENT' })
    await finish(session, 'src/photo.jpg')
    await session.endBuild()
    await finish(session, 'src/logo.png')
    await session.endBuild()
    await session.endBuild()
    expect(printed).toHaveLength(2)
    expect((await readReport()).images.map(({ source }) => source)).toEqual(['src/logo.png'])
  })

  it('is not printed when switched off', async () => {
    const session = open({ report: false })
    await finish(session, 'src/photo.jpg')
    await session.endBuild()
    expect(printed).toEqual([])
  })

  it('that cannot be written fails the build after everything else is done', async () => {
    const session = open({ report: { json: 'src' } })
    await finish(session, 'src/photo.jpg')
    await expect(session.endBuild()).rejects.toMatchObject({ code: 'IO_FAILED', file: path.join(root, 'src') })
    expect(printed).toHaveLength(1)
  })
})

describe('broken images', () => {
  it('are all named, however many references they have', async () => {
    await writeFile(path.join(root, 'src/a.png'), '')
    await writeFile(path.join(root, 'src/b.png'), '')
    const session = open({ report: { json: 'report.json' } })
    await finish(session, 'src/b.png', 'src/a.png', 'src/b.png')
    await session.endBuild()
    const message = 'The image is empty (0 bytes).'
    expect((await readReport()).failures).toEqual([
      { source: 'src/a.png', code: 'INPUT_MISSING', message },
      { source: 'src/b.png', code: 'INPUT_MISSING', message },
    ])
    expect(warned).toEqual([naming('src/b.png', message), naming('src/a.png', message)])
    expect(printed).toHaveLength(1)
    expect(stripVTControlCharacters(printed[0]!)).toEqual(naming('pixpress  2 broken images', '\n  src/a.png\n'))
  })

  it.skipIf(process.platform === 'win32')('cannot send escape sequences by their names', async () => {
    await writeFile(path.join(root, 'src/\u001B[2J.png'), '')
    const session = open()
    await finish(session, 'src/\u001B[2J.png')
    await session.endBuild()
    expect(warned).toEqual([naming(String.raw`src/\x1b[2J.png: `, '0 bytes')])
    expect(stripVTControlCharacters(printed[0]!)).toContain(String.raw`src/\x1b[2J.png`)
    expect(printed[0]).not.toContain('\u001B[2J')
  })

  it('are warned of again in the next build', async () => {
    await writeFile(path.join(root, 'src/a.png'), '')
    const session = open()
    await finish(session, 'src/a.png')
    await session.endBuild()
    await finish(session, 'src/a.png')
    expect(warned).toHaveLength(2)
  })
})

it('takes the progress line away before anything is printed', async () => {
  const order: string[] = []
  const progress: Progress = {
    isShown: false,
    expect: silent,
    begin: silent,
    end: silent,
    clear: () => void order.push('clear'),
    finish: () => void order.push('finish'),
  }
  vi.spyOn(console, 'warn').mockImplementation(() => void order.push('warning'))
  vi.spyOn(console, 'log').mockImplementation(() => void order.push('table'))
  const file = path.join(root, 'src/a.png')
  const { planBytes } = open()
  const log = createReportLog(resolvePluginOptions({}, root), progress)
  log.warning('The cache is full.')
  log.once('key', () => void order.push('once'))
  const planned = planBytes(file, new Uint8Array())
  log.failure(planned, planned.problem!)
  await log.end()
  expect(order).toEqual(['clear', 'warning', 'clear', 'once', 'finish', 'table'])
})

/** Two builds that take six seconds each, by this clock. */
async function twoBuilds(options: Options): Promise<string[]> {
  let now = 0
  const progress = { isShown: false, expect: silent, begin: silent, end: silent, clear: silent, finish: silent }
  const session = open()
  const planned = await session.plan(path.join(root, 'src/logo.png'))
  const result = await createOptimizer().optimize(planned.source)
  const log = createReportLog(resolvePluginOptions(options, root), progress, () => now)
  for (let build = 0; build < 2; build++) {
    log.image(planned, result)
    now += 6000
    await log.end()
  }
  return printed.map((text) => stripVTControlCharacters(text).replaceAll(/\s+/g, ' '))
}

describe('hint of a first build', () => {
  it('is printed once, with the folder to keep', async () => {
    const [first, second] = await twoBuilds({})
    expect(first).toContain(' .cache/pixpress.')
    expect(second).toMatch(/^pixpress 1 image 6\.0 s/)
    expect(second).not.toContain('The next run')
  })

  it('is not printed where nothing is kept, or no table', async () => {
    expect((await twoBuilds({ cache: false })).join()).not.toContain('The next run')
    printed = []
    expect(await twoBuilds({ report: false })).toEqual([])
  })
})

describe('warnings', () => {
  it('go to stderr without escape sequences', () => {
    const error = vi.spyOn(console, 'warn').mockImplementation(silent)
    open().log.warning('The cache \u001B[31mis full.')
    expect(error.mock.calls).toEqual([[String.raw`pixpress: The cache \x1b[31mis full.`]])
  })

  it('are given once per key and build', async () => {
    const { log } = open()
    const action = vi.fn<() => void>()
    log.once('a', action)
    log.once('a', action)
    log.once('b', action)
    expect(action).toHaveBeenCalledTimes(2)
    await log.end()
    log.once('a', action)
    expect(action).toHaveBeenCalledTimes(3)
  })
})

/** Gives what must not depend on the cache. */
function comparable({ images, totals, ...rest }: Report): unknown {
  const { encoded: _encoded, cached: _cached, milliseconds: _milliseconds, ...sums } = totals
  return { ...rest, totals: sums, images: images.map(({ cached: _fromCache, work: _work, ...image }) => image) }
}
