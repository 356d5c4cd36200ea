import { builtinPlugins } from 'svgo'
import { describe, expect, it } from 'vitest'
import { resolveOperations } from '../../src/operations/index.ts'
import { SVGO, SVGO_PLUGINS } from '../../src/operations/svgo-config.ts'

const parse = (value: unknown): unknown => SVGO.parse(value, 'svgo')

describe("the option 'svgo'", () => {
  it("knows svgo's own plugins", () => {
    expect([...SVGO_PLUGINS].sort()).toEqual(builtinPlugins.map(({ name }) => name).sort())
  })

  it('has one form for equal meaning', () => {
    const one = parse({
      multipass: true,
      plugins: [{ params: { b: 1, a: undefined }, name: 'removeAttrs' }],
    })
    const other = parse({ plugins: [{ name: 'removeAttrs', params: { b: 1 } }], multipass: true })
    expect(JSON.stringify(one)).toBe(JSON.stringify(other))
    expect(parse({})).toBeUndefined()
    expect(parse({ floatPrecision: undefined })).toBeUndefined()
  })

  it('is absent from the resolved operations where nothing is configured', () => {
    expect(Object.keys(resolveOperations())).not.toContain('svgo')
    expect(JSON.stringify(resolveOperations({ svgo: {} }))).toBe(JSON.stringify(resolveOperations()))
    expect(Object.keys(resolveOperations({ svgo: { multipass: false } })).at(-1)).toBe('svgo')
  })

  it.each<[value: unknown, named: RegExp]>([
    [true, /'svgo'/],
    [[], /'svgo'/],
    [{ multipas: true }, /'svgo\.multipas'.*Did you mean 'multipass'\?/],
    [{ datauri: 'base64' }, /'svgo\.datauri'/],
    [{ multipass: 1 }, /'svgo\.multipass'/],
    [{ floatPrecision: 1.5 }, /'svgo\.floatPrecision'/],
    [{ js2svg: 'pretty' }, /'svgo\.js2svg'/],
    [{ js2svg: { encodeEntity: () => '' } }, /plain data.*'svgo\.js2svg\.encodeEntity'/],
    [{ plugins: 'removeTitle' }, /'svgo\.plugins'/],
    [{ plugins: ['removeTitel'] }, /'svgo\.plugins\[0\]'.*Did you mean 'removeTitle'\?/],
    [{ plugins: ['removeTitle', { params: {} }] }, /'svgo\.plugins\[1\]'/],
    [{ plugins: [{ name: 'mine', fn: () => null }] }, /plain data.*'svgo\.plugins\[0\]\.fn'.*a function/],
    [
      { plugins: [{ name: 'removeComments', params: { preservePatterns: [/x/] } }] },
      /plain data.*preservePatterns\[0\]'/,
    ],
    [{ plugins: [{ name: 'removeAttrs', params: { attrs: NaN } }] }, /plain data/],
  ])('refuses %j', (value, named) => {
    expect(() => parse(value)).toThrowError(named)
    expect(() => parse(value)).toThrowError(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})
