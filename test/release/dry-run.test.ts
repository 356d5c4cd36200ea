import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { materialsOf } from '../../scripts/release/materials.mjs'
import { inOrder } from '../../scripts/release/pack.mjs'
import { summaryOf } from '../../scripts/release/summary.mjs'

const named = (name: string, ...needs: string[]): { name: string; dependencies: Record<string, string> } => ({
  name,
  dependencies: Object.fromEntries(needs.map((each) => [each, '1.0.0'])),
})

describe('inOrder', () => {
  it('puts a package after all that it depends on', () => {
    const packages = [named('plugin', 'core', 'client', 'sharp'), named('astro', 'core', 'plugin'), named('core')]
    const order = inOrder([...packages, named('client')]).map(({ name }) => name)
    expect(order).toEqual(['client', 'core', 'plugin', 'astro'])
  })

  it('refuses packages that depend on each other', () => {
    expect(() => inOrder([named('a', 'b'), named('b', 'a')])).toThrow('circle: a, b')
  })
})

const component = (name: string, url: string): object => ({
  'bom-ref': `${name}@1`,
  name,
  properties: [{ name: 'cdx:npm:package:path', value: `node_modules/${name}` }],
  externalReferences: [{ type: 'distribution', url }],
})

describe('materialsOf', () => {
  const project = {
    bomFormat: 'CycloneDX',
    serialNumber: 'urn:uuid:1',
    metadata: { timestamp: '2001-01-01', tools: ['npm'], component: { name: 'trial' } },
    components: [
      component('@pixpress/core', 'file:/tmp/core.tgz'),
      component('sharp', 'https://example.com/sharp.tgz'),
      component('detect-libc', 'https://example.com/detect-libc.tgz'),
      component('parse5', 'https://example.com/parse5.tgz'),
    ],
    dependencies: [
      { ref: 'trial@1', dependsOn: ['@pixpress/core@1', 'parse5@1'] },
      { ref: '@pixpress/core@1', dependsOn: ['sharp@1'] },
      { ref: 'sharp@1', dependsOn: ['detect-libc@1'] },
      { ref: 'detect-libc@1', dependsOn: [] },
      { ref: 'parse5@1', dependsOn: [] },
    ],
  }

  it('lists what one package needs, directly or not, and nothing of the others', () => {
    const list = materialsOf(project, '@pixpress/core')
    expect(list.metadata.component.name).toBe('@pixpress/core')
    expect(list.components.map(({ name }: { name: string }) => name)).toEqual(['sharp', 'detect-libc'])
    expect(list.dependencies.map(({ ref }: { ref: string }) => ref)).toEqual([
      '@pixpress/core@1',
      'sharp@1',
      'detect-libc@1',
    ])
  })

  it('holds no time, no random number and no place of the machine that made it', () => {
    const text = JSON.stringify(materialsOf(project, '@pixpress/core'))
    expect(text).not.toMatch(/2001-01-01|urn:uuid|file:|node_modules/)
    expect(text).toContain('https://example.com/sharp.tgz')
  })

  it('fails for a package that is not installed', () => {
    expect(() => materialsOf(project, 'pixpress')).toThrow(failure('Error', 'is not among'))
  })
})

describe('summaryOf', () => {
  it('shows name, version, files and bytes of each package, then the changelog', () => {
    const sizes = { tarball: '/a.tgz', dependencies: {}, files: 29, packed: 17_900, unpacked: 57_400 }
    expect(summaryOf([{ name: '@pixpress/client', version: '0.1.0', ...sizes }], '- A line.')).toBe(
      [
        'package           version  files   packed  unpacked',
        '@pixpress/client  0.1.0       29  17.9 kB   57.4 kB',
        '',
        '- A line.',
        '',
      ].join('\n'),
    )
  })
})
