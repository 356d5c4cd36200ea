import { createHash } from 'node:crypto'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createFileCache } from '@pixpress/core'
import { photo, startImageService, naming } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../../client/src/index.ts'
import { createSession } from '../../../src/session/index.ts'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { Options } from '../../../src/session/options/options.ts'
import type { Session } from '../../../src/session/session.ts'
import type { Report } from '../../../src/index.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-')))
  await writeFile(path.join(root, 'package.json'), '{}')
  await writeFile(path.join(root, 'a.jpg'), await photo(120, 90, 1).jpeg(98))
  await writeFile(path.join(root, 'b.jpg'), await photo(120, 90, 2).jpeg(98))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const open = (options: Options = {}): Session =>
  createSession(
    resolvePluginOptions({ report: false, cache: { dir: 'cache' }, ...options }, root),
    async () => createClient,
  )

const ignored = (): void => undefined
async function build(session: Session, ...files: readonly string[]): Promise<readonly Uint8Array[]> {
  const made = await Promise.all(
    files.map(async (file) => session.finish(await session.plan(path.join(root, file)), ignored)),
  )
  await session.endBuild()
  return made.map(({ data }) => data)
}

interface Line {
  readonly source: string
  readonly engine: number | string
  readonly key: string
  readonly result: string
}

const text = (name: string = 'pixpress.lock'): Promise<string> => readFile(path.join(root, name), 'utf8')
const lines = async (name?: string): Promise<Line[]> =>
  (await text(name))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Line)
const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex')

