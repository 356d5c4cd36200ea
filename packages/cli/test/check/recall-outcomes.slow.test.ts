import fs from 'node:fs'
import promises, { appendFile, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import { LOCK_NAME } from '@pixpress/core/internal'
import { graphic, photo } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { INDEX_NAME } from '../../src/check/outcome-index.ts'
import { NOTHING_BUILT } from '../../src/check/built-images.ts'
import { checkImages } from '../../src/check/run.ts'
import type { CheckResult } from '../../src/check/result.ts'
import { createEarlierResults } from '../../src/compress/earlier-results.ts'
import { resolveCompressSettings } from '../../src/compress/settings.ts'
import type { CompressSettings } from '../../src/compress/settings.ts'
import { openWorkers } from '../../src/compress/workers.ts'
import type { Config } from '../../src/base/config.ts'
import type { Surroundings } from '../../src/base/output.ts'

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
  /** Images that were opened, as often as they were, and by their names. */
  readonly opened: readonly string[]
}

const { openSync } = fs
/** Called whenever a file is opened. */
let onOpen: () => void = () => undefined
afterEach(() => {
  onOpen = () => undefined
})

const settingsOf = (config: Config): CompressSettings =>
  resolveCompressSettings({}, { config, file: undefined }, { cwd: folder, env: {} } as unknown as Surroundings)

/** One check of the folder, with the real cache and the real optimizer. */
async function run(env: Record<string, string> = {}, config: Config = {}, signal?: AbortSignal): Promise<Counted> {
  const sink = { write: () => true, isTTY: false, columns: 80 }
  const around = {
    cwd: folder,
    env: { ...env },
    stdout: sink,
    stderr: sink,
    signal: signal ?? new AbortController().signal,
  } as unknown as Surroundings
  const settings = resolveCompressSettings({}, { config, file: undefined }, around)
  const workers = openWorkers(settings, () => undefined)
  const gets = vi.spyOn(workers.cache!, 'get')
  const makes = vi.spyOn(workers.optimizer, 'materialize')
  const opens = vi.spyOn(fs, 'openSync').mockImplementation((...given) => {
    onOpen()
    return openSync(...given)
  })
  const reads = vi.spyOn(promises, 'readFile')
  syncBuiltinESMExports()
  try {
    const result = await checkImages(['.'], around, {
      settings,
      workers,
      built: NOTHING_BUILT,
      changes: undefined,
      baseline: undefined,
      budgets: [],
      pages: undefined,
      options: new Set(),
      minSaving: 10,
      tellsBefore: false,
      isWhole: true,
      tell: () => undefined,
    })
    const listed = result && { ...result, images: [...result.images], checked: [...result.checked] }
    const opened = [...opens.mock.calls, ...reads.mock.calls].map(([file]) => path.relative(folder, String(file)))
    return {
      result: listed,
      asked: gets.mock.calls.length,
      made: makes.mock.calls.length,
      opened: opened.filter((file) => /^[^/\\]*\.(?:jpg|png|webp)$/.test(file)).sort(),
    }
  } finally {
    opens.mockRestore()
    reads.mockRestore()
    syncBuiltinESMExports()
    await workers.optimizer.close()
  }
}

const sources = ({ result }: Counted): string[] => result!.findings.map(({ source }) => source)

const cacheDir = (): string => path.join(folder, '.cache/pixpress')
const index = (): string => path.join(cacheDir(), INDEX_NAME)

/** Makes the folders of the cache's entries look unchanged for a while. */
async function age(seconds: number): Promise<void> {
  const time = Date.now() / 1000 - seconds
  const root = path.join(cacheDir(), 'v1')
  for (const bucket of await readdir(root)) await utimes(path.join(root, bucket), time, time)
}

