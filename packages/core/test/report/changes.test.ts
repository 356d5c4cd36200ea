import { describe, expect, it } from 'vitest'
import { compareReports, renderChanges } from '../../src/report/changes.ts'
import { image, reportOf } from './images.ts'

const STYLE = { width: 80, color: false, full: false }

const older = reportOf(
  [
    image('hero.jpg', 100_000, 20_000, { width: 320 }),
    image('hero.jpg', 100_000, 40_000, { width: 640, score: 80.7 }),
    image('gone.png', 9000, 3000),
    image('type.png', 9000, 5000, { type: 'image/png' }),
  ],
  [{ source: 'torn.png', code: 'DECODE_FAILED', message: 'Torn.' }],
)
const newer = reportOf(
  [
    image('hero.jpg', 100_000, 20_000, { width: 320 }),
    image('hero.jpg', 100_000, 35_000, { width: 640, score: 80.2 }),
    image('new\u001b[31m.png', 9000, 12_000),
    image('type.png', 9000, 2000),
  ],
  [{ source: 'late.png', code: 'DECODE_FAILED', message: 'Torn.' }],
)

describe('compareReports', () => {
  it('finds images again by source, type and size, or by source and size', () => {
    const { changes, unchanged, old, new: made, broken, mended } = compareReports(older, newer)
    expect(changes.map((each) => [each.source, each.old?.after, each.new?.after])).toEqual([
      ['gone.png', 3000, undefined],
      ['hero.jpg', 40_000, 35_000],
      ['new\u001b[31m.png', undefined, 12_000],
      ['type.png', 5000, 2000],
    ])
    expect({ unchanged, old, made, broken, mended }).toEqual({
      unchanged: 1,
      old: 68_000,
      made: 69_000,
      broken: ['late.png'],
      mended: ['torn.png'],
    })
  })

  it('calls damaged files alone broken, and names whole ones that failed beside them', () => {
    const [torn, opaque] = [
      { source: 'torn.png', code: 'DECODE_FAILED', message: 'Torn.' },
      { source: 'logo.png', code: 'BACKGROUND_REQUIRED', message: 'Has transparency.' },
    ] as const
    const between = compareReports(reportOf([], [torn]), reportOf([], [opaque]))
    expect(between).toMatchObject({ broken: [], mended: ['torn.png'], failing: ['logo.png'], passing: [] })
    const text = renderChanges(between, STYLE)
    expect(text).toContain('  failing now: logo.png')
    expect(text).not.toContain('broken now')
    expect(renderChanges(compareReports(reportOf([], [opaque]), reportOf([], [torn])), STYLE)).toContain(
      'longer failing: logo.png',
    )
  })

  it('finds nothing between a report and itself', () => {
    expect(compareReports(older, older)).toMatchObject({ changes: [], unchanged: 4, broken: [], mended: [] })
  })

  it('pairs images that are alike in all but their bytes one by one', () => {
    const two = reportOf([image('a.jpg', 100, 10), image('a.jpg', 100, 20)])
    const three = reportOf([image('a.jpg', 100, 10), image('a.jpg', 100, 20), image('a.jpg', 100, 30)])
    expect(compareReports(two, three)).toMatchObject({ unchanged: 2, changes: [{ new: { after: 30 } }] })
  })
})

describe('renderChanges', () => {
  it('prints what weighs most first, within the width and without control characters', () => {
    const text = renderChanges(compareReports(older, newer), STYLE)
    expect(text.split('\n')).toEqual([
      'pixpress  2 changed  1 added  1 removed  1 unchanged',
      expect.stringMatching(/^ {2}new\\x1b\[31m\.png 800w +avif +12\.0 kB {2}added$/),
      expect.stringMatching(/^ {2}hero\.jpg 640w +avif +40\.0 kB → +35\.0 kB {2}-12% {2}score 80\.7 → 80\.2$/),
      expect.stringMatching(/^ {2}gone\.png 800w +avif +3\.0 kB {2}removed$/),
      expect.stringMatching(/^ {2}type\.png 800w +png → avif +5\.0 kB → +2\.0 kB {2}-60%/),
      '  all images  68.0 kB → 69.0 kB  +1%',
      '  broken now: late.png',
      expect.stringContaining('longer broken: torn.png'),
    ])
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('shortens a long list unless all of it is asked for', () => {
    const many = reportOf(Array.from({ length: 60 }, (_, at) => image(`${at}.png`, 100, 10)))
    const between = compareReports(reportOf([]), many)
    expect(renderChanges(between, STYLE)).toContain('  … and 20 more')
    expect(renderChanges(between, { ...STYLE, full: true }).split('\n')).toHaveLength(62)
  })
})