describe('the lock of a build', () => {
  it('is made where the option asks for it, and kept up to date where it is there', async () => {
    await build(open(), 'a.jpg')
    await expect(text()).rejects.toThrow('ENOENT')
    const [a] = await build(open({ lock: true }), 'a.jpg')
    expect(await lines()).toMatchObject([{ source: 'a.jpg', result: sha256(a!) }])
    await build(open(), 'b.jpg')
    expect((await lines()).map(({ source }) => source)).toEqual(['a.jpg', 'b.jpg'])
    const before = await text()
    await rm(path.join(root, 'b.jpg'))
    await build(open({ lock: false }), 'a.jpg')
    expect(await text()).toBe(before)
  })

  it('has paths that are relative to its own folder, wherever the root is', async () => {
    await build(open({ lock: 'locks/images.lock' }), 'a.jpg')
    expect((await lines('locks/images.lock')).map(({ source }) => source)).toEqual(['../a.jpg'])
  })

  it('is written once for builds that belong together', async () => {
    const session = open({ lock: true })
    session.joinBuilds(2)
    await build(session, 'a.jpg')
    await expect(text()).rejects.toThrow('ENOENT')
    await build(session, 'b.jpg')
    expect(await lines()).toHaveLength(2)
  })

  it("gives the result of an older engine, without encoding, until it isn't in the cache any more", async () => {
    const [made] = await build(open({ lock: true }), 'a.jpg')
    const cache = createFileCache({ dir: path.join(root, 'cache') })
    const [line] = await lines()
    const entry = (await cache.get(line!.key))!
    const data = new Uint8Array([...entry.data, 0])
    const key = sha256('older')
    await cache.set(key, {
      meta: { ...entry.meta, info: { ...(entry.meta['info'] as object), size: data.length } },
      data,
    })
    const older = { ...line, engine: Number(line!.engine) - 1, bytes: data.length, result: sha256(data), key }
    const locked = `{"lock":1}\n${JSON.stringify(older)}\n`
    await writeFile(path.join(root, 'pixpress.lock'), locked)
    const [kept] = await build(open(), 'a.jpg')
    expect(sha256(kept!)).toBe(older.result)
    expect(await text()).toBe(locked)
    await cache.clear()
    const [anew] = await build(open(), 'a.jpg')
    expect(sha256(anew!)).toBe(sha256(made!))
    expect(await lines()).toEqual([line])
  })

  it("notes the formats of convert: 'auto', and keeps them while the project names the same browsers", async () => {
    const header = async (): Promise<unknown> => JSON.parse((await text()).split('\n', 1)[0]!)
    const auto = { lock: true, convert: 'auto' } as const
    await build(open({ lock: true }), 'a.jpg')
    expect(await header()).toEqual({ lock: 1 })
    await build(open({ ...auto, cache: { dir: 'cache', mode: 'frozen' }, onError: 'warn' }), 'a.jpg').catch(ignored)
    expect(await header()).toEqual({ lock: 1 })
    await build(open(auto), 'a.jpg')
    const chosen = { lock: 1, auto: ['image/avif', 'image/webp'], browsers: 'baseline' }
    expect(await header()).toEqual(chosen)

    // An earlier release, whose data knew less support of AVIF, may have written it.
    await writeFile(path.join(root, 'pixpress.lock'), '{"lock":1,"auto":["image/webp"],"browsers":"baseline"}\n')
    const [webp] = await build(open(auto), 'a.jpg')
    expect(Buffer.from(webp!).toString('latin1', 8, 12)).toBe('WEBP')
    const locked = await text()
    await build(open(auto), 'a.jpg')
    expect(await text()).toBe(locked)
    await build(open({ lock: true }), 'a.jpg')
    expect(await header()).toEqual({ ...chosen, auto: ['image/webp'] })

    await writeFile(path.join(root, 'pixpress.lock'), locked.replace('"baseline"', '"targets: safari16"'))
    await build(open(auto), 'a.jpg')
    expect(await header()).toEqual(chosen)
  })

  it('stops a build for a conflict of a merge, and goes on in the next build of a watcher', async () => {
    const session = open({ lock: true, onError: 'warn' })
    await writeFile(path.join(root, 'pixpress.lock'), '{"lock":1}\n<<<<<<< HEAD\n=======\n>>>>>>> other\n')
    await expect(build(session, 'a.jpg')).rejects.toMatchObject({
      code: 'LOCK_INVALID',
      message: naming('2', 'pixpress.lock') as string,
    })
    await writeFile(path.join(root, 'pixpress.lock'), '{"lock":1}\n')
    await build(session, 'a.jpg')
    expect(await lines()).toHaveLength(1)
  })

  it('says of what a service has made that it is of a service', async () => {
    const service = await startImageService({ keys: ['secret-key-0123456789-wxyz'] })
    const engine = { endpoint: service.endpoint, key: 'secret-key-0123456789-wxyz' }
    try {
      await build(open({ lock: true, engine }), 'a.jpg')
      expect(await lines()).toMatchObject([{ source: 'a.jpg', engine: 'service' }])
      expect(await text()).not.toContain('secret')
      const before = await text()
      await build(open({ engine }), 'a.jpg')
      expect(await text()).toBe(before)
    } finally {
      await service.close()
    }
  })
})

const drafts = async (): Promise<string[]> =>
  ((await lines()) as (Line & { readonly draft?: true })[]).flatMap(({ source, draft }) => (draft ? [source] : []))
const report = async (): Promise<Report> => JSON.parse(await readFile(path.join(root, 'report.json'), 'utf8')) as Report

