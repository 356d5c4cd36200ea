import { describe, expect, it } from 'vitest'
import { nearQuery } from '../../src/directives/nearly.ts'
import { parseQuery } from '../../src/directives/query.ts'

describe('nearQuery', () => {
  it.each([
    ['?size=300', '?w=300'],
    ['?size=300x200', '?w=300&h=200'],
    ['?sizes=300,600', '?w=300;600&as=srcset'],
    ['?sizes=', '?w=300;600&as=srcset'],
    ['?resize=640', '?w=640'],
    ['?resize=', '?w=300'],
    ['?crop=300x200', '?w=300&h=200&fit=cover'],
    ['?placeholder', '?lqip=thumbhash&as=img'],
    ['?blurhash', '?lqip=blurhash&as=img'],
    ['?webp', '?format=webp'],
    ['?jpg', '?format=jpg'],
    ['?fm=avif&q=60', '?format=avif&quality=60'],
    ['?webp&t=1700000000000&import', '?format=webp'],
    ['?size=300&url', '?w=300'],
  ])('reads %s as %s', (text, meant) => {
    expect(nearQuery(text)?.meant).toBe(meant)
    expect(parseQuery(text).hasDirectives).toBe(false)
    expect(parseQuery(meant).hasDirectives).toBe(true)
  })

  it.each([
    '',
    '?url',
    '?raw',
    '?inline',
    '?no-inline',
    '?original',
    '?react',
    '?component',
    '?jsx',
    '?svgr',
    '?v=3',
    '?t=1700000000000',
    '?import',
    '?enhanced',
    '?lqip',
    '?20240101',
    '?hash=abc',
    '?size=300&token=abc',
    '?webp=1',
    '?sizes[]=300,sizes[]=600',
    '?metadata&astroContentImageFlag',
    '?auto',
    '?auto=format&fit',
    '?origWidth=800&origHeight=600',
    '?constructor',
  ])('leaves %s to others', (text) => expect(nearQuery(text)).toBeUndefined())

  it('names one URL where no more can stand', () => {
    expect(nearQuery('?sizes=300,600&webp', true)?.meant).toBe('?w=600&format=webp')
    expect(nearQuery('?placeholder', true)).toEqual({ words: ['placeholder'], meant: '' })
  })
})
