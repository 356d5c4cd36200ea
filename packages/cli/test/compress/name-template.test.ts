import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { parseNameTemplate } from '../../src/compress/name-template.ts'

const VALUES = { name: 'a', ext: 'webp', width: 80, height: 60, from: 'jpg' }

describe('parseNameTemplate', () => {
  it.each([
    ['{name}-{width}x{height}.{from}.{ext}', 'a-80x60.jpg.webp'],
    ['w{width}/..{name}.{ext}', 'w80/..a.webp'],
  ])('fills %s', (text, name) => {
    expect(parseNameTemplate(text)(VALUES)).toBe(name)
  })

  it.each(['../{name}.{ext}', 'a/../../{name}.{ext}', './{name}.{ext}', '/{name}.{ext}', String.raw`..\{name}.{ext}`])(
    'refuses a name that leaves the folder: %s',
    (text) => {
      expect(() => parseNameTemplate(text)).toThrow(failure('UsageError', '--name', text))
    },
  )
})
