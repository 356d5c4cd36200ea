import { describe, expect, it } from 'vitest'
import { BUDGETS, resolveBudgets } from '../../src/project/budgets.ts'

describe('resolveBudgets', () => {
  it('gives bytes, a name and a test of paths', () => {
    const [hero, all] = resolveBudgets([
      { include: ['images/**', /^hero/], exclude: '**/*.gif', image: '200 kB', total: 2_000_000, growth: '5%' },
      { image: 0, growth: '10 kB' },
    ])
    expect(hero).toMatchObject({ name: 'images/**, /^hero/', image: 200_000, total: 2_000_000 })
    expect(['images/a.png', 'hero.png', 'images/a.gif', 'a.png'].map((file) => hero!.matches(file))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect([hero!.growth!(1010), all!.growth!(1010)]).toEqual([50, 10_000])
    expect(all).toMatchObject({ name: 'all images', image: 0, total: undefined })
    expect(all!.matches('../a.png')).toBe(true)
    const [page] = resolveBudgets([{ page: '500 kB' }])
    expect(page).toMatchObject({ name: 'all pages', page: 500_000, image: undefined })
  })
})

describe('BUDGETS', () => {
  it.each([
    [{ image: 5 }, /a list of objects for 'budgets'/],
    [[5], /an object for 'budgets\[0\]'/],
    [[{ image: 5 }, { imgae: 5 }], /Unknown option 'budgets\[1\]\.imgae'\. Did you mean 'image'\?/],
    [[{ include: '**' }], /a budget with 'image', 'total', 'growth' or 'page' for 'budgets\[0\]'/],
    [[{ include: '', image: 5 }], /'budgets\[0\]\.include'/],
    [[{ exclude: 5, image: 5 }], /'budgets\[0\]\.exclude'/],
    [[{ image: '5k' }], /'budgets\[0\]\.image'/],
    [[{ total: -1 }], /bytes, or a size such as '200 kB' for 'budgets\[0\]\.total'/],
    [[{ page: 5, total: 5 }], /'page' in a budget of its own/],
    [[{ page: '1 k' }], /'budgets\[0\]\.page'/],
    [[{ growth: '-5%' }], /'budgets\[0\]\.growth'/],
  ])('refuses %j in one sentence', (value, message) => {
    expect(() => BUDGETS.parse(value, 'budgets')).toThrow(message)
  })
})
