import { LINEAR, growth } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { encodeSrcsetUrl, parseSrcset } from '../../../src/project/delivered/srcset.ts'

describe('parseSrcset', () => {
  it.each<[string, [url: string, descriptor: string][]]>([
    ['a.png', [['a.png', '']]],
    [
      'a.png 1x, b.png 2x',
      [
        ['a.png', '1x'],
        ['b.png', '2x'],
      ],
    ],
    [
      'a.png, b.png 2x',
      [
        ['a.png', ''],
        ['b.png', '2x'],
      ],
    ],
    [
      'a.png 1x,b.png 2x',
      [
        ['a.png', '1x'],
        ['b.png', '2x'],
      ],
    ],
    ['a,b.png 2x', [['a,b.png', '2x']]],
    ['a.png,b.png 2x', [['a.png,b.png', '2x']]],
    [
      'w_200,h_100/a.png 1x, w_400,h_200/a.png 2x',
      [
        ['w_200,h_100/a.png', '1x'],
        ['w_400,h_200/a.png', '2x'],
      ],
    ],
    [
      'data:image/png;base64,AA== 1x, b.png 2x',
      [
        ['data:image/png;base64,AA==', '1x'],
        ['b.png', '2x'],
      ],
    ],
    [
      '\n\ta.png\t320w \r\n 240h ,\r\n  b.png 640w\n',
      [
        ['a.png', '320w 240h'],
        ['b.png', '640w'],
      ],
    ],
    [
      ',, a.png,, b.png,',
      [
        ['a.png', ''],
        ['b.png', ''],
      ],
    ],
    [
      'a.png calc(1, 2) x, b.png',
      [
        ['a.png', 'calc(1, 2) x'],
        ['b.png', ''],
      ],
    ],
    ['a.png (1x, b.png 2x', [['a.png', '(1x, b.png 2x']]],
    ['', []],
    [' , ', []],
  ])('reads %j', (value, expected) => {
    const candidates = parseSrcset(value)
    expect(candidates.map(({ url, descriptor }) => [url, descriptor])).toEqual(expected)
    for (const { url, start, end } of candidates) expect(value.slice(start, end)).toBe(url)
  })

  it.each(['a.png 1x,', ',', '(', 'a.png,', ' '])('takes any length of %j in linear time', (unit) => {
    const make = (times: number): string => unit.repeat((40_000 / unit.length) * times)
    expect(growth(make, (srcset) => void parseSrcset(srcset))).toBeLessThan(LINEAR)
  })
})

describe('encodeSrcsetUrl', () => {
  it.each(['a b.png', ',a.png', 'a.png,', ',', ',,a,,', 'a,b.png', 'a\tb\n.png', '(a).png'])(
    'makes %j one candidate',
    (url) => {
      const [candidate, ...others] = parseSrcset(`${encodeSrcsetUrl(url)} 2x, z.png`)
      expect(decodeURIComponent(candidate!.url)).toBe(url)
      expect(candidate!.descriptor).toBe('2x')
      expect(others.map((other) => other.url)).toEqual(['z.png'])
    },
  )
})
