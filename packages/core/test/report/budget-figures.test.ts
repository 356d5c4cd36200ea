import { describe, expect, it } from 'vitest'
import { resolveBudgets } from '../../src/project/budgets.ts'
import { budgetFigures, overAll, overEach } from '../../src/report/budget-figures.ts'

const file = (source: string, bytes: number, id?: string): { source: string; bytes: number; id?: string } =>
  id === undefined ? { source, bytes } : { source, bytes, id }

describe('budgetFigures', () => {
  it('counts of each image the heaviest of its sizes and types alone', () => {
    const files = [file('b.jpg', 5), file('a.jpg', 10), file('a.jpg', 40), file('a.jpg', 20)]
    expect(budgetFigures(files)).toEqual({
      each: [file('a.jpg', 40), file('b.jpg', 5)],
      bytes: 45,
      largest: file('a.jpg', 40),
    })
  })

  it('counts the same bytes under several names once, and holds each name against the limit of one', () => {
    const files = [file('a.jpg', 40, 'x'), file('b.jpg', 40, 'x'), file('c.jpg', 7, 'y')]
    const { each, bytes, largest } = budgetFigures(files)
    expect([each.length, bytes, largest!.source]).toEqual([3, 47, 'a.jpg'])
  })

  it('counts nothing where there is nothing', () => {
    expect(budgetFigures([])).toEqual({ each: [], bytes: 0, largest: undefined })
  })
})

it('overEach and overAll say the bytes, the limit and for whom it is', () => {
  const [budget] = resolveBudgets([{ include: 'hero/**', image: '100 kB', total: '700 kB' }])
  expect(overEach(161_100, budget!)).toBe('161.1 kB of 100.0 kB that hero/** may have each')
  expect(overAll(1_300_000, budget!)).toBe('1.3 MB of 700.0 kB that hero/** may have together')
})
