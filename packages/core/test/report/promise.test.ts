import { describe, expect, it } from 'vitest'
import type { ImageInfo } from '../../src/base/types.ts'
import { resolveOperations } from '../../src/operations/index.ts'
import { promiseOf } from '../../src/report/promise.ts'

const STILL: ImageInfo = { type: 'image/webp', width: 320, height: 200, size: 123, frames: 1, hasAlpha: false }

const encoder = { 'image/webp': { quality: 75 } }

describe('promiseOf', () => {
  it('is the asked score, and nothing where settings of the encoder take its place', () => {
    expect(promiseOf({ info: STILL }, resolveOperations({ quality: 85 }))).toBe(85)
    expect(promiseOf({ info: STILL }, resolveOperations({ encoder }))).toBeUndefined()
  })

  it('is there for what has no such settings, or is searched for in spite of them', () => {
    const operations = resolveOperations({ encoder })
    expect(promiseOf({ info: { ...STILL, type: 'image/jpeg' } }, operations)).toBe(80)
    expect(promiseOf({ info: { ...STILL, frames: 3 } }, operations)).toBe(80)
    expect(promiseOf({ info: STILL }, resolveOperations({ encoder, lossless: true }))).toBe(80)
  })
})
