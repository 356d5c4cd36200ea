import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo, refuse, startImageService, naming } from '@pixpress/testkit'
import type { ImageService } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../../../client/src/index.ts'
import { createSession } from '../../src/session/index.ts'
import { resolvePluginOptions } from '../../src/session/options/resolve.ts'
import type { Options } from '../../src/session/options/options.ts'
import { openSession } from '../../src/session/registry.ts'
import type { Session } from '../../src/session/session.ts'
import type { Report } from '../../src/index.ts'

let root: string
let service: ImageService
const KEY = 'secret-key-0123456789-wxyz'

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  await writeFile(path.join(root, 'a.png'), await photo(96, 64).png())
  await writeFile(path.join(root, 'b.png'), await photo(96, 64, 2).png())
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  service = await startImageService({ keys: [KEY] })
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await service.close()
  await rm(path.join(root, 'cache'), { recursive: true, force: true })
})

const optionsWith = (engine: Partial<Options['engine'] & object> = {}): Options => ({
  engine: { endpoint: service.endpoint, key: KEY, ...engine },
  cache: { dir: 'cache' },
  report: { json: 'report.json' },
})
const open = (engine?: Partial<Options['engine'] & object>): Session =>
  createSession(resolvePluginOptions(optionsWith(engine), root), async () => createClient)

const ignored = (): void => undefined
async function build(session: Session, files: readonly string[] = ['a.png', 'b.png']): Promise<Report> {
  await Promise.all(files.map(async (file) => session.finish(await session.plan(path.join(root, file)), ignored)))
  await session.endBuild()
  return JSON.parse(await readFile(path.join(root, 'report.json'), 'utf8')) as Report
}

const logged = (method: 'log' | 'warn'): string => vi.mocked(console[method]).mock.calls.flat().join('\n')

describe('a session with a service', () => {
  it('reports what it used, and that the next build needs nothing', async () => {
    const first = await build(open({ limit: { build: 5, month: 100 } }))
    expect(first.totals).toMatchObject({ images: 2, encoded: 2 })
    expect(first.remote).toEqual({
      endpoint: service.endpoint,
      compressions: 2,
      unanswered: 0,
      saved: 0,
      images: 2,
      fallbacks: { local: 0, original: 0 },
      reasons: [],
      keys: [{ key: '…wxyz', compressions: 2, month: 2, limit: 100 }],
      left: 3,
    })
    expect(logged('log')).toEqual(naming(new URL(service.endpoint).host, '2 compressions', '2 of 100', '3 left'))
    const asked = service.requests.length
    const second = await build(open())
    expect(second.totals).toMatchObject({ cached: 2 })
    expect(second.remote).toMatchObject({ compressions: 0, saved: 2, keys: [] })
    expect(service.requests).toHaveLength(asked)
  })

  it('goes on without it, and says so once', async () => {
    const report = await build(open({ key: 'wrong-key' }))
    expect(report.totals).toMatchObject({ images: 2, failed: 0 })
    expect(report.remote).toMatchObject({ images: 0, fallbacks: { local: 2 } })
    expect(vi.mocked(console.warn)).toHaveBeenCalledTimes(1)
    expect(logged('warn')).toContain('Credentials are invalid')
    expect(`${logged('warn')} ${logged('log')} ${JSON.stringify(report)}`).not.toContain('wrong-key')
  })

  it('fails the build with fallback error, although images may be broken', async () => {
    service.script.push((response) => refuse(response, 401, 'Unauthorized', 'Credentials are invalid.'))
    await expect(build(open({ fallback: 'error' }), ['a.png'])).rejects.toMatchObject({
      code: 'REMOTE_UNAVAILABLE',
      message: expect.stringContaining('a.png'),
    })
  })

  it('fails the build for options that the client refuses', async () => {
    await expect(build(open({ proxy: 'ftp://127.0.0.1' }), ['a.png'])).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  it('is shared by equal options only, and does not show its key', () => {
    expect(openSession(optionsWith(), root)).toBe(openSession(optionsWith(), root))
    expect(openSession(optionsWith(), root)).not.toBe(openSession(optionsWith({ key: 'another-key' }), root))
    const registry = (globalThis as Record<symbol, unknown>)[Symbol.for('pixpress.sessions')] as Map<string, unknown>
    expect([...registry.keys()].join(' ')).not.toContain('key')
  })
})

describe('engine', () => {
  it.each([
    ['lokal', "Expected 'local' or an object for 'engine'"],
    [{ endpoint: 'http://example.com', key: 'k' }, "for 'engine.endpoint'"],
    [{ endpoint: 'https://example.com' }, "for 'engine.key'"],
    [{ endpoint: 'https://example.com', key: 'k', limits: {} }, "Did you mean 'limit'?"],
  ])('refuses %j', (engine, reason) => {
    expect(() => resolvePluginOptions({ engine: engine as never }, root)).toThrow(reason)
  })

  it('local is the default', () => {
    expect(resolvePluginOptions({ engine: 'local' }, root)).toEqual(resolvePluginOptions({}, root))
  })
})
