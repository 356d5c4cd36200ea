import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { remarkLines } from '../../../src/session/report/remarks.ts'
import type { Remarks } from '../../../src/session/report/remarks.ts'

const lines = (remarks: Partial<Remarks>): string[] =>
  remarkLines({ textures: new Map(), scaled: new Set(), unnamed: [], unsized: [], untouched: [], ...remarks })

const copies = (...sizes: readonly number[]) => sizes.map((bytes, at) => ({ source: `public/${at}.png`, bytes }))

describe('the lines below the table', () => {
  it('are none where there is nothing to say', () => {
    expect(lines({})).toEqual([])
  })

  it('count what was scaled down, and what is a texture', () => {
    expect(lines({ scaled: new Set(['a.png']) })).toEqual([naming('1 image', '`maxWidth`')])
    const both = lines({ scaled: new Set(['a.png', 'b.png']), textures: new Map([['c-normal.png', 'name']]) })
    expect(both[0]).toMatch(/^2 images are wider/)
    expect(both[1]).toContain('stays lossless')
  })

  it('name the largest files that nothing has worked on, and why', () => {
    const files = [4000, 3000, 2000, 1000].map((bytes) => ({ file: `dist/${bytes}.png`, bytes }))
    expect(lines({ untouched: [{ ...files[0]!, query: '?fn' }] })).toEqual([
      naming('1', 'dist/4000.png', '4.0 kB', '?fn'),
    ])
    const [four] = lines({ untouched: files })
    expect(four).toEqual(naming('4', '10.0 kB', 'dist/4000.png', 'dist/3000.png', 'dist/2000.png', '1 more'))
    expect(four).not.toContain('dist/1000.png')
  })

  it('name the largest copies that nothing names', () => {
    expect(lines({ unnamed: copies(2000) })).toEqual([naming('1 copied', '2.0 kB', 'public/0.png', '2.0 kB')])
    expect(lines({ unnamed: copies(1000, 5000, 3000, 4000) })[0]).toEqual(
      naming('4 copied', '13.0 kB', 'public/1.png', '5.0 kB', 'public/3.png', '4.0 kB', 'public/2.png', '3.0 kB', '1'),
    )
  })
})
