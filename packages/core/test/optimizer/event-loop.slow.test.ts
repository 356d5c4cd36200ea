import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import type * as OptimizerModule from '../../src/optimizer/index.ts'
import { open, photo } from '../images.ts'

// Threads run compiled code: Node 20 cannot load TypeScript, so this takes the build that the packages ship.
const { createOptimizer } = (await import('../../dist/optimizer/index.js' as string)) as typeof OptimizerModule

/**
 * Largest share of the time in which the event loop may be busy. If the search ran there, it would be busy nearly all
 * of the time.
 */
const MOST_BUSY = 0.2

it('leaves the event loop free while a large image is worked on', async () => {
  const tile = await open(photo(600, 400)).png().toBuffer()
  const source = await open(photo(1, 1))
    .resize(3000, 2000)
    .composite([{ input: tile, tile: true }])
    .jpeg({ quality: 92 })
    .toBuffer()
  const optimizer = createOptimizer({ concurrency: 1 })
  const before = performance.eventLoopUtilization()
  const { data, kept } = await optimizer.optimize(source, { quality: 'small' })
  const { utilization } = performance.eventLoopUtilization(before)
  await optimizer.close()
  expect(kept).toBe('output')
  expect(data.length).toBeLessThan(source.length)
  expect(utilization).toBeLessThan(MOST_BUSY)
})
