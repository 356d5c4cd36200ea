import { resolveBudgets } from '@pixpress/core/internal'
import type { Budget } from '@pixpress/core'
import { describe, expect, it } from 'vitest'
import { createImageTable } from '../../src/check/image-table.ts'
import type { ImageTable } from '../../src/check/image-table.ts'
import { standingsOf } from '../../src/check/standings.ts'
import type { Standing } from '../../src/check/standings.ts'

const BYTES: Readonly<Record<string, number>> = { 'a.png': 500, 'b.png': 300, 'c.jpg': 40 }

function table(bytes = BYTES): ImageTable {
  const images = createImageTable([{ folder: '/site', places: Object.keys(bytes) }], '/site')
  for (let at = 0; at < images.length; at++) images.set(at, bytes[images.sourceOf(at)]!)
  return images
}

function standings(
  budgets: readonly Budget[],
  due = ['a.png', 'b.png', 'c.jpg'],
  { before, besides = [] }: { before?: Readonly<Record<string, number>>; besides?: readonly string[] } = {},
): readonly Standing[] {
  const images = table()
  return standingsOf(resolveBudgets(budgets), images, {
    due: Uint32Array.from(due, (source) => images.positionOf(source)!),
    baseline: before && new Map(Object.entries(before)),
    besides: new Set(besides),
  })
}

describe('standingsOf', () => {
  it('lists limits that are kept like those that are not, with what was there before', () => {
    const before = { 'a.png': 450, 'b.png': 300, 'gone.png': 100 }
    const budgets = [{ include: '*.png', image: 400, total: 1000, growth: '10%' }]
    expect(standings(budgets, ['a.png', 'b.png'], { before })).toEqual([
      { budget: '*.png', key: 'image', limit: 400, bytes: 500, before: 450, source: 'a.png' },
      { budget: '*.png', key: 'total', limit: 1000, bytes: 800, before: 850 },
      { budget: '*.png', key: 'growth', limit: 935, bytes: 800, before: 850 },
    ])
  })

  it('leaves out what the checked images do not concern, and growth without a baseline', () => {
    const budgets = [
      { include: '*.png', image: 400 },
      { total: 900, growth: 5 },
    ]
    expect(standings(budgets, ['c.jpg'])).toEqual([{ budget: 'all images', key: 'total', limit: 900, bytes: 840 }])
    expect(standings(budgets, [])).toEqual([])
  })

  it('compares an image with itself, and a total only where all of it was there', () => {
    const budgets = [{ image: 400, total: 900 }]
    const [image, total] = standings(budgets, ['b.png'], { before: { 'a.png': 1 }, besides: ['/site/c.jpg'] })
    expect(image).toEqual({ budget: 'all images', key: 'image', limit: 400, bytes: 300, source: 'b.png' })
    expect(total).not.toHaveProperty('before')
  })
})
