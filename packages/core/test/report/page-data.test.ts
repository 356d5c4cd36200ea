import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { compareReports } from '../../src/report/changes.ts'
import { pageData } from '../../src/report/page-data.ts'
import { worthOf } from '../../src/report/worth.ts'
import type { Work } from '../../src/base/types.ts'
import { image, reportOf } from './images.ts'

const WORK: Work = {
  encodes: { 'image/avif': 2 },
  probes: 1,
  scores: 2,
  packs: 0,
  pixels: 10,
  milliseconds: { total: 100, wait: 50, decode: 10, quantise: 0, score: 30, pack: 0, encode: { 'image/avif': 40 } },
}

describe('pageData', () => {
  it('has the step that is worth most, in the words of the last line', () => {
    const report = reportOf([image('a.jpg', 10, 10)])
    expect(pageData(report)).not.toHaveProperty('worth')
    expect(pageData({ ...report, worth: worthOf('convert-auto', 190_000, 3, 20) }).worth).toEqual(
      naming("`convert: 'auto'`", '190.0 kB', '3', '20 images'),
    )
  })

  it('has the score that was promised beside the one that was reached', () => {
    const { images } = pageData(reportOf([image('a.jpg', 9, 5, { promise: 70 }), image('b.jpg', 9, 5)]))
    expect(images.map(({ score, promise }) => [score, promise])).toEqual([
      [80.12, 70],
      [80.12, undefined],
    ])
  })

  it('says why files are as they were', () => {
    const { images } = pageData(
      reportOf([
        image('a.jpg', 10, 10, { kept: 'input', reason: 'second-loss' }),
        image('b.jpg', 10, 10, { kept: 'input' }),
        image('c.jpg', 10, 5, { typeKept: 'It is an icon.' }),
      ]),
    )
    expect(images.map(({ why }) => why)).toEqual([
      expect.stringContaining('lose detail again'),
      expect.stringContaining('smaller was found'),
      undefined,
    ])
    expect(images[2]!.notes).toEqual([expect.stringContaining('is an icon')])
  })

  it.each([
    ['of many bytes', { type: 'image/png' as const }, 200_000, true],
    ['of a drawing', { type: 'image/png' as const }, 50_000, undefined],
    ['that is no PNG', {}, 200_000, undefined],
    ['that is small', { type: 'image/png' as const, width: 100, height: 100 }, 20_000, undefined],
  ])('tells a photograph as PNG from an image %s', (_, rest, after, expected) => {
    expect(pageData(reportOf([image('a.png', 300_000, after, rest)])).images[0]!.isPhotoAsPng).toBe(expected)
  })

  it('sums up the time by what it went into, waiting apart', () => {
    const report = reportOf([image('a.jpg', 9, 5, { work: WORK }), image('b.jpg', 9, 5, { work: WORK })])
    const { phases, images } = pageData(report)
    expect(phases).toEqual([
      ['encode avif', 80],
      ['score', 60],
      ['other', 40],
      ['decode', 20],
    ])
    expect(images[0]!.milliseconds).toBe(100)
  })

  it('has the pages that deliver most, and how many others there are', () => {
    const delivered = Array.from({ length: 203 }, (_, at) => ({
      page: `${at}`,
      images: 1,
      unknown: 0,
      bytes: [9, 9, 9],
      heaviest: [],
    }))
    const data = pageData(reportOf([]), { delivered })
    expect([data.delivered!.pages.length, data.delivered!.more]).toEqual([200, 3])
    expect(pageData(reportOf([])).delivered).toBeUndefined()
  })

  it('names what has changed since an older report', () => {
    const older = reportOf([image('a.jpg', 9, 5), image('b.jpg', 9, 5), image('c.jpg', 9, 5)])
    const newer = reportOf([image('a.jpg', 9, 4), image('b.jpg', 9, 6), image('d.jpg', 9, 5)])
    const { changes } = pageData(newer, { between: compareReports(older, newer) })
    expect(changes!.list.map(({ source, state }) => `${source} ${state}`)).toEqual([
      'a.jpg smaller',
      'b.jpg larger',
      'c.jpg removed',
      'd.jpg added',
    ])
    expect(pageData(newer).changes).toBeUndefined()
  })
})
