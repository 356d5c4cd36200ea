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

describe('resolveOutput', () => {
  it.each([
    ['?w=3', { as: 'url' }],
    ['?w=3&as=url&url', { as: 'url' }],
    ['?w=3&as=srcset', { as: 'srcset' }],
    ['?as=img&basePixels=200', { as: 'img', basePixels: 200 }],
    ['?as=srcset&basePixels=200', { as: 'srcset', basePixels: 200 }],
    ['?as=picture&basePixels=0', { as: 'picture' }],
    ['?as=meta:width', { as: 'metadata', keys: ['width'] }],
  ])('of %s', (query, expected) => {
    expect(output(query)).toEqual(expected)
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
    ['?as=picture&url', "Expected 'url' beside the flag 'url' for 'as' but received 'picture' of type string."],
    [
      '?w=3&basePixels=200',
      "Expected 'as=srcset', 'as=img' or 'as=picture' beside it for 'basePixels' but received 'as=url' of type string.",
    ],
    [
      '?as=meta&basePixels=200',
      "Expected 'as=srcset', 'as=img' or 'as=picture' beside it for 'basePixels' but received 'as=metadata' of type string.",
    ],
  ])('refuses %s', (query, message) => {
    expect(() => output(query)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message }))
  })
})
