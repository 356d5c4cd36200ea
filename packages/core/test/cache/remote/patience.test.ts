import { setMaxListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPatience } from '../../../src/cache/remote/patience.ts'
import type { Patience } from '../../../src/cache/remote/patience.ts'
import type { Attempt } from '../../../src/net/retry.ts'

let reasons: string[]
let patience: Patience

beforeEach(() => {
  vi.useFakeTimers()
  reasons = []
  patience = createPatience({ onLeave: (reason) => reasons.push(reason) })
})
afterEach(() => vi.useRealTimers())

/** Answers after some milliseconds, or fails if the wait is ended earlier. */
function after<T>(milliseconds: number, outcome: Attempt<T>): (signal: AbortSignal) => Promise<Attempt<T>> {
  return (signal) =>
    new Promise((resolve) => {
      setMaxListeners(0, signal)
      const timer = setTimeout(() => resolve(outcome), milliseconds)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve({ failure: new Error('aborted'), passing: false })
      })
    })
}

const HIT: Attempt<string> = { value: 'hit' }
const FAILURE: Attempt<string> = { failure: new Error('refused'), passing: false }
const worth = (): number => 200

/** The milliseconds after which a promise is fulfilled. */
async function duration(work: Promise<unknown>): Promise<number> {
  const began = Date.now()
  const state = { isEnded: false }
  void work.then(() => (state.isEnded = true))
  while (!state.isEnded) await vi.advanceTimersByTimeAsync(10)
  return Date.now() - began
}

async function oneAfterTheOther(milliseconds: number, worthEach: number): Promise<void> {
  for (let index = 0; index < 100; index++) await patience.wait(after(milliseconds, HIT), () => worthEach)
}

describe('waiting for a remote', () => {
  it('gives the answer that comes in time', async () => {
    const answer = patience.wait(after(50, HIT), worth)
    await vi.advanceTimersByTimeAsync(50)
    expect(await answer).toBe('hit')
    expect(patience.hasLeft).toBe(false)
  })

  it('ends after a second, for all that wait, and for good', async () => {
    const waits = Promise.all(Array.from({ length: 20 }, () => patience.wait(after(60_000, HIT), worth)))
    expect(await duration(waits)).toBe(1000)
    expect(await waits).toEqual(Array.from({ length: 20 }, () => undefined))
    expect(await duration(patience.wait(after(60_000, HIT), worth))).toBeLessThan(20)
    expect(reasons).toEqual([expect.stringContaining('1 s')])
  })

  it('ends after a second of one request after the other', async () => {
    // Two requests take 300 ms more than an answer is worth, and the third takes the rest of the second.
    expect(await duration(oneAfterTheOther(400, 100))).toBe(1200)
    expect(reasons).toHaveLength(1)
  })

  it('goes on for ever while answers are worth it', async () => {
    await duration(oneAfterTheOther(190, 200))
    expect(patience.hasLeft).toBe(false)
  })

  it('counts what requests have in common once', async () => {
    await duration(Promise.all(Array.from({ length: 50 }, () => patience.wait(after(900, HIT), () => 0))))
    expect(patience.hasLeft).toBe(false)
  })

  it('ends after three failures', async () => {
    for (let index = 0; index < 2; index++) expect(await patience.wait(async () => FAILURE, worth)).toBeUndefined()
    expect(patience.hasLeft).toBe(false)
    await patience.wait(async () => FAILURE, worth)
    expect(patience.hasLeft).toBe(true)
    expect(reasons).toEqual(['it has failed 3 times (refused)'])
    const asked = vi.fn(async () => HIT)
    await patience.wait(asked, worth)
    await patience.aside(asked)
    expect(asked).not.toHaveBeenCalled()
  })

  it('begins anew with another build', async () => {
    for (let index = 0; index < 3; index++) await patience.wait(async () => FAILURE, worth)
    patience.reset()
    expect(await patience.wait(async () => HIT, worth)).toBe('hit')
    expect(await duration(patience.wait(after(60_000, HIT), worth))).toBe(1000)
    expect(reasons).toHaveLength(2)
  })
})

describe('what is asked beside a build', () => {
  it('costs nothing of the second', async () => {
    const sent = patience.aside(after(5000, HIT))
    await vi.advanceTimersByTimeAsync(5000)
    expect(await sent).toBe('hit')
    expect(patience.hasLeft).toBe(false)
  })

  it('counts among the failures', async () => {
    for (let index = 0; index < 3; index++) await patience.aside(async () => FAILURE)
    expect(reasons).toHaveLength(1)
  })

  it('is waited for as long as is left of the second', async () => {
    await duration(patience.wait(after(600, HIT), () => 0))
    const rest = patience.waitForRest(patience.aside(after(60_000, HIT)))
    expect(await duration(rest)).toBe(400)
    expect(await rest).toBe(false)
  })

  it('is not waited for longer than it takes', async () => {
    const rest = patience.waitForRest(patience.aside(after(100, HIT)))
    expect(await duration(rest)).toBe(100)
    expect(await rest).toBe(true)
  })
})
