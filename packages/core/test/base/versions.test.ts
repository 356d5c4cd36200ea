import { readFileSync } from 'node:fs'
import path from 'node:path'
import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { CODEC_RANGES, fits, requireFitting } from '../../src/base/versions.ts'

describe('the ranges of codecs', () => {
  it('are those of package.json, which the catalog has', () => {
    const catalog = readFileSync(path.resolve(import.meta.dirname, '../../../../pnpm-workspace.yaml'), 'utf8')
    for (const [name, range] of Object.values(CODEC_RANGES))
      expect(catalog).toMatch(new RegExp(`^ {2}'?${name}'?: ${range.replaceAll(/[.^]/g, String.raw`\$&`)}$`, 'm'))
  })

  it.each([
    ['0.35.5', '^0.35.5', true],
    ['0.35.17', '^0.35.5', true],
    ['0.35.6-rc.1', '^0.35.5', true],
    ['0.35.4', '^0.35.5', false],
    ['0.34.9', '^0.35.5', false],
    ['0.36.0', '^0.35.5', false],
    ['1.35.5', '^0.35.5', false],
    ['4.1.0', '^4.1.0', true],
    ['4.10.0', '^4.1.0', true],
    ['4.0.9', '^4.1.0', false],
    ['3.9.9', '^4.1.0', false],
    ['5.0.0', '^4.1.0', false],
    ['unknown', '^4.1.0', true],
  ])('%s in %s: %s', (version, range, expected) => {
    expect(fits(version, range)).toBe(expected)
  })
})

describe('requireFitting', () => {
  const [sharp, svgo] = [
    { name: 'sharp', range: '^0.35.5', version: '0.33.5', folder: '/a/sharp' },
    { name: 'svgo', range: '^4.1.0', version: '3.3.2', folder: '/a/svgo' },
  ]

  it('names every package that does not fit, where it is, and one command for all', () => {
    expect(() => requireFitting([sharp, svgo])).toThrow(
      failure(
        'MACHINE_UNFIT',
        'sharp 0.33.5',
        '/a/sharp',
        '^0.35.5',
        'svgo 3.3.2',
        '/a/svgo',
        '"sharp@^0.35.5" "svgo@^4.1.0"',
      ),
    )
    expect(() => requireFitting([{ ...sharp, version: '0.35.9' }])).not.toThrow()
  })
})
