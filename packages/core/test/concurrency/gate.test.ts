import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/concurrency/gate.ts'
import type { Gate } from '../../src/concurrency/gate.ts'

interface Job {
  /** Lets the job end and waits until the gate has taken notice. */
  end(error?: Error): Promise<void>
  readonly result: Promise<string>
}

/** Jobs that start when the gate lets them and end when the test says so. */
function jobsOf(gate: Gate): { started: string[]; add(name: string, weight: number): Promise<Job> } {
  const started: string[] = []
  return {
    started,
    async add(name, weight) {
      let finish: (error?: Error) => void
      const ending = new Promise<string>((resolve, reject) => {
        finish = (error) => (error === undefined ? resolve(name) : reject(error))
      })
      const result = gate.run(weight, () => {
        started.push(name)
        return ending
      })
      await settled()
      return {
        result,
        async end(error) {
          finish(error)
          await settled()
        },
      }
    },
  }
}

/** All microtasks have run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('createGate', () => {
  it('runs as many jobs at once as it may, in the order of the calls', async () => {
    const gate = createGate({ jobs: 2, memory: Infinity })
    const { started, add } = jobsOf(gate)
    const a = await add('a', 1)
    const b = await add('b', 1)
    const c = await add('c', 1)
    await add('d', 1)
    expect(started).toEqual(['a', 'b'])
    expect([gate.active, gate.waiting]).toEqual([2, 2])
    await b.end()
    expect(started).toEqual(['a', 'b', 'c'])
    await a.end()
    expect(started).toEqual(['a', 'b', 'c', 'd'])
    expect([gate.active, gate.waiting]).toEqual([2, 0])
    await c.end()
    expect(await Promise.all([a.result, b.result, c.result])).toEqual(['a', 'b', 'c'])
    expect(gate.active).toBe(1)
  })

  it('runs as much weight at once as it may', async () => {
    const gate = createGate({ jobs: 10, memory: 100 })
    const { started, add } = jobsOf(gate)
    const a = await add('a', 60)
    await add('b', 40)
    await add('c', 1)
    expect(started).toEqual(['a', 'b'])
    await a.end()
    expect(started).toEqual(['a', 'b', 'c'])
    expect(gate.peakWeight).toBe(100)
  })

  it('runs a job that is heavier than the bound alone', async () => {
    const gate = createGate({ jobs: 10, memory: 100 })
    const { started, add } = jobsOf(gate)
    const light = await add('light', 1)
    const heavy = await add('heavy', 500)
    const weightless = await add('weightless', 0)
    expect(started).toEqual(['light'])
    await light.end()
    expect(started).toEqual(['light', 'heavy'])
    expect(gate.active).toBe(1)
    await heavy.end()
    expect(started).toEqual(['light', 'heavy', 'weightless'])
    await weightless.end()
    expect(gate.peakWeight).toBe(500)
  })

  it('does not let light jobs overtake a heavy one for ever', async () => {
    const gate = createGate({ jobs: 4, memory: 100 })
    const { started, add } = jobsOf(gate)
    const first = await add('first', 60)
    const second = await add('second', 30)
    const heavy = await add('heavy', 90)
    for (const name of ['x', 'y', 'z']) await add(name, 5)
    expect(started).toEqual(['first', 'second'])
    await first.end()
    expect(started).toEqual(['first', 'second'])
    await second.end()
    // The light ones that fit beside it follow at once.
    expect(started).toEqual(['first', 'second', 'heavy', 'x', 'y'])
    await heavy.end()
    expect(started.at(-1)).toBe('z')
  })

  it('passes an error on and gives the room free', async () => {
    const gate = createGate({ jobs: 1, memory: 100 })
    const { started, add } = jobsOf(gate)
    const failing = await add('failing', 100)
    const next = await add('next', 100)
    const rejected = expect(failing.result).rejects.toThrow('disk full')
    await failing.end(new Error('disk full'))
    await rejected
    expect(started).toEqual(['failing', 'next'])
    await next.end()
    expect([gate.active, gate.waiting]).toEqual([0, 0])
  })

  it('takes a job that throws at once for one that rejects', async () => {
    const gate = createGate({ jobs: 1, memory: 1 })
    await expect(
      gate.run(1, () => {
        throw new Error('at once')
      }),
    ).rejects.toThrow('at once')
    expect(await gate.run(1, async () => 'next')).toBe('next')
  })

  it('keeps both bounds over a thousand jobs and starts them in order', async () => {
    const gate = createGate({ jobs: 3, memory: 1000 })
    const order: number[] = []
    let mostJobs = 0
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        gate
          .run((index * 379) % 700, async () => {
            order.push(index)
            mostJobs = Math.max(mostJobs, gate.active)
            for (let turns = index % 5; turns > 0; turns--) await undefined
            if (index % 7 === 0) throw new Error('every seventh')
          })
          .catch((error: Error) => expect(error.message).toBe('every seventh')),
      ),
    )
    expect(order).toEqual(Array.from({ length: 1000 }, (_, index) => index))
    expect(mostJobs).toBe(3)
    expect(gate.peakWeight).toBeLessThanOrEqual(1000)
    expect(gate.peakWeight).toBeGreaterThan(900)
    expect([gate.active, gate.waiting]).toEqual([0, 0])
  })

  it.each([-1, NaN, Infinity])('refuses a weight of %d and goes on', async (weight) => {
    const gate = createGate({ jobs: 1, memory: 1 })
    await expect(gate.run(weight, async () => 'never')).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(await gate.run(0, async () => 'next')).toBe('next')
  })

  it.each([
    { jobs: 0, memory: 1 },
    { jobs: 1.5, memory: 1 },
    { jobs: NaN, memory: 1 },
    { jobs: 1, memory: 0 },
    { jobs: 1, memory: NaN },
  ])('refuses $jobs jobs and $memory bytes', (options) => {
    expect(() => createGate(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})
