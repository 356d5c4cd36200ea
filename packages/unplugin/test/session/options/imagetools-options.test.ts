import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkOptions } from '../../../src/session/options/check-options.ts'
import { fromImagetools } from '../../../src/session/options/imagetools-options.ts'
import type { Options } from '../../../src/session/options/options.ts'

const compat = 'imagetools'
const read = (options: object): object => fromImagetools({ compat, ...options } as Options)

describe('fromImagetools', () => {
  it.each([
    ['extendOutputFormats', () => ({}), "Write 'outputs'"],
    ['extendTransforms', () => [], 'work on the file before the build'],
    ['resolveConfigs', () => [], 'Write a preset'],
    ['removeMetadata', false, "'preserve' keeps"],
  ])('says what takes the place of %s, whoever checks the options', (name, value, expected) => {
    for (const options of [{ [name]: value }, { compat, [name]: value }] as Options[]) {
      const message = RegExp(`^Option '${name}' of vite-imagetools is not supported\\. .*${expected}`)
      expect(() => fromImagetools(options)).toThrow(message)
      expect(() => checkOptions(options, 'vite')).toThrow(message)
    }
  })

  it('takes a removal of metadata, which is done in any case', () => {
    expect(read({ removeMetadata: true })).toEqual({ compat })
    expect(() => fromImagetools({ removeMetadata: true } as Options)).toThrow("Option 'removeMetadata'")
  })

  it.each([
    [{ enabled: false, dir: 'x' }, false],
    [{ enabled: true }, {}],
    [{ dir: './cache' }, { dir: path.resolve('cache') }],
    [false, false],
  ])('reads its cache %j', (cache, expected) => {
    expect(read({ cache })).toEqual({ compat, cache: expected })
    expect(() => checkOptions({ compat, cache } as Options, 'vite')).not.toThrow()
  })

  it('names what bounds the cache here', () => {
    expect(() => read({ cache: { retention: 86_400 } })).toThrow(/'cache\.retention'.+maxSize/)
  })

  it.each([
    ['**/*.png?*', ['**/*.png']],
    [['**/*.{png,jpg}', '**/*.{png,jpg}?*'], ['**/*.{png,jpg}']],
    ['', []],
    [/\.png$/, [/\.png$/]],
  ])('reads the filter %j, which sees queries there', (include, expected) => {
    expect(read({ include, exclude: include })).toEqual({ compat, include: expected, exclude: expected })
  })

  it('leaves options alone that are not meant so', () => {
    const options = { include: '**/*.png?*' }
    expect(fromImagetools(options)).toBe(options)
  })
})
