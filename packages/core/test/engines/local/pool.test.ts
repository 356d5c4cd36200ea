import { performance } from 'node:perf_hooks'
import { getEnvironmentData } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { resolveOperations } from '../../../src/operations/index.ts'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import type * as Pool from '../../../src/engines/local/pool.ts'
import { open, photo } from '../../images.ts'
import { job, source } from './jobs.ts'

// Threads run compiled code: Node 20 cannot load TypeScript, so this takes the build that the packages ship.
const { createPool } = (await import('../../../dist/engines/local/pool.js' as string)) as typeof Pool

const pool = createPool(2)
afterAll(() => pool.close())

describe('createPool', () => {
  it('works on more jobs than it has threads, each with the same result', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => pool.run(job())))
    expect(new Set(results.map(({ data }) => Buffer.from(data).toString('base64'))).size).toBe(1)
    expect(results[0]!.data.length).toBeLessThan(source.length)
  })

  it('gives the same bytes from all threads where palettes are dithered', async () => {
    // So wide that most of the work is drawing the random numbers that libimagequant's dithering begins with.
    const wide = await open(photo(4000, 2)).png().toBuffer()
    const settings = { 'image/png': { colours: 16, dither: 1 } }
    const operations = resolveOperations({ encoder: settings })
    const run = () => pool.run(job({ source: wide, type: 'image/png', operations }))
    const lock = new Int32Array(getEnvironmentData('pixpress.process-lock') as unknown as SharedArrayBuffer)
    const takenBefore = lock[1]!
    const results = await Promise.all(Array.from({ length: 60 }, run))
    // All of them took the lock that all threads share.
    expect(lock[1]! - takenBefore).toBe(60)
    expect(new Set(results.map(({ data }) => Buffer.from(data).toString('base64'))).size).toBe(1)
  })

  it('brings errors back whole', async () => {
    const broken = pool.run(job({ source: source.subarray(0, 500) }))
    await expect(broken).rejects.toMatchObject({
      name: 'PixpressError',
      code: 'DECODE_FAILED',
      status: 400,
      file: 'a.jpg',
    })
    await expect(broken).rejects.toBeInstanceOf(Error)
  })

  it('ends a job that takes too long, and goes on with the next', async () => {
    const slow = pool.run(job({ limits: { ...DEFAULT_LIMITS, timeout: 1 } }))
    await expect(slow).rejects.toMatchObject({ code: 'TIMEOUT', message: expect.stringMatching(/limit of 1 ms/) })
    await expect(pool.run(job())).resolves.toMatchObject({ kept: 'output' })
  })

  it('leaves the event loop free while it works', async () => {
    const large = await open(photo(1200, 900)).jpeg({ quality: 97 }).toBuffer()
    const before = performance.eventLoopUtilization()
    await pool.run(job({ source: large }))
    // The loop would be busy nearly all of the time if the search ran here, because it computes without a pause.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  })

  it('can be used again after it was closed', async () => {
    await pool.close()
    await expect(pool.run(job())).resolves.toMatchObject({ kept: 'output' })
  })
})
