import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createUploadMemory } from '../../src/http/upload-memory.ts'
import { isInPages, toWholePages } from '../../src/http/page-memory.ts'

const LARGE = 1_000_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('createUploadMemory', () => {
  it('counts what all requests hold together, and refuses what does not fit', () => {
    const memory = createUploadMemory(100, 0)
    const [one, other] = [memory.open('shop'), memory.open('blog')]
    one.take(60)
    other.take(40)
    expect(memory.used).toBe(100)
    expect(() => other.take(1)).toThrow(/Too many uploads/)
    one.release()
    one.release()
    expect(memory.used).toBe(40)
    other.take(60)
  })

  it('leaves a quarter to other accounts where one has several uploads', () => {
    const memory = createUploadMemory(100, 0)
    const alone = memory.open('shop')
    alone.take(100)
    alone.release()
    const [one, second, other] = [memory.open('shop'), memory.open('shop'), memory.open('blog')]
    one.take(70)
    expect(() => second.take(6)).toThrow(/Too many uploads/)
    other.take(30)
    second.release()
    expect(() => one.take(1)).toThrow(/Too many uploads/)
    other.release()
    one.take(30)
    expect(memory.used).toBe(100)
  })

  it('counts the uploads of an account on where one is released twice', () => {
    const memory = createUploadMemory(100, 0)
    const [one, second] = [memory.open('shop'), memory.open('shop')]
    one.release()
    one.release()
    second.take(70)
    expect(() => memory.open('shop').take(6)).toThrow(/Too many uploads/)
  })

  it('lets go of what a share holds, and counts what has its turn however much is held', () => {
    const memory = createUploadMemory(80, 0)
    const share = memory.open('shop')
    share.take(5)
    expect(memory.isTight).toBe(false)
    share.take(1)
    expect(memory.isTight).toBe(true)
    share.letGo()
    expect([memory.used, memory.isTight]).toEqual([0, false])
    const other = memory.open('shop')
    other.take(60)
    share.takeAnyway(50)
    expect(memory.used).toBe(110)
    expect(() => other.take(1)).toThrow(/Too many uploads/)
    share.release()
    other.release()
    expect(memory.used).toBe(0)
  })

  it('gives memory back at once where there was no place', () => {
    const share = createUploadMemory(100, 0).open('shop')
    const place = share.place(LARGE)!
    expect(place.length).toBe(LARGE)
    share.letGo()
    expect([place.length, share.place(7)!.length]).toEqual([0, 7])
  })

  it('says when to come back', () => {
    const memory = createUploadMemory(100, 0, (account) => (account === 'shop' ? 41_500 : 1000))
    const refusal = (account: string): unknown => {
      try {
        memory.open(account).take(101)
      } catch (error) {
        return error
      }
      return undefined
    }
    expect(refusal('shop')).toMatchObject({ status: 503, headers: { 'Retry-After': '42' } })
    expect(refusal('blog')).toMatchObject({ message: expect.stringContaining('are under way') })
  })

  it.each([Number.NaN, -1, 0.5, undefined as unknown as number, '7' as unknown as number])(
    'refuses %s as a number of bytes, and goes on counting',
    (bytes) => {
      const memory = createUploadMemory(100, 0)
      const share = memory.open('shop')
      expect(() => share.take(bytes)).toThrow(RangeError)
      share.take(60)
      expect(() => share.take(60)).toThrow(/Too many uploads/)
      expect(memory.used).toBe(60)
    },
  )

  it('gives a place to one request at a time, and then to the next', () => {
    const memory = createUploadMemory(100, 1)
    const [one, other] = [memory.open('shop'), memory.open('blog')]
    const place = one.place(LARGE)!
    expect([place.length, isInPages(place)]).toEqual([LARGE, true])
    const ordinary = other.place(LARGE)!
    expect([ordinary.length, isInPages(ordinary)]).toEqual([LARGE, false])
    one.release()
    const next = memory.open('shop').place(LARGE - 5)!
    expect([next.length, next.buffer === place.buffer]).toEqual([LARGE - 5, true])
  })

  it('gives places back to the system when none was used for ten seconds', () => {
    const memory = createUploadMemory(100, 1)
    const share = memory.open('shop')
    const place = share.place(LARGE)!
    vi.advanceTimersByTime(60_000)
    share.release()
    vi.advanceTimersByTime(9_999)
    const again = memory.open('shop')
    expect(again.place(LARGE)!.buffer).toBe(place.buffer)
    again.release()
    vi.advanceTimersByTime(10_000)
    const later = memory.open('shop').place(LARGE)!
    expect([isInPages(later), later.buffer === place.buffer]).toEqual([true, false])
  })

  it('makes no place for what is small, and none for what is very large before it has come', () => {
    const share = createUploadMemory(100, 1).open('shop')
    expect(isInPages(share.place(1000)!)).toBe(false)
    expect(share.place(16_000_000)!.length).toBe(16_000_000)
    expect(share.place(16_000_001)).toBeUndefined()
  })
})

describe('toWholePages', () => {
  it('adds zeros up to the end of the last page', () => {
    const place = createUploadMemory(100, 1).open('shop').place(LARGE)!.fill(7)
    const whole = toWholePages(place)!
    expect(whole.length).toBe(245 * 4096)
    expect(Buffer.compare(whole.subarray(0, LARGE), place)).toBe(0)
    expect(whole.subarray(LARGE).every((byte) => byte === 0)).toBe(true)
    expect(toWholePages(place.subarray(0, 8192))!.length).toBe(8192)
  })

  it('is not possible for other memory, nor from the middle of a page', () => {
    expect(toWholePages(Buffer.alloc(4096))).toBeUndefined()
    expect(toWholePages(createUploadMemory(100, 1).open('shop').place(LARGE)!.subarray(1))).toBeUndefined()
  })
})
