import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { naming } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/sha256.ts'
import { createMemoryCache } from '../../src/cache/memory-store.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { parseLock, renderLock } from '../../src/lock/lines.ts'
import type { LockLine } from '../../src/lock/lines.ts'
import { readLock } from '../../src/lock/open-lock.ts'
import type { Lock } from '../../src/lock/open-lock.ts'
import { ENGINE_REVISION } from '../../src/base/versions.ts'
import { open as sharpOf, photo } from '../images.ts'
import type { Operations } from '../../src/operations/index.ts'
import type { OptimizeResult } from '../../src/optimizer/result.ts'

let folder: string
let file: string
const warnings: string[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  file = path.join(folder, 'pixpress.lock')
  warnings.length = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (): Promise<Lock> => readLock({ file, onWarning: (message) => warnings.push(message) })
const linesOf = async (): Promise<LockLine[]> => parseLock(await readFile(file, 'utf8'), '')
const at = (name: string): string => path.join(folder, name)

/** Builds like the plugin: it reports every image, made or from the cache, and then the end. */
async function build(
  optimizer: ReturnType<typeof createOptimizer>,
  images: Readonly<Record<string, Operations | readonly Operations[]>>,
  lock?: Lock,
): Promise<OptimizeResult[]> {
  const opened = lock ?? (await open())
  const results: OptimizeResult[] = []
  for (const [name, asked] of Object.entries(images)) {
    const source = await readFile(at(name))
    for (const operations of [asked].flat()) {
      const plan = optimizer.plan(source, operations)
      const result = await optimizer.materialize(plan, { pinned: opened.lockedAs(at(name), plan)?.pinned })
      opened.note(at(name), plan, result)
      results.push(result)
    }
  }
  await opened.write()
  return results
}

const small = (seed: number): Promise<Buffer> =>
  sharpOf(photo(48, 32, seed))
    .jpeg({ quality: 97 })
    .toBuffer()

/** Changes the lock as if an older engine had made its results, which the cache then has under other keys. */
async function age(cache: ReturnType<typeof createMemoryCache>, by: number = 1): Promise<void> {
  const aged: LockLine[] = []
  for (const line of await linesOf()) {
    const key = sha256(Buffer.from(`older ${line.key}`))
    const entry = (await cache.get(line.key))!
    const data = new Uint8Array([...entry.data, 0])
    await cache.set(key, {
      meta: { ...entry.meta, info: { ...(entry.meta['info'] as object), size: data.length } },
      data,
    })
    aged.push({ ...line, key, engine: ENGINE_REVISION - by, bytes: data.length, result: sha256(data) })
  }
  await writeFile(file, renderLock(aged))
}

describe('a lock', () => {
  it('has a line for every result of a build, and is not written again by the next', async () => {
    const optimizer = createOptimizer({ cache: createMemoryCache() })
    const resized: Operations = { resize: { method: 'scale', width: 24 }, convert: { type: 'image/webp' } }
    await writeFile(at('a.jpg'), await small(1))
    const results = await build(optimizer, { 'a.jpg': [{}, resized] })
    const lines = await linesOf()
    expect(lines.map(({ source, operations }) => [source, operations])).toEqual([
      ['a.jpg', { resize: { method: 'scale', width: 24 }, types: ['image/webp'], score: 80 }],
      ['a.jpg', { score: 80 }],
    ])
    for (const [index, result] of results.toReversed().entries()) {
      expect(lines[index]).toMatchObject({
        type: result.info.type,
        bytes: result.data.length,
        score: Math.round(result.score! * 100) / 100,
        engine: ENGINE_REVISION,
        sha256: sha256(await readFile(at('a.jpg'))),
        result: sha256(result.data),
        key: result.key,
      })
    }
    const before = await stat(file)
    await build(optimizer, { 'a.jpg': [{}, resized] })
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs)
    expect((await stat(file)).ino).toBe(before.ino)
    await optimizer.close()
  })

  it('keeps results of an older engine that the cache has, and replaces those that it has not', async () => {
    const cache = createMemoryCache()
    const optimizer = createOptimizer({ cache })
    await writeFile(at('a.jpg'), await small(1))
    await writeFile(at('b.jpg'), await small(2))
    const [, made] = await build(optimizer, { 'a.jpg': {}, 'b.jpg': {} })
    await age(cache)
    const [older, other] = await linesOf()
    await writeFile(file, renderLock([older!, { ...other!, key: sha256(Buffer.from('nowhere')) }]))
    const [kept, anew] = await build(optimizer, { 'a.jpg': {}, 'b.jpg': {} })
    expect(kept).toMatchObject({ cached: true, pinned: older!.key })
    expect(sha256(kept!.data)).toBe(older!.result)
    expect(anew!.pinned).toBeUndefined()
    expect(Buffer.compare(anew!.data, made!.data)).toBe(0)
    const [first, second] = await linesOf()
    expect(first).toEqual(older)
    expect(second).toMatchObject({ key: made!.key, engine: ENGINE_REVISION })
    await optimizer.close()
  })

  it("leaves a newer engine's lines as they are, and says so once", async () => {
    const cache = createMemoryCache()
    const optimizer = createOptimizer({ cache })
    await writeFile(at('a.jpg'), await small(1))
    await build(optimizer, { 'a.jpg': {} })
    await age(cache, -1)
    const [line] = await linesOf()
    await writeFile(file, renderLock([{ ...line!, key: sha256(Buffer.from('nowhere')) }]))
    const text = await readFile(file, 'utf8')
    await build(optimizer, { 'a.jpg': {} })
    await build(optimizer, { 'a.jpg': {} })
    expect(await readFile(file, 'utf8')).toBe(text)
    expect(warnings[0]).toEqual(naming(ENGINE_REVISION + 1))
    await optimizer.close()
  })

  it('drops lines of files that are gone or have other contents, and of a quality that gave way to another', async () => {
    const optimizer = createOptimizer({ cache: createMemoryCache() })
    for (const [index, name] of ['a.jpg', 'b.jpg', 'c.jpg'].entries()) await writeFile(at(name), await small(index))
    await build(optimizer, { 'a.jpg': {}, 'b.jpg': {}, 'c.jpg': {} })
    await rm(at('a.jpg'))
    await writeFile(at('b.jpg'), await small(7))
    await build(optimizer, { 'b.jpg': {}, 'c.jpg': { quality: 'small' } })
    expect(
      (await linesOf()).map(({ source, operations: { score }, sha256: digest }) => [source, score, digest]),
    ).toEqual([
      ['b.jpg', 80, sha256(await small(7))],
      ['c.jpg', 60, sha256(await small(2))],
    ])
    await optimizer.close()
  })

  it('keeps the lines of other builds: other images, other sizes, two qualities of one build', async () => {
    const optimizer = createOptimizer({ cache: createMemoryCache() })
    const narrow: Operations = { resize: { method: 'scale', width: 20 } }
    for (const [index, name] of ['a.jpg', 'b.jpg'].entries()) await writeFile(at(name), await small(index))
    await build(optimizer, { 'a.jpg': [{}, { quality: 'small' }], 'b.jpg': {} })
    const lines = await linesOf()
    await build(optimizer, { 'b.jpg': narrow })
    const after = await linesOf()
    expect(after).toEqual(expect.arrayContaining(lines))
    expect(after).toHaveLength(lines.length + 1)
    await optimizer.close()
  })

  it('takes what builds that run at the same time have written', async () => {
    const optimizer = createOptimizer({ cache: createMemoryCache() })
    const names = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']
    for (const [index, name] of names.entries()) await writeFile(at(name), await small(index))
    const locks = await Promise.all(names.map(open))
    await Promise.all(names.map((name, index) => build(optimizer, { [name]: {} }, locks[index])))
    expect((await linesOf()).map(({ source }) => source)).toEqual(names)
    expect((await readdir(folder)).sort()).toEqual([...names, 'pixpress.lock'])
    await optimizer.close()
  })

  it('has the line of the later of two builds that made one image', async () => {
    const optimizer = createOptimizer({ cache: createMemoryCache() })
    const [first, second] = [await open(), await open()]
    await writeFile(at('a.jpg'), await small(1))
    await build(optimizer, { 'a.jpg': {} }, first)
    await writeFile(at('a.jpg'), await small(2))
    await build(optimizer, { 'a.jpg': {} }, second)
    expect((await linesOf()).map(({ sha256: digest }) => digest)).toEqual([sha256(await small(2))])
    await optimizer.close()
  })

  it('knows a file that was replaced by its result', async () => {
    const optimizer = createOptimizer({ cache: createMemoryCache(), rememberResults: true })
    await writeFile(at('a.jpg'), await small(1))
    const [result] = await build(optimizer, { 'a.jpg': {} })
    const text = await readFile(file, 'utf8')
    await writeFile(at('a.jpg'), result!.data)
    const [again] = await build(optimizer, { 'a.jpg': {} })
    expect(again).toMatchObject({ kept: 'input', reason: 'finished' })
    expect(await readFile(file, 'utf8')).toBe(text)
    await optimizer.close()
  })

  it('is refused where something else has its name', async () => {
    await mkdir(file)
    await expect(open()).rejects.toMatchObject({
      code: 'LOCK_INVALID',
      message: naming('pixpress.lock', 'EISDIR') as string,
    })
  })

  it.skipIf(!existsSync('/proc/self'))(
    'says that it cannot be written, and lets the build end (needs /proc)',
    async () => {
      const optimizer = createOptimizer()
      const lock = await readLock({
        file: '/proc/self/pixpress.lock',
        onWarning: (message) => warnings.push(message),
      })
      const plan = optimizer.plan(await small(1))
      lock.note(at('a.jpg'), plan, await optimizer.materialize(plan))
      await lock.write()
      expect(warnings).toEqual([naming('pixpress.lock', 'ENOENT')])
      await optimizer.close()
    },
  )
})