/** A cold run, and one that finds the cache as it left it. */
async function settle(config: Config = {}): Promise<CheckResult | undefined> {
  const { result } = await run({}, config)
  await age(60)
  await run({}, config)
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
    expect(warm).toMatchObject({ result: cold, asked: 1, made: 1 })
    // The broken one is read again by the work on it.
    expect(warm.opened).toEqual(['broken.jpg', 'broken.jpg', 'heavy.jpg', 'small.png'])
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
    // An index of another state of the folder says nothing of this one.
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
    const settings = resolveCompressSettings({}, { config: {}, file: undefined }, around)
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

describe('outcomes of another type', () => {
  const webp: Config = { convert: { type: 'image/webp' } }

  beforeEach(() => rm(path.join(folder, 'broken.jpg')))

  it('are known without an entry of the cache, by whether the file beside an image holds the result', async () => {
    const cold = await settle(webp)
    const warm = await run({}, webp)
    expect(warm).toMatchObject({ result: cold, asked: 0, made: 0, opened: expect.arrayContaining(['heavy.jpg']) as [] })
    expect(sources(warm)).toContain('heavy.jpg')
    const { optimizer } = openWorkers(settingsOf(webp), () => undefined)
    const { data } = await optimizer.optimize(heavy, { convert: { type: 'image/webp' } })
    await optimizer.close()
    await writeFile(path.join(folder, 'heavy.webp'), data)
    // Itself an image of the folder, of which nothing is known yet.
    await run({}, { ...webp, exclude: ['*.webp'] })
    const done = await run({}, { ...webp, exclude: ['*.webp'] })
    expect(done).toMatchObject({ asked: 0, made: 0, opened: ['heavy.jpg', 'heavy.webp', 'small.png', 'small.webp'] })
    expect(sources(done)).not.toContain('heavy.jpg')
    await appendFile(path.join(folder, 'heavy.webp'), 'x')
    const changed = await run({}, { ...webp, exclude: ['*.webp'] })
    expect(changed).toMatchObject({ asked: 0, made: 0 })
    expect(sources(changed)).toContain('heavy.jpg')
  })

  it('are asked of the entries where nothing was known but that the result was there, and it no longer is', async () => {
    const own: Config = { ...webp, exclude: ['*.webp'] }
    const { optimizer } = openWorkers(settingsOf(webp), () => undefined)
    const { data } = await optimizer.optimize(heavy, { convert: { type: 'image/webp' } })
    await optimizer.close()
    await writeFile(path.join(folder, 'heavy.webp'), data)
    await settle(own)
    expect(await run({}, own)).toMatchObject({ asked: 0, made: 0 })
    await rm(path.join(folder, 'heavy.webp'))
    const gone = await run({}, own)
    expect(gone.made).toBe(1)
    expect(sources(gone)).toContain('heavy.jpg')
    expect(await run({}, own)).toMatchObject({ result: gone.result, asked: 0, made: 0 })
  })

  it('give way once the cache learns that an image is a result itself', async () => {
    await settle(webp)
    const { cache, optimizer } = openWorkers(settingsOf(webp), () => undefined)
    await createEarlierResults(cache).note(heavy, 80)
    await optimizer.close()
    expect(sources(await run({}, webp))).not.toContain('heavy.jpg')
    await age(30)
    await run({}, webp)
    const later = await run({}, webp)
    expect(later).toMatchObject({ asked: 0, made: 0 })
    expect(sources(later)).not.toContain('heavy.jpg')
  })
})

describe('a check with a lock', () => {
  const config: Config = { lock: true }

  /** A lock that knows both images, and their results in the cache. */
  beforeEach(async () => {
    await rm(path.join(folder, 'broken.jpg'))
    const { optimizer, openLock } = openWorkers(settingsOf(config), () => undefined)
    const lock = await openLock()
    for (const file of ['heavy.jpg', 'small.png'].map((name) => path.join(folder, name))) {
      const plan = optimizer.plan(await readFile(file))
      lock!.note(file, plan, await optimizer.materialize(plan))
    }
    await lock!.write()
    await optimizer.close()
  })

  it('reads each file once, and no entry whose folder has not changed', async () => {
    const cold = await settle(config)
    expect(cold?.findings.map(({ rule }) => rule)).toEqual(['could-shrink'])
    expect(await run({}, config)).toMatchObject({ result: cold, asked: 0, opened: ['heavy.jpg', 'small.png'] })
    // Without the index it is the same.
    await rm(index())
    const { result, asked } = await run({}, config)
    expect([result, asked > 0]).toEqual([cold, true])
  })

  it('reads an entry that is another than the lock says in every run, and says the same of it', async () => {
    const file = path.join(folder, LOCK_NAME)
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/(?<=heavy\.jpg.*"result":")[0-9a-f]{64}/, 'a'.repeat(64)))
    const cold = await settle(config)
    expect(cold?.findings.map(({ rule, source }) => [source, rule])).toEqual([
      ['heavy.jpg', 'could-shrink'],
      ['heavy.jpg', 'lock-differs'],
    ])
    expect(await run({}, config)).toMatchObject({ result: cold, asked: 1, made: 0 })
  })

  it('sees that an image is no longer the one of the lock', async () => {
    await settle(config)
    await writeFile(path.join(folder, 'heavy.jpg'), small)
    const { result } = await run({}, config)
    expect(result?.findings.map(({ rule, source }) => [source, rule])).toEqual([['heavy.jpg', 'not-locked']])
  })
})

it('a check that is asked to stop reads no further', async () => {
  await Promise.all(Array.from({ length: 600 }, (_, at) => writeFile(path.join(folder, `${at}.png`), small)))
  await settle()
  const controller = new AbortController()
  onOpen = () => setImmediate(() => controller.abort())
  const { result, opened } = await run({}, {}, controller.signal)
  expect(result).toBeUndefined()
  expect(opened.length).toBeGreaterThan(0)
  expect(opened.length).toBeLessThan(300)
})
