import { describe, expect, it } from 'vitest'
import { readOperations, withOpenWidth } from '../../src/delivery/operations.ts'

const presets = new Map([
  ['thumb', 'w=200;h=200;fit=cover'],
  ['plain', 'format=original'],
  ['nested', 'preset=thumb'],
])
const read = (text: string) => readOperations(text, presets)

describe('readOperations', () => {
  it.each([
    ['-', {}],
    ['w=640', { resize: { method: 'scale', width: 640 } }],
    ['w=640;h=480', { resize: { method: 'fit', width: 640, height: 480 } }],
    ['width=640;height=480;resize=cover', { resize: { method: 'cover', width: 640, height: 480 } }],
    [
      'w=640;aspect=16:9;position=0.3,0.6',
      { resize: { method: 'cover', width: 640, aspect: '16:9', position: [0.3, 0.6] } },
    ],
    ['q=70', { quality: 70 }],
    ['quality=small;max-bytes=30kB', { quality: 'small', maxBytes: 30_000 }],
    ['grayscale;blur=2', { adjust: { grayscale: true, blur: 2 } }],
    ['format=avif', { convert: { type: 'image/avif' } }],
    ['format=avif,webp', { convert: { type: ['image/avif', 'image/webp'] } }],
    ['preserve=copyright,location', { preserve: ['copyright', 'location'] }],
    ['preset=thumb', { resize: { method: 'cover', width: 200, height: 200 } }],
    ['preset=thumb;w=100', { resize: { method: 'cover', width: 100, height: 200 } }],
    ['v=2;w=64', { resize: { method: 'scale', width: 64 } }],
  ])('reads %s', (text, operations) => {
    expect(read(text).operations).toEqual(operations)
  })

  it('tells who decides the type', () => {
    expect(
      ['-', 'format=auto', 'format=original', 'preset=plain', 'format=webp'].map((text) => read(text).type),
    ).toEqual(['auto', 'auto', 'own', 'own', 'asked'])
  })

  it('reads what is no operation', () => {
    expect(read('expires=1800000000;download=a b.jpg')).toMatchObject({
      operations: {},
      expires: 1_800_000_000,
      download: 'a b.jpg',
    })
  })

  it.each([
    ['widht=640', "Unknown operation 'widht'. Did you mean 'width'?"],
    ['w=640;width=320', "The operation 'width' is given twice."],
    ['w', "The operation 'width' needs a value: width=…."],
    ['grayscale=yes', "The operation 'grayscale' takes no value."],
    ['w=0', 'width must be a whole number of at least 1'],
    ['w=-5', 'width must be a whole number'],
    ['w=*', "This is a template: put a width in the place of the '*' of 'w=*'."],
    ['blur=9999', "'blur'"],
    ['format=bmp', "'convert.type'"],
    ['preset=tumb', "Unknown preset 'tumb'. Did you mean 'thumb'?"],
    ['preset=nested', "The preset 'nested' names another preset, which presets cannot."],
    ['expires=tomorrow', "Expected seconds since 1970 for 'expires'"],
    ['', "Unknown operation ''."],
    ['w=64;', "Unknown operation ''."],
    ['__proto__=1', "Unknown operation '__proto__'."],
  ])('refuses %s in one sentence', (text, sentence) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(sentence) }),
    )
  })
})

describe('withOpenWidth', () => {
  const widths = new Set([320, 640])

  it('opens one of the allowed widths, wherever it stands', () => {
    expect(withOpenWidth('w=640', widths)).toBe('w=*')
    expect(withOpenWidth('q=70;w=320;v=1', widths)).toBe('q=70;w=*;v=1')
  })

  it.each(['w=641', 'w=0640', 'w=*', 'width=640', 'h=640', 'ww=640', '-'])('opens nothing in %s', (text) => {
    expect(withOpenWidth(text, widths)).toBeUndefined()
  })
})
