import { describe, expect, it } from 'vitest'
import { createSingleFlight } from '../../src/concurrency/single-flight.ts'

describe('createSingleFlight', () => {
  it('runs once for all who ask for a key at the same time', async () => {
    const flights = createSingleFlight<object>()
    let runs = 0
    const job = async (): Promise<object> => {
      runs++
      await new Promise((resolve) => setImmediate(resolve))
      return { runs }
    }
    const first = flights.run('a', job)
    await undefined
    const results = await Promise.all([first, flights.run('a', job), flights.run('a', job)])
    expect(runs).toBe(1)
    expect(results[1]).toBe(results[0])
    expect(results[2]).toBe(results[0])
  })

  it('runs different keys side by side', async () => {
    const flights = createSingleFlight<string>()
    let finish: (result: string) => void
    const ending = new Promise<string>((resolve) => {
      finish = resolve
    })
    const waiting = flights.run('a', () => ending)
    expect(await flights.run('b', async () => 'b')).toBe('b')
    finish!('a')
    expect(await waiting).toBe('a')
  })

  it('runs anew once settled', async () => {
    const flights = createSingleFlight<number>()
    let runs = 0
    const job = async (): Promise<number> => ++runs
    expect(await flights.run('a', job)).toBe(1)
    expect(await flights.run('a', job)).toBe(2)
  })

  it.each<[string, () => Promise<string>]>([
    ['rejects', () => Promise.reject(new Error('broken image'))],
    [
      'throws at once',
      () => {
        throw new Error('broken image')
      },
    ],
  ])('shares the error of a job that %s and forgets it', async (_, job) => {
    const flights = createSingleFlight<string>()
    const outcomes = await Promise.allSettled([flights.run('a', job), flights.run('a', async () => 'not run')])
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'broken image' } })
    }
    expect(await flights.run('a', async () => 'next')).toBe('next')
  })

  it('may be asked again by who was told of the end', async () => {
    const flights = createSingleFlight<string>()
    const result = await flights
      .run('a', () => Promise.reject(new Error('first')))
      .catch(() => flights.run('a', async () => 'second'))
    expect(result).toBe('second')
  })
})
