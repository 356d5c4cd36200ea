import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { exportDefault, toLiteral } from '../../src/modules/asset-module.ts'

describe('exportDefault', () => {
  it('makes a module of an expression', async () => {
    const code = exportDefault(toLiteral({ src: '/a.webp', width: 3 }))
    const loaded: unknown = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)
    expect(loaded).toMatchObject({ default: { src: '/a.webp', width: 3 } })
  })
})

describe('toLiteral', () => {
  it.each([
    ['a"b\'c`d${e}\\f\n'],
    ['</script><!-- --> ]]>'],
    ['\u2028\u2029\0\uD83D😀'],
    [[1, null, true, 'x', []]],
    [{ 'a-b': { c: [-0.5, 1e21] } }],
    [JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":"{\\"__proto__\\":1}"}}')],
    [null],
  ])('keeps %j', (value: unknown) => {
    const literal = toLiteral(value)
    expect(literal).not.toMatch(/<|\u2028|\u2029/)
    // Two documents of JSON compare own properties; `toEqual` would take a prototype for one.
    expect(JSON.stringify(runInNewContext(`(${literal})`))).toBe(JSON.stringify(value))
  })
  it('leaves undefined properties out', () => expect(toLiteral({ a: undefined, b: 1 })).toBe('{"b":1}'))
  it.each([[undefined], [() => 1], [Symbol('a')], [1n]])('refuses what has no JSON (%s)', (value) => {
    expect(() => toLiteral(value)).toThrow(expect.objectContaining({ code: 'INTERNAL' }))
  })
  it('refuses cycles', () => {
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    expect(() => toLiteral(cyclic)).toThrow(expect.objectContaining({ code: 'INTERNAL' }))
  })
})
