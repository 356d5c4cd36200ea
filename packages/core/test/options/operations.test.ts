import { describe, expect, it } from 'vitest'
import { resolveOperations } from '../../src/options/operations.ts'
import type { Operations } from '../../src/types.ts'

const refused = (operations: unknown): string => {
  try {
    resolveOperations(operations as Operations)
  } catch (error) {
    expect(error).toMatchObject({ name: 'PixpressError', code: 'INVALID_OPTION', status: 400 })
    return (error as Error).message
  }
  throw new Error(`accepted: ${JSON.stringify(operations)}`)
}

describe('resolveOperations', () => {
  it('fills in the defaults', () => {
    expect(resolveOperations()).toEqual({
      resize: null,
      types: null,
      orInput: false,
      background: null,
      preserve: [],
      score: 80,
      maxBytes: null,
      effort: 'default',
      encoder: null,
    })
  })

  it('gives equal results for equal meaning', () => {
    const one = resolveOperations({
      convert: { type: ['image/png', 'image/webp', 'image/png'] },
      preserve: ['location', 'copyright'],
      transform: { background: '#FFFFFF' },
      quality: 'balanced',
    })
    const two = resolveOperations({
      quality: 70,
      transform: { background: 'white' },
      preserve: ['copyright', 'location', 'copyright'],
      convert: { type: ['image/webp', 'image/png'] },
    })
    expect(JSON.stringify(one)).toBe(JSON.stringify(two))
  })

  it('completes and orders the settings of encoders', () => {
    const one = resolveOperations({ encoder: { 'image/png': {}, 'image/jpeg': { quality: 80 } } })
    const two = resolveOperations({ encoder: { 'image/jpeg': { progressive: true }, 'image/png': { dither: 1 } } })
    expect(JSON.stringify(one)).toBe(JSON.stringify(two))
    expect(one.encoder).toEqual({
      'image/jpeg': { quality: 80, chromaSubsampling: '4:2:0', progressive: true },
      'image/png': { dither: 1 },
    })
    expect(resolveOperations({ encoder: {} }).encoder).toBeNull()
    expect(resolveOperations({ encoder: { png: {} } })).toEqual(resolveOperations({ encoder: { 'image/png': {} } }))
  })

  it.each([
    ['one type is a demand', 'image/webp', ['image/webp'], false],
    ['a list lets the input compete', ['image/webp'], ['image/webp'], true],
    ['the wildcard stands for all four', '*/*', ['image/avif', 'image/webp', 'image/jpeg', 'image/png'], true],
    ['image/jpg is image/jpeg', 'image/jpg', ['image/jpeg'], false],
    ['webp is image/webp', 'webp', ['image/webp'], false],
    ['names of formats may stand in a list', ['jpeg', 'AVIF'], ['image/avif', 'image/jpeg'], true],
  ])('%s', (_, type, types, orInput) => {
    expect(resolveOperations({ convert: { type } } as Operations)).toMatchObject({ types, orInput })
  })

  it.each([
    [{ method: 'scale', width: 10 }],
    [{ method: 'scale', height: 10 }],
    [{ method: 'fit', width: 10, height: 20 }],
    [{ method: 'cover', width: 1, height: 1 }],
    [{ method: 'thumb', width: 10, height: 20 }],
  ])('keeps the resize %j', (resize) => {
    expect(resolveOperations({ resize } as Operations).resize).toEqual(resize)
  })

  it.each([
    [{ resize: { method: 'scale', width: 10, height: 10 } }, /exactly one of 'width' and 'height'/],
    [{ resize: { method: 'scale' } }, /exactly one of 'width' and 'height'/],
    [{ resize: { method: 'fit', width: 10 } }, /both 'width' and 'height' with method 'fit'/],
    [{ resize: { width: 10 } }, /'resize\.method' but received undefined/],
    [{ resize: { method: 'covr', width: 1, height: 1 } }, /Did you mean 'cover'\?/],
    [
      { resize: { method: 'fit', width: 0, height: 1 } },
      /a whole number of at least 1 for 'resize\.width' but received 0/,
    ],
    [{ resize: { method: 'fit', width: 1.5, height: 1 } }, /received 1\.5/],
    [{ resize: { method: 'fit', width: '1', height: 1 } }, /received '1' of type string/],
    [{ resize: { method: 'fit', width: 1, height: 1, heigth: 2 } }, /'resize\.heigth'.*Did you mean 'height'\?/],
    [{ maxBytes: 0 }, /a whole number of at least 1 for 'maxBytes' but received 0/],
    [{ maxBytes: '9' }, /received '9' of type string/],
    [{ effort: 'fats' }, /Did you mean 'fast'\?/],
    [{ encoder: { 'image/jpge': {} } }, /Did you mean 'image\/jpeg'\?/],
    [{ encoder: { 'image/jpeg': { qualty: 8 } } }, /'encoder\.image\/jpeg\.qualty'.*Did you mean 'quality'\?/],
    [{ encoder: { 'image/jpeg': { quality: 101 } } }, /a whole number from 1 to 100/],
    [{ encoder: { 'image/avif': { chromaSubsampling: '4:2:2' } } }, /'4:2:0' or '4:4:4'/],
    [{ encoder: { 'image/png': { dither: 2 } } }, /a number from 0 to 1/],
    [{ encoder: 'image/png' }, /an object for 'encoder'/],
    [{ convert: { type: 'image/wepb' } }, /Did you mean 'image\/webp'\?/],
    [{ convert: { type: [] } }, /at least one type/],
    [{ convert: 'image/webp' }, /an object for 'convert'/],
    [{ transform: { background: 'red' } }, /'#rrggbb', 'white' or 'black'/],
    [{ transform: { background: '#fff' } }, /'transform\.background'/],
    [{ preserve: ['copyrigth'] }, /Did you mean 'copyright'\?/],
    [{ preserve: 'copyright' }, /a list of/],
    [{ quality: 'hihg' }, /Did you mean 'high'\?/],
    [{ quality: 0 }, /a score from 1 to 100/],
    [{ qualty: 3 }, /'qualty'.*Did you mean 'quality'\?/],
    [null, /an object for 'operations'/],
  ])('refuses %j', (operations, message) => {
    expect(refused(operations)).toMatch(message)
  })
})
