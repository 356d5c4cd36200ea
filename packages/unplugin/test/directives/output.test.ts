import { describe, expect, it } from 'vitest'
import { resolveOutput } from '../../src/directives/output.ts'
import { parseDirectives } from '../../src/directives/parse.ts'
import type { DirectiveSet } from '../../src/directives/parse.ts'
import { parseQuery } from '../../src/directives/query.ts'

function output(text: string, preset: Partial<DirectiveSet> = {}): unknown {
  const query = parseQuery(text)
  const own = parseDirectives(query.directives)
  return resolveOutput({ ...preset, ...own }, own, query.url)
}

/** With a placeholder of the plugin's. */
function withBlur(text: string, preset: Partial<DirectiveSet> = {}): unknown {
  const own = parseDirectives(parseQuery(text).directives)
  return resolveOutput({ ...preset, ...own }, own, false, 'blur')
}

describe('resolveOutput', () => {
  it.each([
    ['?w=3', { as: 'url' }],
    ['?w=3&as=url&url', { as: 'url' }],
    ['?w=3&as=srcset', { as: 'srcset' }],
    ['?as=img&basePixels=200', { as: 'img', basePixels: 200 }],
    ['?as=srcset&basePixels=200', { as: 'srcset', basePixels: 200 }],
    ['?as=picture&basePixels=0', { as: 'picture' }],
    ['?as=meta:width', { as: 'metadata', keys: ['width'] }],
    ['?as=img&lqip=thumbhash', { as: 'img', lqip: 'thumbhash' }],
    ['?as=meta:width&lqip=blur', { as: 'metadata', keys: ['width'], lqip: 'blur' }],
    ['?as=picture&lqip=none', { as: 'picture' }],
  ])('of %s', (query, expected) => {
    expect(output(query)).toEqual(expected)
  })

  it('has the placeholder of the query, else of the preset, else of the plugin where there is a place for it', () => {
    expect(withBlur('?as=img')).toEqual({ as: 'img', lqip: 'blur' })
    expect(withBlur('?as=img', { lqip: 'color' })).toEqual({ as: 'img', lqip: 'color' })
    expect(withBlur('?as=img&lqip=blurhash', { lqip: 'color' })).toEqual({ as: 'img', lqip: 'blurhash' })
    expect(withBlur('?as=picture&lqip=false', { lqip: 'color' })).toEqual({ as: 'picture' })
    for (const as of ['url', 'srcset', 'metadata']) expect(withBlur(`?as=${as}`)).toEqual({ as })
    expect(withBlur('?as=srcset', { lqip: 'color' })).toEqual({ as: 'srcset' })
  })

  it("beats the preset's", () => {
    const preset = { shape: { as: 'picture' }, basePixels: 200 } as const
    expect(output('?w=3', preset)).toEqual({ as: 'picture', basePixels: 200 })
    expect(output('?as=srcset', preset)).toEqual({ as: 'srcset', basePixels: 200 })
    expect(output('?as=srcset&basePixels=0', preset)).toEqual({ as: 'srcset' })
    expect(output('?as=metadata', preset)).toEqual({ as: 'metadata' })
    expect(output('?w=3&url', preset)).toEqual({ as: 'url' })
  })

  it.each([
    [
      '?w=3&lqip=blur',
      "'lqip' has no place in what 'as=url' gives. Add 'as=img', 'as=picture' or 'as=metadata', or leave 'lqip' out.",
    ],
    ['?as=picture&url', "'?url' asks for a URL, and 'as=picture' for something else. Leave one of them out."],
    [
      '?w=3&basePixels=200',
      "'basePixels' has no place in what 'as=url' gives. Add 'as=srcset', 'as=img' or 'as=picture', or leave 'basePixels' out.",
    ],
    [
      '?as=meta&basePixels=200',
      "'basePixels' has no place in what 'as=metadata' gives. Add 'as=srcset', 'as=img' or 'as=picture', or leave 'basePixels' out.",
    ],
  ])('refuses %s', (query, message) => {
    expect(() => output(query)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message }))
  })
})
