import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import type { ReportImage } from '../../src/report/json.ts'
import { refusals } from '../../src/report/refusals.ts'

const refused = { type: 'image/png', size: 44_000, guard: 'edges', x: 120, y: 48 } as const

const image = (source: string, after: number, best?: ReportImage['refused']): ReportImage => ({
  source,
  type: 'image/png',
  inputType: 'image/png',
  before: after,
  after,
  ratio: 1,
  width: 800,
  height: 600,
  cached: false,
  kept: 'output',
  notes: [],
  ...(best && { refused: best }),
})

describe('what is said of refused results', () => {
  it('is one sentence for all images, with the one that would save most', () => {
    const small = { ...refused, size: 900 }
    expect(refusals([image('a.png', 1000, small), image('b.png', 153_141, refused), image('c.png', 9)])).toEqual([
      naming('2 images', 'b.png', '44.0 kB', '153.1 kB', '120', '48'),
    ])
    expect(refusals([image('b.png', 153_141, refused)])).toEqual([
      naming('1 image', 'b.png', '44.0 kB', '153.1 kB', '120', '48'),
    ])
  })

  it('is nothing where nothing is refused', () => {
    expect(refusals([image('c.png', 9)])).toEqual([])
    expect(refusals([{ ...image('d.webp', 9000, refused), score: 88 }])).toEqual([])
  })
})
