import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import { createKeys, makePlan } from '../../src/plan/plan.ts'
import { graphic, open, photo } from '../images.ts'
import type { Operations } from '../../src/operations/index.ts'

const OPERATIONS: readonly (Operations | undefined)[] = [
  undefined,
  { quality: 'small', convert: { type: ['image/webp', 'image/avif'] } },
  { svgo: { floatPrecision: 1 }, resize: { method: 'scale', width: 20 } },
]

describe('createKeys', () => {
  it('gives the keys of makePlan, whatever the type, the size and the operations', async () => {
    const sources = [
      await open(photo()).jpeg().toBuffer(),
      await open(graphic()).png().toBuffer(),
      Buffer.concat([await open(graphic()).png().toBuffer(), randomBytes(100_000)]),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"/>'),
    ]
    for (const operations of OPERATIONS) {
      const keyOf = createKeys(operations)
      for (const source of sources)
        expect(keyOf(source)).toBe(makePlan(source, operations, { limits: DEFAULT_LIMITS }).key)
    }
  })

  it('has no key for what makePlan refuses', async () => {
    const png = await open(graphic()).png().toBuffer()
    for (const source of [Buffer.alloc(0), Buffer.from('no image')]) {
      expect(() => makePlan(source, {}, { limits: DEFAULT_LIMITS })).toThrow()
      expect(createKeys({})(source)).toBeUndefined()
    }
    expect(createKeys({}, { maxBytes: png.length - 1 })(png)).toBeUndefined()
    expect(createKeys({}, { maxBytes: png.length })(png)).toBeDefined()
  })

  it('refuses operations that are none at once', () => {
    expect(() => createKeys({ quality: 0 })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})

describe('makePlan', () => {
  it('takes an image with as many bytes as the limit, and refuses one more', async () => {
    const png = await open(graphic()).png().toBuffer()
    const plan = (maxBytes: number) => makePlan(png, {}, { limits: { ...DEFAULT_LIMITS, maxBytes } })
    expect(plan(png.length).source).toHaveLength(png.length)
    expect(() => plan(png.length - 1)).toThrow(expect.objectContaining({ code: 'INPUT_TOO_LARGE' }))
  })
})
