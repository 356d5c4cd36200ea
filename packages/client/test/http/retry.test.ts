import { describe, expect, it, vi } from 'vitest'
import { AccountError, ClientError, ConnectionError, ServerError } from '../../src/base/errors.ts'
import { retryAfterOf, withRetries } from '../../src/http/retry.ts'
import type { RetryOptions } from '../../src/http/retry.ts'

describe('retryAfterOf', () => {
  const now = Date.UTC(2026, 0, 31, 23, 59, 50)

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7000],
    ['Sun, 01 Feb 2026 00:00:00 GMT', 10_000],
    ['Sunday, 01-Feb-26 00:00:00 GMT', 10_000],
    ['Sat, 31 Jan 2026 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['', undefined],
    ['9'.repeat(40), undefined],
    [undefined, undefined],
  ])('reads %j as %j ms', (header, expected) => {
    expect(retryAfterOf(header, now)).toBe(expected)
  })
})

/** Fails with these errors, one after the other, and counts the tries. */
function failing(...errors: readonly Error[]): { attempt: (timeLeft: number) => Promise<string>; given: number[] } {
  const given: number[] = []
  const attempt = async (timeLeft: number): Promise<string> => {
    given.push(timeLeft)
    const error = errors[given.length - 1]
    if (error !== undefined) throw error
    return 'done'
  }
  return { attempt, given }
}

describe('withRetries', () => {
  const options: RetryOptions = { retries: 5, maxWait: 60_000, totalTimeout: 60_000, isRepeatable: () => true }

  it.each([
    ['a wait that was asked for', new ServerError('Busy.', { status: 503, retryAfter: 5000 })],
    ['a limit', new AccountError('Slow down.', { status: 429, retryAfter: 5000 })],
    ['a wait of its own', new ConnectionError('Gone.')],
  ])('gives up where %s would be longer than all may take', async (_, error) => {
    const { attempt, given } = failing(error)
    await expect(withRetries(attempt, { ...options, totalTimeout: 400 })).rejects.toBe(error)
    expect(given).toEqual([400])
  })

  it('leaves each try the rest of the time', async () => {
    const { attempt, given } = failing(new ServerError('Busy.', { status: 500 }))
    expect(await withRetries(attempt, options)).toBe('done')
    expect(given[0]).toBe(60_000)
    expect(given[1]).toBeLessThanOrEqual(59_500)
  })

  it.each([
    ['failures', new ServerError('Busy.', { status: 500 })],
    ['limits', new AccountError('Slow down.', { status: 429, retryAfter: 0 })],
  ])('waits twice as long each time, to eight seconds, after %s', async (_, error) => {
    vi.useFakeTimers()
    try {
      const { attempt, given } = failing(...Array.from({ length: 6 }, () => error))
      const done = withRetries(attempt, { ...options, retries: 6 })
      await vi.runAllTimersAsync()
      expect(await done).toBe('done')
      expect(given.map((left) => 60_000 - left)).toEqual([0, 500, 1500, 3500, 7500, 15_500, 23_500])
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['of the client’s own fault', new ClientError('No.', { status: 400, retryAfter: 0 })],
    ['of a wrong key', new AccountError('No.', { status: 401, retryAfter: 0 })],
    ['of a certificate', new ConnectionError('No.', { error: 'CertificateError' })],
    ['that is not the service’s', new TypeError('No.')],
  ])('never tries again after an error %s', async (_, error) => {
    const { attempt, given } = failing(error)
    await expect(withRetries(attempt, options)).rejects.toBe(error)
    expect(given).toHaveLength(1)
  })

  it.each([
    ['a failure', new ServerError('Busy.', { status: 503, error: 'ServiceUnavailable', retryAfter: 0 })],
    ['a limit', new AccountError('Slow down.', { status: 429, error: 'TooManyRequests', retryAfter: 0 })],
    ['an old connection', new ConnectionError('Reset.', { error: 'StaleConnection' })],
  ])('says after %s that the content is no longer there', async (_, error) => {
    const { attempt, given } = failing(error)
    const again = withRetries(attempt, { ...options, isRepeatable: () => false })
    await expect(again).rejects.toMatchObject({
      name: error.name,
      status: error.status,
      error: error.error,
      cause: error,
    })
    expect(given).toHaveLength(1)
  })

  it('ends its wait with the signal, and its reason', async () => {
    const controller = new AbortController()
    const attempt = async (): Promise<never> => {
      setTimeout(() => controller.abort(new Error('enough')), 10)
      throw new ServerError('Busy.', { status: 503, retryAfter: 30_000 })
    }
    await expect(withRetries(attempt, options, controller.signal)).rejects.toThrow('enough')
  })
})
