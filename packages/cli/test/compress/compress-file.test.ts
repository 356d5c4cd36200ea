import { appendFile, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import type { Optimizer } from '@pixpress/core'
import { openLock } from '@pixpress/core/internal'
import { failure, graphic } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createEarlierResults } from '../../src/compress/earlier-results.ts'
import { compressFile } from '../../src/compress/compress-file.ts'
import type { FileOutcome, FileTask } from '../../src/compress/compress-file.ts'
import { createTargets } from '../../src/compress/targets.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

/** When the file was written. */
const TIME = new Date('2020-02-02T02:02:02Z')

/** Compresses `a.png` in place, while somebody does something to it. */
async function whileSomebody(
  meddles: (file: string) => Promise<void>,
  given: Partial<FileTask> = {},
): Promise<FileOutcome> {
  await folder.write({ 'a.png': await graphic(160, 120).png() })
  const input = { file: path.join(folder.path, 'a.png'), place: 'a.png' }
  await utimes(input.file, TIME, TIME)
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
    writing: (write) => write(),
    ...given,
  })
}

describe('compressFile', () => {
  it('replaces a file that nobody touches', async () => {
    const { result, output } = await whileSomebody(async () => undefined)
    expect(output).toBe(path.join(folder.path, 'a.png'))
    expect(await folder.read('a.png')).toEqual(Buffer.from(result.data))
  })

  it.each([
    ['the size', async (file: string) => writeFile(file, (await readFile(file)).fill(7))],
    [
      'the time',
      async (file: string) => {
        await appendFile(file, 'more')
        await utimes(file, TIME, TIME)
      },
    ],
  ])('leaves a file that is changed meanwhile and keeps %s', async (_, change) => {
    let changed: Buffer | undefined
    const result = whileSomebody(async (file) => {
      await change(file)
      changed = await readFile(file)
    })
    await expect(result).rejects.toThrow(failure('IO_FAILED'))
    expect((await folder.read('a.png')).equals(changed!)).toBe(true)
  })

  it('adds a result to the lock unless the run is dry', async () => {
    const lock = await openLock({ file: path.join(folder.path, 'pixpress.lock'), onWarning: expect.fail })
    await whileSomebody(async () => undefined, { lock, dryRun: true })
    await lock.write()
    expect(lock.lines).toEqual([])
    await whileSomebody(async () => undefined, { lock })
    await lock.write()
    expect(lock.lines).toMatchObject([{ source: 'a.png' }])
  })

  it('begins to write only when it may', async () => {
    const stopped = new Error('stopped')
    const refuse: FileTask['writing'] = () => Promise.reject(stopped)
    await expect(whileSomebody(async () => undefined, { writing: refuse })).rejects.toMatchObject({ cause: stopped })
    expect(await folder.files()).toEqual(['a.png'])
    expect((await folder.read('a.png')).equals(await graphic(160, 120).png())).toBe(true)
  })

  it('does not bring back a file that is removed meanwhile', async () => {
    await expect(whileSomebody((file) => rm(file))).rejects.toMatchObject({ code: 'IO_FAILED', message: /is gone/ })
    expect(await folder.files()).toEqual([])
  })
})
