import { describe, expect, it } from 'vitest'
import { createLimit } from '../../src/concurrency/limit.ts'
import type { Limit } from '../../src/concurrency/limit.ts'

interface Job {
  /** Lets the job end and waits until the limit has taken notice. */
  end(error?: Error): Promise<void>
  readonly result: Promise<string>
}

/** Jobs that start when the limit lets them and end when the test says so. */
function jobsOf(limit: Limit): { started: string[]; add(name: string, weight: number, family?: string): Promise<Job> } {
  const started: string[] = []
  return {
    started,
    async add(name, weight, family) {
      let finish: (error?: Error) => void
      const ending = new Promise<string>((resolve, reject) => {
        finish = (error) => (error === undefined ? resolve(name) : reject(error))
      })
      const result = limit.run(
        () => {
          started.push(name)
          return ending
        },
        weight,
        family,
      )
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

describe('createLimit', () => {
  it('runs as many jobs at once as it may, in the order of the calls', async () => {
    const limit = createLimit({ jobs: 2 })
    const { started, add } = jobsOf(limit)
    const a = await add('a', 1)
    const b = await add('b', 1)
    const c = await add('c', 1)
    await add('d', 1)
    expect(started).toEqual(['a', 'b'])
    expect([limit.active, limit.waiting]).toEqual([2, 2])
    await b.end()
    expect(started).toEqual(['a', 'b', 'c'])
    await a.end()
    expect(started).toEqual(['a', 'b', 'c', 'd'])
    expect([limit.active, limit.waiting]).toEqual([2, 0])
    await c.end()
    expect(await Promise.all([a.result, b.result, c.result])).toEqual(['a', 'b', 'c'])
    expect(limit.active).toBe(1)
  })

  it('goes on with the family of the job that ended, and begins others beside it', async () => {
    const { started, add } = jobsOf(createLimit({ jobs: 2 }))
    const jobs = new Map<string, Job>()
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c']) jobs.set(name, await add(name, 1, name[0]))
    expect(started).toEqual(['a1', 'a2'])
    const ended = async (name: string): Promise<string | undefined> => {
      await jobs.get(name)!.end()
      return started.at(-1)
    }
    expect(await ended('a2')).toBe('a3')
    expect(await ended('a3')).toBe('b1')
    expect(await ended('b1')).toBe('b2')
    expect(await ended('a1')).toBe('c')
  })

  it('lets nobody overtake a job that is too heavy yet, of whatever family', async () => {
    const { started, add } = jobsOf(createLimit({ jobs: 3, memory: 10 }))
    const first = await add('first', 6, 'a')
    await add('heavy', 9, 'b')
    await add('light', 1, 'a')
    expect(started).toEqual(['first'])
    await first.end()
    expect(started).toEqual(['first', 'light', 'heavy'])
  })

  it('lets only some jobs of a family overtake another', async () => {
    const { started, add } = jobsOf(createLimit({ jobs: 1 }))
    const jobs = [await add('a', 1, 'a')]
    await add('other', 1, 'b')
    for (let each = 0; each < 20; each++) jobs.push(await add('a', 1, 'a'))
    for (const job of jobs.slice(0, 17)) await job.end()
    expect(started.indexOf('other')).toBe(17)
  })

  it('runs as much weight at once as it may', async () => {
    const limit = createLimit({ jobs: 10, memory: 100 })
    const { started, add } = jobsOf(limit)
    const a = await add('a', 60)
    await add('b', 40)
    await add('c', 1)
    expect(started).toEqual(['a', 'b'])
    await a.end()
    expect(started).toEqual(['a', 'b', 'c'])
    expect(limit.peakWeight).toBe(100)
  })

  it('runs a job that is heavier than the bound alone', async () => {
    const limit = createLimit({ jobs: 10, memory: 100 })
    const { started, add } = jobsOf(limit)
    const light = await add('light', 1)
    const heavy = await add('heavy', 500)
    const weightless = await add('weightless', 0)
    expect(started).toEqual(['light'])
    await light.end()
    expect(started).toEqual(['light', 'heavy'])
    expect(limit.active).toBe(1)
    await heavy.end()
    expect(started).toEqual(['light', 'heavy', 'weightless'])
    await weightless.end()
    expect(limit.peakWeight).toBe(500)
  })

  it('does not let light jobs overtake a heavy one for ever', async () => {
    const limit = createLimit({ jobs: 4, memory: 100 })
    const { started, add } = jobsOf(limit)
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

  it('lets lighter jobs go first beside a heavy one, until none is left', async () => {
    const { started, add } = jobsOf(createLimit({ jobs: 2, memory: 300, preferred: 100 }))
    const jobs = new Map<string, Job>()
    const weights = { heavy1: 120, heavy2: 140, light1: 20, heavy3: 110, light2: 25, middle: 40 }
    for (const [name, weight] of Object.entries(weights)) jobs.set(name, await add(name, weight))
    const ended = async (name: string): Promise<string | undefined> => {
      await jobs.get(name)!.end()
      return started.at(-1)
    }
    // The second came when nothing else waited; later ones are chosen.
    expect(started).toEqual(['heavy1', 'heavy2'])
    expect(await ended('heavy2')).toBe('light1')
    expect(await ended('light1')).toBe('light2')
    // All others are beyond what is preferred: the lightest of them.
    expect(await ended('light2')).toBe('middle')
    expect(await ended('middle')).toBe('heavy3')
  })

  it('begins a heavy job beside light ones, and one heavy job after the other', async () => {
    const limit = createLimit({ jobs: 2, memory: 1000, preferred: 100 })
    const heavyAtOnce: number[] = []
    let heavy = 0
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const weight = index % 6 === 0 ? 150 : 10
        return limit.run(async () => {
          if (weight === 150) heavyAtOnce.push(++heavy)
          for (let turns = weight / 50; turns > 0; turns--) await undefined
          if (weight === 150) heavy--
        }, weight)
      }),
    )
    expect(heavyAtOnce).toEqual(Array.from({ length: 10 }, () => 1))
    expect(limit.peakWeight).toBe(160)
  })

  it('lets only some lighter jobs overtake a heavy one', async () => {
    const { started, add } = jobsOf(createLimit({ jobs: 2, memory: 300, preferred: 100 }))
    const first = await add('first', 90)
    const lights = [await add('light', 1)]
    await add('heavy', 90)
    for (let each = 0; each < 70; each++) lights.push(await add('light', 1))
    for (const light of lights.slice(0, 65)) await light.end()
    expect(started.indexOf('heavy')).toBe(66)
    await first.end()
  })

  it('keeps with a family that shares pixels, however heavy it is', async () => {
    const { started, add } = jobsOf(createLimit({ jobs: 2, memory: 300, preferred: 100 }))
    await add('first', 90)
    const wide = await add('wide', 90, 'picture')
    await add('light', 1)
    await add('narrow', 80, 'picture')
    await wide.end()
    expect(started).toEqual(['first', 'wide', 'narrow'])
  })

  it('passes an error on and gives the room free', async () => {
    const limit = createLimit({ jobs: 1, memory: 100 })
    const { started, add } = jobsOf(limit)
    const failing = await add('failing', 100)
    const next = await add('next', 100)
    const rejected = expect(failing.result).rejects.toThrow('disk full')
    await failing.end(new Error('disk full'))
    await rejected
    expect(started).toEqual(['failing', 'next'])
    await next.end()
    expect([limit.active, limit.waiting]).toEqual([0, 0])
  })

  it('takes a job that throws at once for one that rejects', async () => {
    const limit = createLimit({ jobs: 1, memory: 1 })
    await expect(
      limit.run(() => {
        throw new Error('at once')
      }, 1),
    ).rejects.toThrow('at once')
    expect(await limit.run(async () => 'next')).toBe('next')
  })

  it('keeps both bounds over a thousand jobs and starts them in order', async () => {
    const limit = createLimit({ jobs: 3, memory: 1000 })
    const order: number[] = []
    let mostJobs = 0
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        limit
          .run(
            async () => {
              order.push(index)
              mostJobs = Math.max(mostJobs, limit.active)
              for (let turns = index % 5; turns > 0; turns--) await undefined
              if (index % 7 === 0) throw new Error('every seventh')
            },
            (index * 379) % 700,
          )
          .catch((error: Error) => expect(error.message).toBe('every seventh')),
      ),
    )
    expect(order).toEqual(Array.from({ length: 1000 }, (_, index) => index))
    expect(mostJobs).toBe(3)
    expect(limit.peakWeight).toBeLessThanOrEqual(1000)
    expect(limit.peakWeight).toBeGreaterThan(900)
    expect([limit.active, limit.waiting]).toEqual([0, 0])
  })

  it.each([-1, NaN, Infinity])('refuses a weight of %d and goes on', async (weight) => {
    const limit = createLimit({ jobs: 1, memory: 1 })
    await expect(limit.run(async () => 'never', weight)).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(await limit.run(async () => 'next', 0)).toBe('next')
  })

  it.each([
    { jobs: 0, memory: 1 },
    { jobs: 1.5, memory: 1 },
    { jobs: NaN, memory: 1 },
    { jobs: 1, memory: 0 },
    { jobs: 1, memory: NaN },
  ])('refuses $jobs jobs and $memory bytes', (options) => {
    expect(() => createLimit(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})
