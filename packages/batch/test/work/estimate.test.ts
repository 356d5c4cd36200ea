import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import { photo, useTemporaryFolder } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createFolderDestination, createFolderSource } from '../../src/places/folder.ts'
import { estimateBatch } from '../../src/work/estimate.ts'

const folder = useTemporaryFolder()

describe('estimateBatch', () => {
  it('measures a sample of the listing, and writes nothing', async () => {
    const picture = await photo(60, 40).jpeg(95)
    const names = Array.from({ length: 60 }, (_, index) => `in/${index}.jpg`)
    await folder.write(Object.fromEntries(names.map((name) => [name, picture])))
    const optimizer = createOptimizer()
    const estimate = await estimateBatch(
      {
        source: createFolderSource(path.join(folder.path, 'in'), () => true),
        destination: createFolderDestination(path.join(folder.path, 'out')),
        optimizer,
        operationsOf: () => ({}),
        nameOf: (key) => key,
        overwrite: false,
        concurrency: 2,
        mostBytes: 1_000_000,
        signal: new AbortController().signal,
      },
      5,
    )
    await optimizer.close()
    expect(estimate).toMatchObject({ images: 60, bytes: 60 * picture.length, sample: 5, failed: 0 })
    expect(estimate.before).toBe(5 * picture.length)
    expect(estimate.seconds).toBeGreaterThan(0)
    expect(estimate.hours).toBeCloseTo((12 * estimate.seconds) / 3600, 10)
    expect((await folder.files()).filter((name) => name.startsWith('out/'))).toEqual([])
  })
})
