import { naming, failure } from '@pixpress/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readFileSync } from 'node:fs'
import { isAtLeast, requireVersion } from '../../../src/bundlers/adapter/required-version.ts'
import { rspack, webpack } from '../../../src/bundlers/index.ts'
import pixpress from '../../../src/index.ts'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  peerDependencies: Record<string, string>
}

afterEach(() => vi.unstubAllEnvs())

describe('requireVersion', () => {
  it.each([
    ['pnpm/10.34.8 npm/? node/v20', 'pnpm add -D vite@5'],
    ['yarn/4.9.0 npm/? node/v20', 'yarn add -D vite@5'],
    ['bun/1.3.0', 'bun add -d vite@5'],
    ['npm/11.0.0 node/v20', 'npm install --save-dev vite@5'],
  ])('speaks as %s', (agent, command) => {
    vi.stubEnv('npm_config_user_agent', agent)
    expect(() => requireVersion('Vite', '5.3.9')).toThrow(`and this is 5.3.9. Update it: ${command}`)
  })

  it('says what is needed and how to get it', () => {
    vi.stubEnv('npm_config_user_agent', '')
    expect(() => requireVersion('webpack', '5.89.0')).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: naming('webpack 5.90', '5.89.0', 'npm install --save-dev webpack@5'),
      }),
    )
    expect(() => requireVersion('Vite', undefined)).toThrow(failure('INVALID_OPTION', 'Vite 5.4'))
    expect(() => requireVersion('webpack', '5.112.2')).not.toThrow()
  })

  it('requires what the manifest does', () => {
    expect(manifest.peerDependencies.vite).toBe('>=5.4.0')
    expect(manifest.peerDependencies.webpack).toBe('>=5.90.0')
    expect(manifest.peerDependencies['@rspack/core']).toMatch(/^>=1\.5 /)
  })

  it('lets npm install the plugin beside any version of the libraries that only components need', () => {
    const { peerDependencies } = manifest
    const libraries = ['react', 'solid-js', 'svelte', 'vue'].map((name) => peerDependencies[name])
    expect(libraries).toEqual(['*', '*', '*', '*'])
  })

  it.each([
    ['5.4.0', '5.4', true],
    ['5.10.1', '5.4', true],
    ['6.0.0-beta.1', '5.4', true],
    ['5.3.9', '5.4', false],
    ['4.99.0', '5.4', false],
  ])('compares %s with %s', (version, required, expected) => {
    expect(isAtLeast(version, required)).toBe(expected)
  })
})

describe('a bundler that is too old', () => {
  it('is refused by the plugin for Vite', () => {
    const [root] = [pixpress.vite()].flat()
    const options = root?.options as (this: { meta: object }) => unknown
    expect(() => options.call({ meta: { rollupVersion: '3.29.5' } })).toThrow('pixpress needs Vite 5.4 or newer')
    expect(options.call({ meta: { rollupVersion: '4.20.0' } })).toBeNull()
    expect(options.call({ meta: { rollupVersion: '4.0.0', rolldownVersion: '1.0.0' } })).toBeNull()
  })

  it('is refused by the plugins for webpack and Rspack', () => {
    const compiler = { options: {}, context: import.meta.dirname, hooks: {} }
    expect(() => webpack()[0]?.webpack?.(compiler as never)).toThrow('pixpress needs webpack 5.90 or newer')
    expect(() => rspack()[0]?.rspack?.(compiler as never)).toThrow('pixpress needs Rspack 1.5 or newer')
  })
})
