import { describe, expect, it } from 'vitest'
import { AUTO_TYPES, projectOperations } from '../../src/project/operations.ts'

describe('projectOperations', () => {
  it('takes operations and nothing else of the options', () => {
    expect(projectOperations({ quality: 'balanced', lock: true } as object, AUTO_TYPES)).toEqual({
      quality: 'balanced',
    })
  })

  it('makes a conversion an offer, which an image that would grow need not take', () => {
    expect(projectOperations({ convert: { type: 'image/webp' } }, AUTO_TYPES)).toEqual({
      convert: { type: ['image/webp'] },
    })
    expect(projectOperations({ convert: { type: ['avif', 'webp'] } }, AUTO_TYPES)).toEqual({
      convert: { type: ['avif', 'webp'] },
    })
    expect(projectOperations({ convert: 'auto' }, AUTO_TYPES)).toEqual({
      convert: { type: ['image/avif', 'image/webp'] },
    })
  })

  it("has convert: 'auto' stand for the formats that the project's browsers support", () => {
    expect(projectOperations({ convert: 'auto' }, ['image/webp'])).toEqual({ convert: { type: ['image/webp'] } })
    expect(projectOperations({ convert: 'auto' }, [])).toEqual({})
  })

  it('takes away with `false` what is asked of all images, and keeps every other `false`', () => {
    const all = {
      ...projectOperations({ convert: 'auto' }, AUTO_TYPES),
      ...projectOperations({ convert: false, lossless: false }, AUTO_TYPES),
    }
    expect(all).toEqual({ convert: undefined, lossless: false })
  })

  it('refuses what no image can have', () => {
    expect(() => projectOperations({ quality: 101 }, AUTO_TYPES)).toThrow('quality')
  })
})
