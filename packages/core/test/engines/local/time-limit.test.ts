import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTimeLimits } from '../../../src/engines/local/time-limit.ts'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'

const job = { limits: { ...DEFAULT_LIMITS, timeout: 1000 }, file: 'a.jpg' }

let processor = 0
beforeEach(() => {
  processor = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

/** Lets time pass, of which the process has a share of one processor. */
async function pass(milliseconds: number, share: number): Promise<void> {
  for (let at = 0; at < milliseconds; at += 50) {
    processor += 50 * share
    await vi.advanceTimersByTimeAsync(50)
  }
}

function withResolvers(): { promise: Promise<string>; resolve: (value: string) => void } {
  const made: { resolve?: (value: string) => void } = {}
  const promise = new Promise<string>((resolve) => (made.resolve = resolve))
  return { promise, resolve: made.resolve! }
}

const limits = () => createTimeLimits({ wall: () => performance.now(), processor: () => processor })

const toText = ({ code, file }: { code: string; file: string }): string => `${code} ${file}`

function begin(within = limits()) {
  const stopped = vi.fn<() => void>()
  const { promise, resolve: finish } = withResolvers()
  const work = within.within(promise, job, stopped)
  const outcome = work.catch(toText)
  return { outcome, stopped, finish }
}

describe('the time limit of an image', () => {
  it('is one of processor time: on a busy machine it may take longer', async () => {
    const { outcome, stopped, finish } = begin()
    await pass(8000, 0.1)
    expect(stopped).not.toHaveBeenCalled()
    finish('made')
    expect(await outcome).toBe('made')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('gives up what has had its time, and stops it', async () => {
    const { outcome, stopped } = begin()
    await pass(1300, 1)
    expect(await outcome).toBe('TIMEOUT a.jpg')
    expect(stopped).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('counts no faster than the wall, however many processors an encoder takes', async () => {
    const { stopped, finish } = begin()
    await pass(900, 8)
    expect(stopped).not.toHaveBeenCalled()
    finish('')
  })

  it('is shared by the images that are worked on at once', async () => {
    const together = limits()
    const [a, b] = [begin(together), begin(together)]
    await pass(1800, 1)
    expect(a.stopped).not.toHaveBeenCalled()
    a.finish('made')
    await pass(400, 1)
    expect(await b.outcome).toBe('TIMEOUT a.jpg')
  })

  it('ends what waits for nothing at last, but not for a machine that slept', async () => {
    const asleep = begin()
    await pass(100, 0)
    vi.setSystemTime(Date.now() + 3_600_000)
    await pass(1000, 0)
    expect(asleep.stopped).not.toHaveBeenCalled()
    await pass(20_000, 0)
    expect(await asleep.outcome).toBe('TIMEOUT a.jpg')
  })
})
