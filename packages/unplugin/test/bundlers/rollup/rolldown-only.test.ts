import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import { browserUrl, withoutTimings } from '../../../src/bundlers/rollup/rolldown-only.ts'

const file = { fileName: 'assets/a b.webp', relativePath: '../assets/a b.webp', referenceId: 'x' }
const page = {
  currentScript: { tagName: 'SCRIPT', src: 'https://site.test/js/deep/main.js' },
  baseURI: 'https://site.test/',
}

describe('browserUrl', () => {
  it.each(['es', 'cjs', 'system'])('leaves %s to the bundler', (format) => {
    expect(browserUrl({ ...file, format })).toBeNull()
  })

  it.each([
    ['iife', { document: page }, 'https://site.test/js/assets/a%20b.webp'],
    ['umd', { document: page }, 'https://site.test/js/assets/a%20b.webp'],
    ['iife', { document: { ...page, currentScript: null } }, 'https://site.test/assets/a%20b.webp'],
    ['iife', { location: { href: 'https://site.test/js/worker.js' } }, 'https://site.test/assets/a%20b.webp'],
  ])('is relative to what runs, %s in %j', (format, scope, expected) => {
    expect(vm.runInNewContext(browserUrl({ ...file, format })!, { ...scope, URL })).toBe(expected)
  })

  it('is a path on the disk for UMD in Node', () => {
    const url = vm.runInNewContext(browserUrl({ ...file, format: 'umd' })!, {
      require: process.getBuiltinModule,
      __dirname: '/out/js',
    })
    expect(url).toBe('file:///out/assets/a%20b.webp')
  })
})

describe('withoutTimings', () => {
  it('adds to what is there', () => {
    expect(withoutTimings({ input: 'a.js' })).toEqual({ input: 'a.js', checks: { pluginTimings: false } })
    const checks = { circularDependency: true }
    expect(withoutTimings({ checks })).toEqual({ checks: { circularDependency: true, pluginTimings: false } })
    expect(checks).toEqual({ circularDependency: true })
  })

  it.each([{ pluginTimings: true }, { bundlerTimings: true }])('leaves what the user has set: %j', (checks) => {
    expect(withoutTimings({ checks })).toBeNull()
  })
})
