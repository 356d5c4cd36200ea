import { describe, expect, it } from 'vitest'
import { isPassingStatus, withRetries } from '../../src/net/retry.ts'
import type { Attempt } from '../../src/net/retry.ts'

/** Returns attempts with the given outcomes, and counts them. */
function tries(...outcomes: Attempt<string>[]): { attempt: () => Promise<Attempt<string>>; made: () => number } {
  let made = 0
  return { attempt: async () => outcomes[made++]!, made: () => made }
}

const passing = (message: string): Attempt<never> => ({ failure: new Error(message), passing: true })

describe('withRetries', () => {
  it('tries again as often as there are waits, and gives the first value', async () => {
    const { attempt, made } = tries(passing('one'), passing('two'), { value: 'three' })
    expect(await withRetries(attempt, { waits: [1, 1] })).toBe('three')
    expect(made()).toBe(3)
  })

  it('throws the last failure when no wait is left', async () => {
    const { attempt, made } = tries(passing('one'), passing('two'))
    await expect(withRetries(attempt, { waits: [1] })).rejects.toThrow('two')
    expect(made()).toBe(2)
  })

  it('does not repeat what fails for good', async () => {
    const { attempt, made } = tries({ failure: new Error('final'), passing: false })
    await expect(withRetries(attempt, { waits: [1, 1] })).rejects.toThrow('final')
    expect(made()).toBe(1)
  })

  it('waits for as long as it is told, within a half where waits are scattered', async () => {
    const began = performance.now()
    await withRetries(tries(passing('one'), { value: '' }).attempt, { waits: [60], scatter: true })
    expect(performance.now() - began).toBeGreaterThan(29)
  })

  it('ends a wait with its signal', async () => {
    const controller = new AbortController()
    const { attempt, made } = tries(passing('one'), { value: 'never' })
    setTimeout(() => controller.abort(), 10)
    const work = withRetries(attempt, { waits: [60_000], signal: controller.signal })
    await expect(work).rejects.toMatchObject({ name: 'AbortError' })
    expect(made()).toBe(1)
  })
})

it.each([
  [200, false],
  [404, false],
  [429, true],
  [500, true],
  [503, true],
])('status %d is worth another try: %s', (status, expected) => {
  expect(isPassingStatus(status)).toBe(expected)
})
