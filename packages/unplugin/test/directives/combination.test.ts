import { describe, expect, it } from 'vitest'
import { cartesianProduct } from '../../src/directives/combination.ts'

describe('cartesianProduct', () => {
  it('has one empty combination of nothing', () => {
    expect(cartesianProduct({})).toEqual([{}])
  })

  it("is in imagetools' order: the first directive is outermost", () => {
    expect(cartesianProduct({ w: [300, 400], format: ['avif', 'webp'], h: [100] })).toEqual([
      { w: 300, format: 'avif', h: 100 },
      { w: 300, format: 'webp', h: 100 },
      { w: 400, format: 'avif', h: 100 },
      { w: 400, format: 'webp', h: 100 },
    ])
    expect(cartesianProduct({ format: ['avif', 'webp'], w: [300, 400] }).map(({ w }) => w)).toEqual([
      300, 400, 300, 400,
    ])
  })
})
