import { appendFile, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import { graphic, photo } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { INDEX_NAME } from '../../src/check/outcome-index.ts'
import { checkImages } from '../../src/check/run.ts'
import type { CheckResult } from '../../src/check/formats/contract.ts'
import { createEarlierResults } from '../../src/compress/earlier-results.ts'
import { resolveSettings } from '../../src/compress/settings.ts'
import { openWorkers } from '../../src/compress/workers.ts'
import type { Surroundings } from '../../src/output.ts'

let heavy: Buffer
let small: Buffer
let folder = ''
beforeAll(async () => {
  const optimizer = createOptimizer()
  heavy = await photo(120, 90).jpeg(98)
  small = Buffer.from((await optimizer.optimize(await graphic(60, 40, 2).png())).data)
  await optimizer.close()
})
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  await writeFile(path.join(folder, 'package.json'), '{}')
  await writeFile(path.join(folder, 'heavy.jpg'), heavy)
  await writeFile(path.join(folder, 'small.png'), small)
  await writeFile(path.join(folder, 'broken.jpg'), heavy.subarray(0, 400))
})
afterEach(() => rm(folder, { recursive: true, force: true }))
afterAll(() => vi.restoreAllMocks())

interface Counted {
  /** With the images that its lists make. */
  readonly result: CheckResult | undefined
  /** Entries of the cache that were asked for. */
  readonly asked: number
  /** Images that the optimizer was asked for. */
  readonly made: number
}

/** One check of the folder, with the real cache and the real optimizer. */
async function run(env: Record<string, string> = {}): Promise<Counted> {
  const sink = { write: () => true, isTTY: false, columns: 80 }
  const around = {
    cwd: folder,
    env: { ...env },
    stdout: sink,
    stderr: sink,
    signal: new AbortController().signal,
  } as unknown as Surroundings
  const settings = resolveSettings({}, { config: {}, file: undefined }, around)
  const workers = openWorkers(settings, () => undefined)
  const gets = vi.spyOn(workers.cache!, 'get')
  const makes = vi.spyOn(workers.optimizer, 'materialize')
  try {
    const result = await checkImages(['.'], around, {
      settings,
      workers,
      changes: undefined,
      baseline: undefined,
      budgets: [],
      pages: undefined,
      minSaving: 10,
      tell: () => undefined,
    })
    const listed = result && { ...result, images: [...result.images], checked: [...result.checked] }
    return { result: listed, asked: gets.mock.calls.length, made: makes.mock.calls.length }
  } finally {
    await workers.optimizer.close()
  }
}

const cacheDir = (): string => path.join(folder, '.cache/pixpress')
const index = (): string => path.join(cacheDir(), INDEX_NAME)

/** Makes the folders of the cache's entries look unchanged for a while. */
async function age(seconds: number): Promise<void> {
  const time = Date.now() / 1000 - seconds
  const root = path.join(cacheDir(), 'v1')
  for (const bucket of await readdir(root)) await utimes(path.join(root, bucket), time, time)
}

/** A cold run, and one that finds the cache as it left it. */
async function settle(): Promise<CheckResult | undefined> {
  const { result } = await run()
  await age(60)
  await run()
  return result
}

describe('outcomes of earlier checks', () => {
  it('answer for unchanged images without an entry of the cache; only the broken one is tried again', async () => {
    const cold = await settle()
    const warm = await run()
    expect(cold?.findings.map(({ rule, source }) => [source, rule])).toEqual([
      ['broken.jpg', 'broken'],
      ['heavy.jpg', 'could-shrink'],
    ])
    expect(warm).toEqual({ result: cold, asked: 1, made: 1 })
    await rm(path.join(folder, 'broken.jpg'))
    expect(await run()).toMatchObject({ asked: 0, made: 0 })
  })

  it('change nothing: without them, with damaged ones or without the cache the result is the same', async () => {
    const cold = await settle()
    await appendFile(index(), 'x')
    expect((await run()).result).toEqual(cold)
    await rm(index())
    expect((await run()).result).toEqual(cold)
    const kept = await readFile(index())
    await rm(cacheDir(), { recursive: true })
    expect((await run()).result).toEqual(cold)
    // What is left of another state of the folder says nothing of this one.
    await rm(path.join(cacheDir(), 'v1'), { recursive: true })
    await writeFile(index(), kept)
    expect((await run()).result).toEqual(cold)
  })

  it('of other bytes, operations or engines have other keys, and are not taken', async () => {
    const cold = await settle()
    const lines = (await readFile(index(), 'utf8')).split('\n').slice(2, -1)
    const keys = lines.map((line) => line.slice(0, 64)).sort()
    const optimizer = createOptimizer({ cache: false })
    expect([heavy, small].map((bytes) => optimizer.plan(bytes).key).sort()).toEqual(keys)
    await writeFile(path.join(folder, 'heavy.jpg'), small)
    expect((await run()).result?.findings.map(({ source }) => source)).toEqual(['broken.jpg'])
    await writeFile(path.join(folder, 'heavy.jpg'), heavy)
    expect((await run()).result).toEqual(cold)
    await optimizer.close()
  })

  it('give way once the cache learns that an image is a result itself, and once it has forgotten', async () => {
    const cold = await settle()
    const around = { cwd: folder, env: {} } as unknown as Surroundings
    const settings = resolveSettings({}, { config: {}, file: undefined }, around)
    const { cache, optimizer } = openWorkers(settings, () => undefined)
    await createEarlierResults(cache).note(heavy, 80)
    await optimizer.close()
    const after = await run()
    expect(after.result?.findings.map(({ source }) => source)).toEqual(['broken.jpg'])
    await rm(index())
    expect((await run()).result).toEqual(after.result)
    await age(40)
    await run()
    await rm(path.join(cacheDir(), 'v1'), { recursive: true })
    expect((await run()).result).toEqual(cold)
  })

  it('do not stand in for entries that a frozen run has to find', async () => {
    await settle()
    expect((await run({ PIXPRESS_FROZEN: '1' })).result?.failures.map(({ source }) => source)).toEqual(['broken.jpg'])
    await rm(path.join(cacheDir(), 'v1'), { recursive: true })
    const frozen = await run({ PIXPRESS_FROZEN: '1' })
    expect(frozen.result?.failures.map(({ source, code }) => [source, code]).sort()).toEqual(
      ['broken.jpg', 'heavy.jpg', 'small.png'].map((source) => [source, 'NOT_CACHED']),
    )
  })
})
