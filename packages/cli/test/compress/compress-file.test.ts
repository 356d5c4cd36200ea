import { appendFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import type { Optimizer } from '@pixpress/core'
import { graphic } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createEarlierResults } from '../../src/compress/earlier-results.ts'
import { compressFile } from '../../src/compress/compress-file.ts'
import type { FileOutcome, FileTask } from '../../src/compress/compress-file.ts'
import { createTargets } from '../../src/compress/targets.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

/** Compresses `a.png` in place, while somebody does something to it. */
async function whileSomebody(
  meddles: (file: string) => Promise<void>,
  writing: FileTask['writing'] = (write) => write(),
): Promise<FileOutcome> {
  await folder.write({ 'a.png': await graphic(160, 120).png() })
  const input = { file: path.join(folder.path, 'a.png'), place: 'a.png' }
  const real = createOptimizer()
  const optimizer: Optimizer = {
    ...real,
    async materialize(...args) {
      const result = await real.materialize(...args)
      await meddles(input.file)
      return result
    },
  }
  return compressFile(input, 'a.png', {
    optimizer,
    operations: () => ({ operations: {}, score: 80 }),
    targetOf: createTargets([input], undefined),
    store: undefined,
    lock: undefined,
    dryRun: false,
    overwrite: false,
    earlier: createEarlierResults(undefined),
    force: false,
    preserveTimes: false,
    minSaving: 0,
    inPlace: true,
    backup: undefined,
    originals: undefined,
    writing,
  })
}

describe('compressFile', () => {
  it('replaces a file that nobody touches', async () => {
    const { result, output } = await whileSomebody(async () => undefined)
    expect(output).toBe(path.join(folder.path, 'a.png'))
    expect(await folder.read('a.png')).toEqual(Buffer.from(result.data))
  })

  it('leaves a file that is changed meanwhile', async () => {
    const changed = whileSomebody((file) => appendFile(file, 'more'))
    await expect(changed).rejects.toMatchObject({ code: 'IO_FAILED', file: 'a.png', message: /changed while/ })
    expect((await folder.read('a.png')).subarray(-4).toString()).toBe('more')
  })

  it('begins to write only when it may', async () => {
    const stopped = new Error('stopped')
    const refuse: FileTask['writing'] = () => Promise.reject(stopped)
    await expect(whileSomebody(async () => undefined, refuse)).rejects.toMatchObject({ cause: stopped })
    expect(await folder.files()).toEqual(['a.png'])
    expect((await folder.read('a.png')).equals(await graphic(160, 120).png())).toBe(true)
  })

  it('does not bring back a file that is removed meanwhile', async () => {
    await expect(whileSomebody((file) => rm(file))).rejects.toMatchObject({ code: 'IO_FAILED', message: /is gone/ })
    expect(await folder.files()).toEqual([])
  })
})
