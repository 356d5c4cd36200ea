import type { ReportImage } from '@pixpress/core/report'
import { describe, expect, it } from 'vitest'
import { withoutRepeats } from '../../../src/session/report/repeated-results.ts'

const image = (changes: Partial<ReportImage> = {}): ReportImage => ({
  source: 'src/plan.png',
  type: 'image/png',
  inputType: 'image/png',
  before: 200,
  after: 80,
  ratio: 0.4,
  width: 20,
  height: 10,
  cached: true,
  kept: 'output',
  score: 81.5,
  notes: [],
  ...changes,
})

const left = (images: readonly ReportImage[], named: readonly string[] = []): ReportImage[] => [
  ...withoutRepeats(new Map(images.map((each, at) => [String(at), each])), new Set(named)).values(),
]

describe('results of one source', () => {
  it('that are the same image are one, with what says most of its place', () => {
    const converted = image({ cached: false })
    const typed = image({ typeKept: 'It is an icon.' })
    expect(left([converted, typed])).toEqual([{ ...typed, cached: false }])
    expect(left([typed, converted])).toEqual([{ ...typed, cached: false }])
  })

  it.each<Partial<ReportImage>>([{ source: 'src/other.png' }, { width: 40 }, { type: 'image/webp' }, { score: 80 }])(
    'are several where they differ: %j',
    (difference) => expect(left([image(), image(difference)])).toHaveLength(2),
  )

  it('are several where one has a file of its own', () => {
    expect(left([image(), image()], ['1'])).toHaveLength(2)
    expect(left([image(), image(), image()], ['1'])).toHaveLength(2)
  })
})
