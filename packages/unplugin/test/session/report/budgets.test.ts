import type { ReportImage } from '@pixpress/core/report'
import { naming } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { exceededBudgets } from '../../../src/session/report/budgets.ts'

function image(source: string, after: number): ReportImage {
  const facts = { type: 'image/webp', inputType: 'image/png', before: 9000, ratio: 0.5, width: 4, height: 3 } as const
  return { ...facts, source, after, cached: false, kept: 'output', notes: [] }
}

const IMAGES = [image('hero/a.png', 3000), image('hero/b.png', 5000), image('icon.png', 9000)]

it('exceededBudgets names each image, and of all together the largest', () => {
  expect(exceededBudgets(IMAGES, [{ include: 'hero/**', image: '4 kB', total: '7 kB' }])).toEqual([
    naming('hero/b.png', '4×3', 'image/webp', '5.0 kB', '4.0 kB', 'hero/**', '9.0 kB'),
    naming('8.0 kB', '7.0 kB', 'hero/**', 'hero/b.png', '4×3', 'image/webp', '5.0 kB'),
  ])
})

it('exceededBudgets finds nothing within the budgets, and no growth', () => {
  expect(exceededBudgets(IMAGES, [{ include: 'hero/**', image: 5000, total: 8000, growth: 0 }])).toEqual([])
})

it('exceededBudgets counts the heaviest file of each image, and files of several names once', () => {
  const sizes = [
    image('hero/a.png', 1000),
    image('hero/a.png', 3000),
    { ...image('x.png', 2000), duplicates: ['hero/x.png'] },
  ]
  expect(exceededBudgets(sizes, [{ include: 'hero/**', image: 2999, total: 4999 }])).toEqual([
    naming('hero/a.png', '4×3', 'image/webp', '3.0 kB', '3.0 kB', 'hero/**', '9.0 kB'),
    naming('5.0 kB', '5.0 kB', 'hero/**', 'hero/a.png', '4×3', 'image/webp', '3.0 kB'),
  ])
  expect(exceededBudgets(sizes, [{ include: 'hero/**', image: 3000, total: 5000 }])).toEqual([])
})
