import { expect, it } from 'vitest'
import { createTurns } from '../../src/concurrency/turns.ts'

it('lets work begin in order, no more at once than it may, and goes on after a failure', async () => {
  const turns = createTurns(2)
  const begun: number[] = []
  let working = 0
  let most = 0
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4].map((index) =>
      turns(async () => {
        begun.push(index)
        most = Math.max(most, ++working)
        await new Promise((resolve) => setTimeout(resolve, 5))
        working--
        if (index === 1) throw new Error('one')
        return index
      }),
    ),
  )
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(most).toBe(2)
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    0,
    'failed',
    2,
    3,
    4,
  ])
})
