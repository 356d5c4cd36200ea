import { describe, expect, it } from 'vitest'
import { sourceWork } from '../../src/base/counters.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { open, photo } from '../images.ts'

describe('a source with ten results', () => {
  it('is hashed once and its header is read once', async () => {
    const source = await open(photo(64, 48)).jpeg({ quality: 97 }).toBuffer()
    const optimizer = createOptimizer()
    const before = { ...sourceWork }
    try {
      const header = await optimizer.probe(source)
      const widths = [8, 12, 16, 20, 24, 28, 32, 36, 40, 44]
      const results = await Promise.all(
        widths.map(async (width) => {
          const plan = optimizer.plan(source, { resize: { method: 'scale', width }, effort: 'fast' })
          return optimizer.materialize(plan, { placeholder: 'color' })
        }),
      )
      expect(results.map(({ info }) => info.width)).toEqual(widths)
      expect(new Set(results.map(({ key }) => key)).size).toBe(widths.length)
      expect(header.width).toBe(64)
    } finally {
      await optimizer.close()
    }
    expect(sourceWork.digests - before.digests).toBe(1)
    expect(sourceWork.probes - before.probes).toBe(1)
  })

  it('is not hashed where its header is all that is asked for', async () => {
    const source = await open(photo(32, 24)).png().toBuffer()
    const optimizer = createOptimizer()
    const before = { ...sourceWork }
    await optimizer.probe(source)
    await optimizer.probe(source)
    expect(sourceWork.digests - before.digests).toBe(0)
    expect(sourceWork.probes - before.probes).toBe(1)
    await optimizer.close()
  })

  it('that cannot be read says so under each name', async () => {
    const source = (await open(photo(32, 24)).png().toBuffer()).subarray(0, 30)
    const optimizer = createOptimizer()
    await expect(optimizer.probe(source, { file: 'a.png' })).rejects.toMatchObject({ file: 'a.png' })
    await expect(optimizer.probe(source, { file: 'b.png' })).rejects.toMatchObject({ file: 'b.png' })
    await optimizer.close()
  })
})
