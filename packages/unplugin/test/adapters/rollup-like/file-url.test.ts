import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import { browserUrl } from '../../../src/adapters/rollup-like/file-url.ts'

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
