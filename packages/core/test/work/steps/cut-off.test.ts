import { describe, expect, it } from 'vitest'
import { isCutOff } from '../../../src/work/steps/cut-off.ts'
import { open, photo } from '../../images.ts'

const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const

describe('isCutOff', () => {
  it.each(FORMATS)('tells a %s that ends too early from a whole one', async (name) => {
    const whole = await open(photo(64, 48)).toFormat(name).toBuffer()
    expect(isCutOff(whole, `image/${name}`)).toBe(false)
    // Some cameras write more data after the picture.
    expect(isCutOff(Buffer.concat([whole, Buffer.alloc(100)]), `image/${name}`)).toBe(false)
    for (const length of [whole.length - 3, whole.length >> 1, 12]) {
      expect(isCutOff(whole.subarray(0, length), `image/${name}`)).toBe(true)
    }
  })

  it('says nothing of types whose end has no mark', () => {
    expect(isCutOff(Buffer.from('<svg'), 'image/svg+xml')).toBe(false)
  })
})
