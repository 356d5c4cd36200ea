import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { OptimizeResult } from '../../src/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReport, reportImage, writeReport } from '../../src/report/json.ts'
import { image, reportOf } from './images.ts'

describe('reportImage', () => {
  const result: OptimizeResult = {
    data: new Uint8Array(123),
    info: { type: 'image/avif', width: 320, height: 200, size: 123, frames: 1, hasAlpha: false },
    input: { type: 'image/jpeg', width: 640, height: 400, size: 1000, frames: 1, hasAlpha: false },
    key: 'a'.repeat(64),
    cached: true,
    kept: 'output',
    score: 80.123456,
    notes: ['A remark.'],
  }

  it('takes the figures of the result', () => {
    expect(reportImage('src/a.jpg', result)).toEqual({
      source: 'src/a.jpg',
      type: 'image/avif',
      inputType: 'image/jpeg',
      before: 1000,
      after: 123,
      ratio: 0.123,
      width: 320,
      height: 200,
      cached: true,
      kept: 'output',
      score: 80.12,
      notes: ['A remark.'],
    })
  })

  it('has no score where nothing was compared, and four decimals in the ratio', () => {
    const { score: _, ...unscored } = result
    const entry = reportImage('a.jpg', { ...unscored, kept: 'input', input: { ...result.input, size: 999 } })
    expect(entry).not.toHaveProperty('score')
    expect(entry).toMatchObject({ kept: 'input', ratio: 0.1231 })
  })

  it('has the promise beside the score, where there is one', () => {
    const { score: _, ...unscored } = result
    expect(reportImage('a.jpg', result, 70)).toMatchObject({ score: 80.12, promise: 70 })
    expect(reportImage('a.jpg', unscored, 70)).not.toHaveProperty('promise')
  })

  it('says why the input was kept', () => {
    expect(reportImage('a.jpg', { ...result, kept: 'input', reason: 'finished' })).toMatchObject({ reason: 'finished' })
    expect(reportImage('a.jpg', result)).not.toHaveProperty('reason')
  })
})

describe('createReport', () => {
  it('orders images by source, type, width and height, whatever order they were finished in', () => {
    const ordered = [
      image('B.jpg', 10, 5),
      image('a.jpg', 10, 5, { type: 'image/avif', width: 90 }),
      image('a.jpg', 10, 5, { type: 'image/avif', width: 320, height: 100 }),
      image('a.jpg', 10, 5, { type: 'image/avif', width: 320, height: 200 }),
      image('a.jpg', 10, 6, { type: 'image/avif', width: 320, height: 200 }),
      image('a.jpg', 10, 5, { type: 'image/webp', width: 20 }),
      image('é.jpg', 10, 5),
    ]
    expect(reportOf(ordered.toReversed()).images).toEqual(ordered)
    expect(reportOf([3, 6, 0, 5, 2, 4, 1].map((index) => ordered[index]!)).images).toEqual(ordered)
  })

  it('settles images that are alike by their identity', () => {
    const first = image('a.jpg', 10, 5, { score: 70 })
    const second = image('a.jpg', 10, 5, { score: 80 })
    const entries: [string, typeof first][] = [
      ['b', second],
      ['a', first],
    ]
    const report = createReport(new Map(entries), [], 0)
    expect(report.images).toEqual([first, second])
    expect(createReport(new Map(entries.toReversed()), [], 0)).toEqual(report)
  })

  it('orders failures by source and code', () => {
    const failures = [
      { source: 'a.png', code: 'DECODE_FAILED', message: 'x' },
      { source: 'a.png', code: 'TIMEOUT', message: 'a' },
      { source: 'b.png', code: 'DECODE_FAILED', message: 'a' },
      { source: 'b.png', code: 'DECODE_FAILED', message: 'b' },
    ] as const
    expect(createReport(new Map(), failures.toReversed(), 0).failures).toEqual(failures)
  })

  it('sums up', () => {
    const report = reportOf(
      [image('a.jpg', 1000, 250), image('b.jpg', 500, 500, { cached: true }), image('c.jpg', 100, 120)],
      [{ source: 'd.jpg', code: 'INPUT_MISSING', message: 'The image is empty (0 bytes).' }],
      1234.56,
    )
    expect(report.totals).toEqual({
      images: 3,
      encoded: 2,
      cached: 1,
      failed: 1,
      before: 1600,
      after: 870,
      made: 870,
      saved: 730,
      ratio: 0.5438,
      milliseconds: 1235,
    })
  })

  it('compares each source once with the largest image made of it, however many there are', () => {
    const variants = [320, 640, 960, 1280, 1920].map((width) => image('a.jpg', 1000, width / 2, { width }))
    const { totals } = reportOf([...variants, image('b.jpg', 500, 240)])
    expect(totals).toMatchObject({ images: 6, before: 1500, after: 1200, made: 2800, saved: 300, ratio: 0.8 })
  })

  it('has a ratio of 1 without images', () => {
    expect(reportOf([]).totals).toMatchObject({ images: 0, before: 0, saved: 0, ratio: 1 })
  })
})

describe('writeReport', () => {
  let folder: string
  beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-report-'))))
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('makes folders, replaces what is there, and leaves nothing else behind', async () => {
    const file = path.join(folder, 'made', 'for it', 'report.json')
    const first = reportOf([image('a\u001B.jpg', 1000, 250)])
    const second = reportOf([image('b.jpg', 1000, 250)])
    await writeReport(file, first)
    const text = await readFile(file, 'utf8')
    expect(JSON.parse(text)).toEqual(first)
    expect(text).toMatch(/^\{\n {2}"version": 1,\n {2}"images": \[\n/)
    expect(text.endsWith('\n}\n')).toBe(true)
    expect(text).not.toContain('\u001B')
    await writeReport(file, second)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(second)
    expect(await readdir(path.dirname(file))).toEqual(['report.json'])
  })

  it('names the file that cannot be written, and leaves nothing behind', async () => {
    const file = path.join(folder, 'taken')
    await mkdir(path.join(file, 'by a folder'), { recursive: true })
    await expect(writeReport(file, reportOf([]))).rejects.toMatchObject({
      name: 'PixpressError',
      code: 'IO_FAILED',
      file,
      message: expect.stringContaining(file) as string,
    })
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})
