import { readFile, readdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createOptimizer } from '@pixpress/core'
import type { Operations } from '@pixpress/core'
import { noteWhole, openBuilt } from '@pixpress/core/internal'
import { photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const SITE = JSON.stringify({ devDependencies: { 'unplugin-pixpress': '*' } })

interface Told {
  readonly findings: readonly { readonly rule: string; readonly source: string }[]
  readonly images: readonly { readonly source: string; readonly bytes: number; readonly file?: number }[]
}

/** Runs the check. An image that it compresses leaves two entries in the cache: of the work, and of its result. */
async function check(...args: string[]): Promise<Told & { readonly code: number; readonly encoded: number }> {
  const before = await entries()
  const { code, stdout } = await folder.run(['check', '--format', 'json', ...args])
  return { ...(JSON.parse(stdout) as Told), code, encoded: ((await entries()) - before) / 2 }
}

const entries = async (): Promise<number> =>
  (await readdir(path.join(folder.path, '.cache/pixpress'), { recursive: true }).catch(() => [])).filter((file) =>
    /[\\/][0-9a-f]{64}$/.test(file),
  ).length

interface Shipped {
  readonly file: string
  readonly operations: Operations
}

/** Leaves what a build leaves in the cache, without its entries: the record alone has to say it. */
async function build(shipped: readonly Shipped[], unchanged: readonly string[] = [], project = ''): Promise<number[]> {
  const root = path.join(folder.path, project)
  const cache = path.join(root, '.cache/pixpress')
  const began = Date.now() + 1
  const record = await openBuilt(cache)
  const optimizer = createOptimizer()
  const sizes: number[] = []
  for (const { file, operations } of shipped) {
    const place = path.join(folder.path, file)
    const plan = optimizer.plan(await readFile(place), operations)
    const result = await optimizer.materialize(plan)
    record.note(place, plan, result)
    sizes.push(result.info.size)
  }
  await optimizer.close()
  await record.write()
  await noteWhole(cache, root, {
    began,
    isLocked: false,
    unchanged: unchanged.map((file) => path.join(folder.path, file)),
  })
  await delay(5)
  return sizes
}

describe('check after a build without a lock', () => {
  it('judges images by what the build shipped of them, in several sizes and formats, without compressing', async () => {
    await folder.write({
      'package.json': SITE,
      'src/wide.jpg': await photo(300, 200).jpeg(97),
      'src/typed.jpg': await photo(120, 90, 2).jpeg(97),
    })
    const [small, wide, typed] = await build([
      { file: 'src/wide.jpg', operations: { resize: { method: 'scale', width: 60 } } },
      { file: 'src/wide.jpg', operations: { resize: { method: 'scale', width: 120 } } },
      { file: 'src/typed.jpg', operations: { convert: { type: 'image/webp' } } },
    ])
    const told = await check()
    expect(told).toMatchObject({ code: 0, encoded: 0, findings: [] })
    expect(told.images.map(({ source, bytes }) => [source, bytes])).toEqual([
      ['src/typed.jpg', typed],
      ['src/wide.jpg', Math.max(small!, wide!)],
    ])
  })

  it('does not compress what the build did not ship, unless it came later', async () => {
    await folder.write({ 'package.json': SITE, 'src/unused.jpg': await photo(120, 90, 3).jpeg(97) })
    await delay(20)
    await build([])
    const told = await check()
    expect(told).toMatchObject({ code: 0, encoded: 0 })
    expect(told.images).toMatchObject([{ source: 'src/unused.jpg', bytes: 0 }])
    await folder.write({ 'src/later.jpg': await photo(120, 90, 4).jpeg(97) })
    // Copies keep the time of their contents.
    await utimes(path.join(folder.path, 'src/later.jpg'), 1, 1)
    expect(await check()).toMatchObject({ encoded: 1 })
  })

  it('still finds an image broken that the build shipped unchanged', async () => {
    const whole = await photo(120, 90, 5).jpeg(97)
    await folder.write({ 'package.json': SITE, 'src/broken.jpg': whole.subarray(0, 600) })
    await delay(20)
    await build([], ['src/broken.jpg'])
    expect((await check()).findings).toMatchObject([{ rule: 'broken', source: 'src/broken.jpg' }])
  })

  it('reads the record of each project of a workspace, and judges no project by the build of another', async () => {
    await folder.write({
      'package.json': '{}',
      'web/package.json': SITE,
      'web/a.jpg': await photo(120, 90, 6).jpeg(97),
      'docs/package.json': SITE,
      'docs/b.jpg': await photo(120, 90, 7).jpeg(97),
    })
    await delay(20)
    const [a] = await build([{ file: 'web/a.jpg', operations: { quality: 50 } }], [], 'web')
    const told = await check()
    expect(told).toMatchObject({ encoded: 1 })
    expect(told.images.find(({ source }) => source === 'web/a.jpg')?.bytes).toBe(a)
    expect(told.images.find(({ source }) => source === 'docs/b.jpg')?.bytes).toBeGreaterThan(0)
  })

  it('asks no build whose lock is gone', async () => {
    await folder.write({ 'package.json': SITE, 'a.jpg': await photo(120, 90, 11).jpeg(97) })
    await delay(20)
    await noteWhole(path.join(folder.path, '.cache/pixpress'), folder.path, {
      began: Date.now(),
      isLocked: true,
      unchanged: [],
    })
    expect(await check()).toMatchObject({ encoded: 1 })
  })

  it('is not misled by a source that has changed, or by a damaged record', async () => {
    await folder.write({ 'package.json': SITE, 'a.jpg': await photo(120, 90, 8).jpeg(97) })
    await build([{ file: 'a.jpg', operations: { quality: 50 } }])
    await folder.write({ 'a.jpg': await photo(120, 90, 9).jpeg(97) })
    expect(await check()).toMatchObject({ code: 0, encoded: 1 })
    await folder.write({ '.cache/pixpress/built.lock': 'no lock', '.cache/pixpress/whole-builds.json': '[1' })
    expect(await check()).toMatchObject({ code: 0, encoded: 0 })
  })

  it('says without a terminal what it works on, and nothing where the build says all', async () => {
    await folder.write({ 'package.json': SITE, 'a.jpg': await photo(120, 90, 10).jpeg(97) })
    expect((await folder.run(['check'])).stderr).toMatch(/ 1 /)
    await build([{ file: 'a.jpg', operations: { quality: 50 } }])
    expect((await folder.run(['check'])).stderr).toBe('')
  })
})
