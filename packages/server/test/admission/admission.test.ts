import { failure } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAdmission } from '../../src/admission/admission.ts'
import type { Admission } from '../../src/admission/admission.ts'
import { createPace } from '../../src/admission/cost.ts'
import type { Cost } from '../../src/admission/cost.ts'
import type { SchedulerSettings } from '../../src/admission/scheduler.ts'

const COST: Cost = { bytes: 1_000_000, pixels: 1_000_000, kind: 'image/jpeg' }

const ignore = (): void => undefined

/** Work that lasts until its end is called. */
function held(): { task: () => Promise<string>; end: () => void } {
  let settle: (text: string) => void = ignore
  const ended = new Promise<string>((resolve) => (settle = resolve))
  return { task: () => ended, end: () => settle('done') }
}

function admission(more: Partial<SchedulerSettings> = {}): Admission {
  return createAdmission(
    { places: 1, memory: 100e6, spareMemory: 0, queue: 2, maxWait: 60_000, weightOf: () => 1, ...more },
    createPace(),
  )
}

const shop = { account: 'shop', cost: COST }
const blog = { account: 'blog', cost: COST }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('createAdmission', () => {
  it('lets many wait, refuses the rest with a time, and counts all of it by account', async () => {
    const line = admission()
    const first = held()
    const turns = [
      line.turn(first.task, shop),
      line.turn(async () => 'second', shop),
      line.turn(async () => 'third', shop),
    ]
    expect([line.working, line.waiting, line.idle]).toEqual([1, 2, false])
    await expect(line.turn(async () => '', shop)).rejects.toMatchObject({
      status: 503,
      error: 'ServiceUnavailable',
      headers: { 'Retry-After': '1' },
    })
    expect(() => line.assertRoom('shop')).toThrow(failure('HttpError', 'images are waiting'))
    expect(line.counts().get('shop')).toEqual({ waiting: 2, admitted: 1, refused: 2 })
    first.end()
    expect(await Promise.all(turns)).toEqual(['done', 'second', 'third'])
    expect(line.counts().get('shop')).toEqual({ waiting: 0, admitted: 3, refused: 2 })
    expect(line.idle).toBe(true)
  })

  it('answers who is put out for another account', async () => {
    const line = admission()
    const first = held()
    const begun = line.turn(first.task, shop)
    const second = line.turn(async () => 'second', shop)
    const third = line.turn(async () => 'third', shop)
    expect(() => line.assertRoom('blog')).not.toThrow()
    const other = line.turn(async () => 'other', blog)
    await expect(third).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } })
    first.end()
    expect(await Promise.all([begun, second, other])).toEqual(['done', 'second', 'other'])
  })

  it('answers who has waited for as long as one may, and gives the place in the line away', async () => {
    const line = admission()
    const first = held()
    const begun = line.turn(first.task, shop)
    const second = line.turn(async () => 'second', shop)
    const refused = expect(second).rejects.toMatchObject({
      status: 503,
      headers: { 'Retry-After': expect.any(String) },
    })
    await vi.advanceTimersByTimeAsync(59_999)
    expect(line.waiting).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    await refused
    expect([line.waiting, line.counts().get('shop')]).toEqual([0, { waiting: 0, admitted: 1, refused: 1 }])
    first.end()
    expect(await begun).toBe('done')
  })

  it('hands the turn on when the work fails', async () => {
    const line = admission()
    const failing = line.turn(() => Promise.reject(new Error('broken')), shop)
    const next = line.turn(async () => 'next', blog)
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('next')
  })

  it('learns how long work takes, and says it to whoever is refused', async () => {
    const line = admission({ queue: 1 })
    for (let times = 0; times < 40; times++) {
      const work = held()
      const begun = line.turn(work.task, shop)
      await vi.advanceTimersByTimeAsync(5000)
      work.end()
      await begun
    }
    const first = held()
    const begun = line.turn(first.task, shop)
    const second = line.turn(async () => 'second', shop)
    expect(line.retryAfter('shop')).toBeGreaterThan(4000)
    await expect(line.turn(async () => '', shop)).rejects.toMatchObject({ headers: { 'Retry-After': '10' } })
    first.end()
    await Promise.all([begun, second])
  })
})
