import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { announcedSize, boundedBody, wholeBody, withoutSilence } from '../../src/http/answer-body.ts'

async function* pieces(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size).fill(size)
}

describe('a body', () => {
  it.each([
    [{ 'content-length': '12' }, 12],
    [{}, undefined],
    [{ 'content-length': '12', 'content-encoding': 'gzip' }, undefined],
  ])('announces its size by %j: %s', (headers, size) => {
    expect(announcedSize(headers)).toBe(size)
  })

  it('is put together, and tells its progress', async () => {
    const seen: number[] = []
    const body = boundedBody(pieces(2, 3), {
      expected: 5,
      maxSize: 5,
      onReceived: (bytes) => void seen.push(bytes),
    })
    expect([...(await wholeBody(body))]).toEqual([2, 2, 3, 3, 3])
    expect(seen).toEqual([2, 5])
  })

  it.each([
    ['is cut off', { expected: 6, maxSize: 9 }, 'Truncated'],
    ['is longer than announced', { expected: 4, maxSize: 9 }, 'Truncated'],
    ['ends early by the connection', { expected: undefined, maxSize: 9, isComplete: () => false }, 'Truncated'],
    ['is too large', { expected: undefined, maxSize: 4 }, 'AnswerTooLarge'],
    ['announces too much', { expected: 5, maxSize: 4 }, 'AnswerTooLarge'],
  ])('is refused when it %s', async (_, limits, error) => {
    const read = wholeBody(boundedBody(pieces(2, 3), limits))
    await expect(read).rejects.toMatchObject({ name: 'ConnectionError', error })
  })
})

describe('silence', () => {
  it('is refused of a sender, who is told that nobody reads any more', async () => {
    let left = false
    const silent: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => undefined),
        async return() {
          left = true
          return { done: true, value: undefined }
        },
      }),
    }
    await expect(wholeBody(withoutSilence(silent, 10))).rejects.toMatchObject({
      error: 'Timeout',
      message: expect.stringContaining('10 ms'),
    })
    expect(left).toBe(true)
  })

  it('is allowed to a reader', async () => {
    let read = 0
    for await (const { length } of withoutSilence(pieces(1, 2), 10)) {
      read += length
      await delay(30)
    }
    expect(read).toBe(3)
  })
})