describe('drafts of a build', () => {
  const WEBP = { convert: { type: 'image/webp' }, effort: 'auto' } as const

  it('are named in the lock and counted in the report, and stay until they are refined', async () => {
    const options: Options = { ...WEBP, firstBuild: '1ms', report: { json: 'report.json' } }
    const made = await build(open(options), 'a.jpg', 'b.jpg')
    expect(await drafts()).toEqual(['a.jpg', 'b.jpg'])
    const bytes = made[0]!.length + made[1]!.length
    expect(await report()).toMatchObject({
      drafts: { images: 2, saving: Math.round(bytes * 0.14) },
      images: [{ draft: true }, { draft: true }],
    })
    const before = await text()
    const session = open(options)
    expect((await build(session, 'a.jpg', 'b.jpg')).map(sha256)).toEqual(made.map(sha256))
    expect(await text()).toBe(before)
    expect(await session.refineNext()).toBe(true)
    expect(await drafts()).toHaveLength(1)
    expect(await session.refineNext()).toBe(true)
    expect(await session.refineNext()).toBe(false)
    expect(await drafts()).toEqual([])
    const final = await build(open({ ...WEBP, effort: 'default' }), 'a.jpg', 'b.jpg')
    expect((await lines()).map(({ result }) => result)).toEqual(final.map(sha256))
    expect((await build(open(options), 'a.jpg', 'b.jpg')).map(sha256)).toEqual(final.map(sha256))
    expect((await report()).drafts).toBeUndefined()
  })

  it('never take the place of a result that the lock calls final', async () => {
    const [final] = await build(open({ ...WEBP, lock: true }), 'a.jpg')
    await rm(path.join(root, 'cache'), { recursive: true })
    const [again] = await build(open({ ...WEBP, firstBuild: 1 }), 'a.jpg')
    expect(sha256(again!)).toBe(sha256(final!))
    expect(await drafts()).toEqual([])
  })

  it('are made of images with an effort of their own or a build with time as little as without the option', async () => {
    await build(open({ ...WEBP, firstBuild: '10m' }), 'a.jpg')
    await build(open({ ...WEBP, firstBuild: 1, overrides: [{ include: 'b.jpg', effort: 'default' }] }), 'b.jpg')
    expect(await lines()).toHaveLength(2)
    expect(await drafts()).toEqual([])
  })

  it('are used from a frozen cache, and are not what it is said to lack', async () => {
    const cache = { dir: 'cache', mode: 'frozen' } as const
    const [draft] = await build(open({ ...WEBP, firstBuild: 1 }), 'a.jpg')
    const [again] = await build(open({ ...WEBP, firstBuild: 1, cache }), 'a.jpg')
    expect(sha256(again!)).toBe(sha256(draft!))
    await expect(build(open({ ...WEBP, firstBuild: 1, cache }), 'b.jpg')).rejects.toMatchObject({
      code: 'NOT_CACHED',
      message: expect.not.stringContaining('fast') as string,
    })
  })

  it('need a lock', () => {
    expect(() => open({ ...WEBP, firstBuild: '5s', lock: false })).toThrow("beside 'firstBuild'")
  })
})

const whole = async (): Promise<Record<string, { began: number; unchanged: string[] }>> =>
  JSON.parse(await text('cache/whole-builds.json')) as Record<string, { began: number; unchanged: string[] }>
const built = async (session: Session, name: string | undefined, ...files: readonly string[]): Promise<void> => {
  for (const file of files) await session.finish(await session.plan(path.join(root, file)), ignored)
  await session.endBuild(name)
}

describe('the record of a build without a lock', () => {
  it('has a line for each result, and decides nothing in the next build', async () => {
    await built(open(), 'site', 'a.jpg', 'b.jpg')
    expect((await lines('cache/built.lock')).map(({ source }) => source)).toEqual(['../a.jpg', '../b.jpg'])
    await built(open(), 'site', 'b.jpg')
    const former = await text('cache/built.lock')
    await writeFile(path.join(root, 'cache/built.lock'), 'damaged')
    await built(open(), 'site', 'a.jpg', 'b.jpg')
    expect(former).not.toBe('damaged')
    expect(await lines('cache/built.lock')).toHaveLength(2)
  })

  it('says when a whole build began, and what it shipped unchanged', async () => {
    const before = Date.now()
    await writeFile(path.join(root, 'b.jpg'), (await readFile(path.join(root, 'b.jpg'))).subarray(0, 400))
    await built(open(), undefined, 'a.jpg')
    await expect(whole()).rejects.toThrow('ENOENT')
    await built(open({ lock: true }), 'site', 'a.jpg', 'b.jpg')
    const { began, unchanged } = (await whole())['..']!
    expect(began).toBeGreaterThanOrEqual(before)
    expect(unchanged).toEqual(['../b.jpg'])
  })

  it('is not written where the cache is only read', async () => {
    await built(open(), undefined, 'a.jpg')
    const former = await text('cache/built.lock')
    await built(open({ cache: { dir: 'cache', mode: 'read' } }), 'site', 'a.jpg', 'b.jpg')
    expect(await text('cache/built.lock')).toBe(former)
  })
})
