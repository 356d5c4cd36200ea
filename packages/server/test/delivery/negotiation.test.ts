import { describe, expect, it } from 'vitest'
import { acceptedTypes, negotiated } from '../../src/delivery/negotiation.ts'
import { CHROMIUM, SAFARI } from '../support/delivery.ts'

const auto = { operations: { quality: 70 }, type: 'auto' } as const
const types = (...given: Parameters<typeof negotiated>): unknown => negotiated(...given).convert?.type

describe('acceptedTypes', () => {
  it.each([
    [CHROMIUM, ['image/avif', 'image/webp']],
    [SAFARI, ['image/avif', 'image/jxl', 'image/webp']],
    ['*/*', []],
    ['image/*', []],
    [undefined, []],
    ['', []],
    ['image/webp;q=0', []],
    ['image/avif;q=0.000, IMAGE/WEBP ; q=0.1', ['image/webp']],
    ['image/webp;q=0.05,image/jpeg', ['image/webp']],
  ])('of %j are %j', (accept, accepted) => {
    expect([...acceptedTypes(accept)].sort()).toEqual(accepted)
  })
})

describe('negotiated', () => {
  it('adds the accepted types to the own one', () => {
    expect(types(auto, 'image/jpeg', ['image/avif', 'image/webp'])).toEqual(['image/avif', 'image/webp', 'image/jpeg'])
    expect(types(auto, 'image/webp', ['image/avif', 'image/webp'])).toEqual(['image/avif', 'image/webp'])
  })

  it('keeps the own type where the client names no other', () => {
    expect(types(auto, 'image/png', [])).toBeUndefined()
    expect(types(auto, 'image/webp', ['image/webp'])).toBeUndefined()
  })

  it('gives what everybody shows where the client does not name the own type', () => {
    expect(types(auto, 'image/avif', [])).toEqual(['image/jpeg', 'image/png'])
    expect(types(auto, 'image/jxl', ['image/webp'])).toEqual(['image/webp', 'image/jpeg', 'image/png'])
  })

  it('gives what everybody shows where the own type is only read', () => {
    expect(types(auto, 'image/tiff', [])).toEqual(['image/jpeg', 'image/png'])
    expect(types(auto, 'image/bmp', ['image/webp'])).toEqual(['image/webp', 'image/jpeg', 'image/png'])
  })

  it('offers a GIF the types that can move, or leaves it one', () => {
    expect(types(auto, 'image/gif', ['image/avif', 'image/webp'])).toEqual(['image/webp'])
    expect(types(auto, 'image/gif', ['image/avif'])).toBeUndefined()
  })

  it('leaves alone what is asked for by name', () => {
    const operations = { convert: { type: 'image/png' } } as const
    expect(negotiated({ operations, type: 'asked' }, 'image/jpeg', ['image/avif'])).toBe(operations)
    expect(types({ operations: {}, type: 'own' }, 'image/avif', [])).toBeUndefined()
  })
})
