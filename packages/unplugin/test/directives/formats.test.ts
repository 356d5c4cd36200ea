import { describe, expect, it } from 'vitest'
import type { InputType, Operations } from '@pixpress/core'
import { convertType, withPictureFormats } from '../../src/directives/formats.ts'
import type { Alternatives } from '../../src/directives/combination.ts'
import type { Format } from '../../src/directives/vocabulary.ts'

function formats(
  type: InputType,
  given: { format?: Format[]; background?: ['white']; convert?: NonNullable<Operations['convert']>['type'] },
  more: { hasAlpha?: boolean; frames?: number; defaults?: Operations } = {},
): readonly Format[] | undefined {
  const { convert, ...alternatives } = given
  const source = { width: 10, height: 10, type, hasAlpha: more.hasAlpha ?? false, frames: more.frames ?? 1 }
  const defaults = { ...more.defaults, ...(convert !== undefined && { convert: { type: convert } }) }
  return withPictureFormats(alternatives as Alternatives, defaults, source).format
}

describe('convertType', () => {
  it.each([
    ['avif', 'image/avif'],
    ['jxl', 'image/jxl'],
    ['webp', 'image/webp'],
    ['jpeg', 'image/jpeg'],
    ['png', null],
    ['original', null],
    ['auto', '*/*'],
  ] as const)('of %s for a PNG is %s', (format, type) => {
    expect(convertType(format, 'image/png')).toBe(type)
  })
})

describe('withPictureFormats', () => {
  it.each([
    ['image/jpeg', false, ['avif', 'webp', 'jpeg']],
    ['image/png', false, ['avif', 'webp', 'png']],
    ['image/png', true, ['avif', 'webp', 'png']],
    ['image/webp', false, ['avif', 'webp', 'jpeg']],
    ['image/webp', true, ['avif', 'webp', 'png']],
    ['image/avif', true, ['avif', 'webp', 'png']],
    ['image/jxl', false, ['avif', 'jxl', 'webp', 'jpeg']],
  ] as const)('spells out auto for %s (transparent: %s)', (type, hasAlpha, expected) => {
    expect(formats(type, { format: ['auto'] }, { hasAlpha })).toEqual(expected)
  })

  it('takes JPEG where the image is flattened onto a background', () => {
    expect(formats('image/webp', { format: ['auto'], background: ['white'] }, { hasAlpha: true })?.at(-1)).toBe('jpeg')
    const defaults: Operations = { transform: { background: 'white' } }
    expect(formats('image/webp', { format: ['auto'] }, { hasAlpha: true, defaults })?.at(-1)).toBe('jpeg')
  })

  it("spells out a list in the plugin's convert, with the source's own type, which may win there", () => {
    expect(formats('image/png', { convert: ['image/webp'] })).toEqual(['webp', 'png'])
    expect(formats('image/jpeg', { convert: ['image/webp', 'image/avif'] })).toEqual(['avif', 'webp', 'jpeg'])
    expect(formats('image/webp', { convert: ['image/avif'] })).toEqual(['avif', 'webp'])
    expect(formats('image/webp', { convert: '*/*' })).toEqual(['avif', 'webp', 'jpeg'])
    expect(formats('image/jpeg', { convert: ['image/jxl', 'image/webp'] })).toEqual(['jxl', 'webp', 'jpeg'])
  })

  it('leaves named formats and a demand as they are', () => {
    expect(formats('image/png', { format: ['webp', 'jpeg'], convert: ['image/avif'] })).toEqual(['webp', 'jpeg'])
    expect(formats('image/png', { format: ['avif', 'auto'] })).toEqual(['avif', 'webp', 'png'])
    expect(formats('image/png', { convert: 'image/webp' })).toBeUndefined()
    expect(formats('image/png', {})).toBeUndefined()
  })

  it('gives a source whose type is only read a fallback that every browser shows', () => {
    expect(formats('image/tiff', { convert: ['image/webp', 'image/avif'] })).toEqual(['avif', 'webp', 'jpeg'])
    expect(formats('image/tiff', { convert: ['image/webp'] }, { hasAlpha: true })).toEqual(['webp', 'png'])
    expect(formats('image/bmp', { format: ['auto'] })).toEqual(['avif', 'webp', 'jpeg'])
    expect(formats('image/bmp', {})).toBeUndefined()
  })

  it('leaves vector images and animations to the engine', () => {
    expect(formats('image/svg+xml', { format: ['auto'] })).toEqual(['auto'])
    expect(formats('image/gif', { convert: ['image/webp'] })).toBeUndefined()
    expect(formats('image/webp', { format: ['auto'] }, { frames: 12 })).toEqual(['auto'])
  })
})
