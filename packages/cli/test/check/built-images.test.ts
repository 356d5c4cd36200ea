import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createBuiltImages } from '../../src/check/built-images.ts'
import type { BuiltImages } from '../../src/check/built-images.ts'
import type { Config } from '../../src/base/config.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

const at = (file: string): string => path.join(folder.path, file)
const built = (config: Config, flags: object = {}): BuiltImages => createBuiltImages(config, flags, folder.path)
const operations = (config: Config, file: string, flags?: object): object =>
  built(config, flags).operationsOf(at(file)).operations

const WEBP = { convert: { type: 'image/webp' } } as const

beforeEach(() => folder.write({ 'package.json': '{"devDependencies":{"unplugin-pixpress":"1"}}' }))

describe('createBuiltImages', () => {
  it('has the images that the configuration gives to builds', () => {
    const { isBuilt } = built({ include: 'src/**', exclude: '**/raw/**' })
    expect(['src/a.png', 'src/raw/a.png', 'docs/a.png'].map((file) => isBuilt(at(file)))).toEqual([true, false, false])
  })

  it('has copied files unless builds leave them as they are', () => {
    expect(built({}).isBuilt(at('public/a.png'))).toBe(true)
    expect(built({ publicDir: false }).isBuilt(at('public/a.png'))).toBe(false)
    expect(built({ publicDir: false }).isBuilt(at('src/public/a.png'))).toBe(true)
  })

  it('has none without the plugin', async () => {
    await folder.write({ 'package.json': '{}' })
    expect(built({}).isBuilt(at('a.png'))).toBe(false)
  })

  it('converts images, and nothing that is copied or that an override leaves out', () => {
    const { convert } = { convert: { type: ['image/webp'] } }
    expect(operations(WEBP, 'src/a.png')).toEqual({ convert })
    for (const [config, file] of [
      [WEBP, 'public/a.png'],
      [{ ...WEBP, overrides: [{ include: 'src/**', convert: false }] }, 'src/a.png'],
    ] as const) {
      expect(operations(config, file)).toEqual({})
      expect(built(config).isConverted(at(file))).toBe(false)
    }
    expect(built(WEBP).isConverted(at('src/a.png'))).toBe(true)
    expect(built({}).isConverted(at('src/a.png'))).toBe(false)
  })

  it.each([
    [undefined, ['image/avif', 'image/webp']],
    ['{"lock":1}', ['image/avif', 'image/webp']],
    ['{"lock":1,"auto":["image/webp"],"browsers":"baseline"}', ['image/webp']],
    ['{"lock":1,"auto":[],"browsers":"baseline"}', undefined],
  ])("takes the formats of convert: 'auto' from the lock, as builds do: %s", async (header, type) => {
    if (header !== undefined) await folder.write({ 'pixpress.lock': `${header}\n` })
    const expected = type === undefined ? {} : { convert: { type } }
    expect(operations({ convert: 'auto' }, 'src/a.png')).toEqual(expected)
    expect(operations({ overrides: [{ include: 'src/**', convert: 'auto' }] }, 'src/a.png')).toEqual(expected)
  })

  it('adds overrides in order, and flags above all', () => {
    const config: Config = {
      quality: 'balanced',
      overrides: [
        { include: 'src/**', quality: 70 },
        { include: 'src/hero/**', exclude: '**/raw.png', quality: 60, effort: 'fast' },
      ],
    }
    expect(operations(config, 'a.png')).toEqual({ quality: 'balanced' })
    expect(operations(config, 'src/a.png')).toEqual({ quality: 70 })
    expect(operations(config, 'src/hero/a.png')).toEqual({ quality: 60, effort: 'fast' })
    expect(operations(config, 'src/hero/raw.png')).toEqual({ quality: 70 })
    expect(operations(config, 'src/a.png', { quality: 50 })).toEqual({ quality: 50 })
    expect(built(config).operationsOf(at('src/hero/a.png')).score).toBe(60)
  })

  it('asks for nothing but their own settings of vectors', () => {
    expect(operations({ quality: 50, ...WEBP }, 'src/a.svg')).toEqual({ keepElements: true })
    const svgo = { multipass: false }
    expect(operations({ quality: 50, svgo }, 'src/a.SVG', { quality: 40 })).toEqual({ svgo, keepElements: true })
    expect(operations({ keepElements: false }, 'src/a.svg')).toEqual({})
  })
})
