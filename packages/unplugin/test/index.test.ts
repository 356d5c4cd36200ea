import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import * as bundlers from '../src/bundlers/index.ts'
import type { Adapter } from '../src/bundlers/adapter/adapter.ts'
import pixpress, { PixpressError } from '../src/index.ts'

const META = { versions: {} } as const

describe('the default export', () => {
  it('refuses a bundler that there is no adapter for, and names those there are', () => {
    for (const refused of [
      () => (pixpress as unknown as { unloader(): unknown }).unloader(),
      () => pixpress.raw({}, { ...META, framework: 'unloader' }),
    ]) {
      expect(refused).toThrow(PixpressError)
      expect(refused).toThrow(/'unloader'.*vite.*webpack/s)
    }
    expect(() => pixpress.raw({}, { ...META, framework: 'foopack' as 'vite' })).toThrow(/'foopack'/)
  })

  it("gives the bundlers' own plugins", () => {
    const plugins = pixpress.vite()
    expect(Array.isArray(plugins) && plugins.every(({ name }) => name.startsWith('pixpress'))).toBe(true)
    const own = { name: 'pixpress', load: { filter: { id: expect.any(RegExp) as RegExp } } }
    expect([pixpress.rollup()].flat()[0]).toMatchObject(own)
    expect(pixpress.rsbuild()).toMatchObject({ name: 'pixpress', setup: expect.any(Function) })
    expect(pixpress.webpack()).toMatchObject({ apply: expect.any(Function) })
  })
})

describe.each(Object.entries(bundlers) as [string, Adapter][])('the adapter for %s', (name, adapter) => {
  it('has hooks under its own name alone', () => {
    const plugins = adapter()
    expect(plugins.length).toBeGreaterThan(0)
    for (const plugin of plugins) {
      expect(
        Object.keys(plugin)
          .filter((key) => key !== 'enforce')
          .toSorted(),
      ).toEqual(['name', name].toSorted())
    }
  })

  it('makes its objects anew for every call', () => {
    const [first, second] = [adapter(), adapter()]
    for (const [index, plugin] of first.entries()) expect(plugin).not.toBe(second[index])
  })

  it('refuses wrong options at once, in one sentence without a stack', () => {
    const wrong: [object, string][] = [
      [{ qualty: 80 }, "Unknown option 'qualty'. Did you mean 'quality'?"],
      [{ quality: 'best' }, "for 'quality' but received 'best' of type string."],
      [{ convert: { type: 'image/bmp' } }, "'image/bmp'"],
      [{ presets: { hero: { widht: 5 } } }, "Unknown option 'presets.hero.widht'. Did you mean 'w'?"],
      [{ engine: { endpoint: 'nowhere' } }, "'engine.endpoint'"],
      [{ store: {} }, 'store'],
      [{ publicPath: 5 }, "'publicPath'"],
    ]
    for (const [options, message] of wrong) {
      const error = thrownBy(() => adapter(options as never))
      expect(error).toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining(message) })
      expect(error.stack).toBe(`PixpressError: ${error.message}`)
      expect(inspect(error)).toBe(`[PixpressError: ${error.message}]`)
    }
  })
})

function thrownBy(action: () => unknown): Error {
  try {
    action()
  } catch (error) {
    return error as Error
  }
  throw new Error('Nothing was thrown.')
}
