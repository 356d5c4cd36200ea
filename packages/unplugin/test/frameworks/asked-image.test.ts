import { resolveOperations } from '@pixpress/core/internal'
import { describe, expect, it } from 'vitest'
import { askedOperations, unaskedTypes } from '../../src/frameworks/asked-image.ts'
import type { AskedImage } from '../../src/frameworks/asked-image.ts'
import { resolvePluginOptions } from '../../src/session/options/resolve.ts'

const OPTIONS = resolvePluginOptions({ report: false, cache: false, adjust: { grayscale: true } }, '/project')
const BOX = { width: 30, height: 20 }

describe('askedOperations', () => {
  it.each<[AskedImage, object]>([
    [{ width: 30 }, { resize: { method: 'scale', width: 30 } }],
    [{ height: 20 }, { resize: { method: 'scale', height: 20 } }],
    [{ ...BOX, fit: 'inside', position: 'top' }, { resize: { method: 'fit', ...BOX } }],
    [{ ...BOX, fit: 'cover' }, { resize: { method: 'cover', ...BOX } }],
    [{ ...BOX, fit: 'cover', position: 'top' }, { resize: { method: 'cover', ...BOX, position: 'top' } }],
    [{ ...BOX, fit: 'fill', enlarge: true }, { resize: { method: 'fill', ...BOX, enlarge: true } }],
    [{ background: '#ff0000' }, { transform: { background: '#ff0000' } }],
    [
      { ...BOX, fit: 'contain', background: '#ff0000' },
      { resize: { method: 'contain', ...BOX, background: '#ff0000' } },
    ],
    [
      { ...BOX, fit: 'contain', background: '#ff0000', type: 'image/jpeg' },
      {
        resize: { method: 'contain', ...BOX, background: '#ff0000' },
        convert: { type: 'image/jpeg' },
        transform: { background: '#ff0000' },
      },
    ],
    [
      { adjust: { rotate: 45 }, background: '#ff0000' },
      { adjust: { grayscale: true, rotate: 45, background: '#ff0000' } },
    ],
    [
      { adjust: { rotate: 90 }, background: '#ff0000' },
      { adjust: { grayscale: true, rotate: 90 }, transform: { background: '#ff0000' } },
    ],
    [{ adjust: { blur: 2, flip: true } }, { adjust: { grayscale: true, blur: 2, flip: true } }],
  ])('makes of %j what the engine takes', (asked, expected) => {
    const operations = askedOperations(OPTIONS, '/project/a.png', asked)
    expect(operations).toEqual({ adjust: { grayscale: true }, ...expected })
    expect(() => resolveOperations(operations)).not.toThrow()
  })
})

it('an image without a format is WebP, unless `convert` of this image says otherwise', () => {
  const overrides = [
    { include: 'new/**', convert: 'auto' },
    { include: 'raw/**', convert: false },
  ] as const
  const options = resolvePluginOptions({ report: false, cache: false, overrides }, '/project')
  expect(unaskedTypes(options, '/project/a.jpg')).toEqual(['image/webp'])
  expect(unaskedTypes(options, '/project/new/a.jpg')).toEqual(['image/avif', 'image/webp'])
  expect(unaskedTypes(options, '/project/raw/a.jpg')).toEqual([])
})
