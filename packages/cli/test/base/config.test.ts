import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { failure } from '@pixpress/testkit'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Options } from 'unplugin-pixpress'
import { CONFIG_FILES, defineConfig, loadConfig } from '../../src/base/config.ts'
import type { Config } from '../../src/base/config.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

describe('loadConfig', () => {
  it('has nothing to say where there is no file', async () => {
    expect(await loadConfig(folder.path)).toEqual({ config: {}, file: undefined })
  })

  it.each(CONFIG_FILES)('reads %s', async (name) => {
    const types = name.endsWith('ts') ? 'const quality: string = "balanced"' : 'const quality = "balanced"'
    await folder.write({ [name]: `${types}\nexport default { quality }` })
    expect(await loadConfig(folder.path)).toEqual({
      config: { quality: 'balanced' },
      file: path.join(folder.path, name),
    })
  })

  it('finds the nearest file upwards, TypeScript first', async () => {
    await folder.write({
      'pixpress.config.js': 'export default { quality: 50 }',
      'pixpress.config.ts': 'export default { quality: 60 }',
      'a/pixpress.config.mjs': 'export default { quality: 70 }',
    })
    await mkdir(path.join(folder.path, 'a/b/c'), { recursive: true })
    expect((await loadConfig(folder.path)).config).toEqual({ quality: 60 })
    expect((await loadConfig(path.join(folder.path, 'a/b/c'))).config).toEqual({ quality: 70 })
    expect((await loadConfig(path.join(folder.path, 'a/b'), '../../pixpress.config.js')).config).toEqual({
      quality: 50,
    })
  })

  it('leaves the options of the plugin alone', async () => {
    await folder.write({ 'pixpress.config.mjs': 'export default { presets: {}, publicDir: false, report: false }' })
    expect((await loadConfig(folder.path)).config).toEqual({ presets: {}, publicDir: false, report: false })
  })

  it.each([
    ['export default { qualty: 80 }', /Unknown option 'qualty'. Did you mean 'quality'\?/],
    ['export const quality = 80', /must export its options as the default/],
    ['export default [80]', /must export its options as the default/],
    ['export default {', /cannot be loaded: /],
    ['import "./nothing.mjs"', /cannot be loaded: .*nothing/],
  ])('refuses %j', async (content, message) => {
    await folder.write({ 'pixpress.config.mjs': content })
    await expect(loadConfig(folder.path)).rejects.toThrow(message)
  })

  it('wants the file that is named', async () => {
    await expect(loadConfig(folder.path, 'mine.ts')).rejects.toThrow(failure('UsageError', "'mine.ts'"))
  })
})

describe('defineConfig', () => {
  it('gives back what it got, which the plugin takes', () => {
    const config = defineConfig({ quality: 'small', presets: { hero: { w: [640] } } })
    expect(config).toEqual({ quality: 'small', presets: { hero: { w: [640] } } })
    expectTypeOf({ quality: 'small', convert: { type: '*/*' } } as const).toExtend<Config>()
    expectTypeOf({ quality: 'small', convert: { type: '*/*' } } as const).toExtend<Options>()
  })
})
