import { schemaDisagreements, naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import schema from '../../../../docs/report.schema.json' with { type: 'json' }
import { baselineSentences, isLargerThanBaseline } from '../../src/report/baseline.ts'
import type { ReportBaseline } from '../../src/report/baseline.ts'
import { pageData } from '../../src/report/page-data.ts'
import { renderReport } from '../../src/report/table.ts'
import { image, reportOf } from './images.ts'

const by = (size: number, rest: Partial<ReportBaseline> = {}): { baseline: ReportBaseline } => ({
  baseline: { tool: 'Astro', type: 'image/webp', size, score: 84.1, keepsPromise: true, ...rest },
})

const mixed = reportOf([
  image('a.jpg', 9_000, 3_000, { width: 640, ...by(5_000) }),
  image('a.jpg', 9_000, 2_000, { width: 320, ...by(1_500, { score: 71.2, keepsPromise: false }) }),
  image('b.png', 4_000, 1_300, by(1_200)),
  image('c.gif', 4_000, 3_000, { baseline: { tool: 'Astro', type: 'image/webp', size: 2_000 } }),
  image('public/d.png', 900, 800),
])

describe('the baseline of a report', () => {
  it('is summed up over the images that have one, with each source once', () => {
    expect(mixed.baseline).toEqual({
      tools: ['Astro'],
      images: 4,
      before: 17_000,
      size: 9_700,
      after: 9_300,
      larger: 1,
      belowPromise: 1,
    })
    expect(reportOf([image('a.jpg', 9, 5)]).baseline).toBeUndefined()
  })

  it('is a fault where it is over two hundredths smaller and keeps the promise as well', () => {
    const images = [
      image('a.jpg', 9_000, 1_020, by(1_000)),
      image('a.jpg', 9_000, 1_021, by(1_000)),
      image('a.jpg', 9_000, 1_021, by(1_000, { keepsPromise: false })),
    ]
    expect(images.map(isLargerThanBaseline)).toEqual([false, true, false])
    expect(mixed.images.filter(isLargerThanBaseline).map(({ source }) => source)).toEqual(['b.png'])
  })

  it('is said in sentences that name the faults', () => {
    expect(baselineSentences(mixed)).toEqual([
      naming('9.7 kB', '4 images', '9.3 kB', '-4%', '1'),
      naming('1 image', 'b.png', '800', '1.3 kB', '1.2 kB'),
    ])
    expect(baselineSentences(reportOf([image('a.jpg', 9, 5)]))).toEqual([])
  })

  it('names the five that cost most of many faults', () => {
    const many = reportOf([1, 2, 3, 4, 5, 6, 7].map((n) => image(`${n}.jpg`, 9_000, 2_000 + n * 100, by(1_000))))
    expect(baselineSentences(many)[1]).toMatch(
      /^7 images are larger .* 7\.jpg .* 6\.jpg .* 5\.jpg .* 4\.jpg .* 3\.jpg [^j]* and 2 more\./,
    )
  })

  it('stands below the table, and on the page', () => {
    const text = renderReport(mixed, { width: 200, color: false, full: false })
    for (const sentence of baselineSentences(mixed)) expect(text).toContain(`  ${sentence}`)
    const data = pageData(mixed)
    expect(data.baseline).toEqual(baselineSentences(mixed))
    expect(data.images.find(({ source }) => source === 'b.png')!.baseline).toMatchObject({ type: 'webp', size: 1_200 })
    expect(pageData(reportOf([image('a.jpg', 9, 5)])).baseline).toBeUndefined()
  })

  it('is described by the schema', () => {
    const read = JSON.parse(JSON.stringify(mixed)) as typeof mixed
    expect(schemaDisagreements(read, schema)).toEqual([])
    const wrong = { ...read, baseline: { ...read.baseline, images: 0, tools: [] } }
    expect(schemaDisagreements(wrong, schema)).toHaveLength(2)
  })
})
