import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import type { Progress } from '@pixpress/core/report'
import { graphic } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { compressAll } from '../../src/compress/batch.ts'
import { createEarlierResults } from '../../src/compress/earlier-results.ts'
import { createTargets } from '../../src/compress/targets.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

const silent = (): void => undefined

it('the progress knows all inputs and their bytes before the first is worked on', async () => {
  const image = await graphic(16, 12).png()
  const names = Array.from({ length: 9 }, (_, index) => `${index}.png`)
  await folder.write(Object.fromEntries(names.map((name) => [name, image])))
  const inputs = names.map((name) => ({ file: path.join(folder.path, name), place: name }))
  const told: unknown[] = []
  const progress: Progress = {
    isShown: false,
    expect: ({ images, bytes }) => void told.push({ images, bytes }),
    begin: (_id, _file, bytes) => void told.push(bytes),
    end: silent,
    clear: silent,
    finish: silent,
  }
  const task = {
    optimizer: createOptimizer(),
    operations: () => ({ operations: {}, score: 80 }),
    targetOf: createTargets(inputs, undefined),
    store: undefined,
    lock: undefined,
    dryRun: true,
    overwrite: false,
    earlier: createEarlierResults(undefined),
    force: false,
    preserveTimes: false,
    minSaving: 0,
    inPlace: true,
    backup: undefined,
    originals: undefined,
    writing: (write: () => Promise<void>) => write(),
  }
  const options = {
    cwd: folder.path,
    concurrency: 1,
    progress,
    signal: new AbortController().signal,
    usage: async () => undefined,
    tell: silent,
  }
  await compressAll(inputs, task, options)
  expect(told).toEqual([{ images: 9, bytes: 9 * image.length }, ...names.map(() => image.length)])
})
