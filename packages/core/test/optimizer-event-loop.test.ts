import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import type * as OptimizerModule from '../src/optimizer.ts'
import { open, photo } from './images.ts'

// Threads run compiled code: Node 20 cannot load TypeScript, so this takes the build that the packages ship.
const { createOptimizer } = (await import('../dist/optimizer.js' as string)) as typeof OptimizerModule

/** Milliseconds that nothing may hold the event loop for. A busy machine adds its own, so the quietest of three runs counts. */
const MOST_BLOCKED = 50

it('leaves the event loop free while a large image is worked on', { timeout: 60_000, retry: 2 }, async () => {
  const tile = await open(photo(600, 400)).png().toBuffer()
  const source = await open(photo(1, 1))
    .resize(3000, 2000)
    .composite([{ input: tile, tile: true }])
    .jpeg({ quality: 92 })
    .toBuffer()
  const optimizer = createOptimizer({ concurrency: 1 })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const { data, kept } = await optimizer.optimize(source, { quality: 'small' })
  delay.disable()
  await optimizer.close()
  expect(kept).toBe('output')
  expect(data.length).toBeLessThan(source.length)
  expect(delay.max / 1e6).toBeLessThan(MOST_BLOCKED)
})
