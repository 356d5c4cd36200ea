import { resolveBudgets } from '@pixpress/core/internal'
import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { overGrowth, overTotal } from '../../src/check/groups.ts'
import type { CheckedImage } from '../../src/check/images.ts'

/** @param possible bytes after compressing; absent where the image was not looked at */
function image(source: string, bytes: number, possible?: number): CheckedImage {
  if (possible === undefined) return { source, bytes }
  const outcome = { bytes: possible, type: 'image/png', inputType: 'image/png', isDone: possible === bytes } as const
  return { source, bytes, outcome }
}

const [budget] = resolveBudgets([{ include: '**', total: 5000, growth: 1000 }])
const all = (): boolean => true

describe('overTotal', () => {
  it('finds nothing within the budget', () => {
    expect(overTotal([image('a.png', 5000, 100)], budget!, all)).toBeUndefined()
  })

  it('says what compressing gives, or which is the largest where that gives nothing', () => {
    const images = [image('a.png', 3000, 1000), image('b.png', 3000, 2500)]
    expect(overTotal(images, budget!, all)).toMatchObject({
      source: 'a.png',
      message: naming('6.0 kB', '5.0 kB', '3.5 kB', 'a.png', '2.0 kB'),
      possible: 3500,
    })
    expect(overTotal([image('a.png', 3000, 3000), image('b.png', 3001, 3001)], budget!, all)?.message).toEqual(
      naming('6.0 kB', '5.0 kB', 'b.png', '3.0 kB'),
    )
  })

  it('is told of the largest image of a change, and claims nothing of the others', () => {
    const images = [image('a.png', 9000), image('b.png', 3000, 1000), image('c.png', 10, 10)]
    expect(overTotal(images, budget!, (source) => source !== 'a.png')).toMatchObject({
      source: 'b.png',
      message: naming('12.0 kB', '5.0 kB', '10.0 kB', 'b.png', '2.0 kB'),
    })
  })
})

describe('overGrowth', () => {
  it('names what has grown, the most first, and counts what is gone', () => {
    const images = ['a', 'b', 'c', 'd', 'e'].map((name, index) => image(`${name}.png`, 1000 * (index + 1), 1000))
    const baseline = new Map([
      ['a.png', 1000],
      ['e.png', 4999],
      ['gone.png', 500],
    ])
    expect(overGrowth(images, budget!, baseline)).toMatchObject({
      source: 'd.png',
      limit: 7499,
      message: naming(
        '8.5 kB',
        '15.0 kB',
        '1.0 kB',
        'd.png',
        '+4.0 kB',
        'c.png',
        '+3.0 kB',
        'b.png',
        '+2.0 kB',
        '1',
        '5.0 kB',
        'e.png',
        '4.0 kB',
      ),
    })
    expect(overGrowth(images, budget!, new Map([['gone.png', 14_000]]))).toBeUndefined()
    const [none] = resolveBudgets([{ total: 5 }])
    expect(overGrowth(images, none!, new Map())).toBeUndefined()
  })
})
