import { photo, startImageService } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createClient } from '../../../../client/src/index.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import { openRemoteEngine, resolveRemoteOptions } from '../../../src/engines/remote/options.ts'
import type { CreateRemoteClient, RemoteOptions } from '../../../src/engines/remote/options.ts'

const endpoint = 'https://images.example.com'
const onWarning = (message: string): never => {
  throw new Error(message)
}

/** The type checks that the published client fits the engine. */
const load = async (): Promise<CreateRemoteClient> => createClient

const endpointOf = (list: readonly string[]): unknown => resolveRemoteOptions({ endpoint: list, key: 'k' }).endpoint

describe('resolveRemoteOptions', () => {
  it('fills in what is not given', () => {
    expect(resolveRemoteOptions({ endpoint, key: 'k' })).toEqual({
      endpoint,
      keys: ['k'],
      concurrency: 4,
      fallback: 'local',
      maxWait: 30_000,
    })
  })

  it('keeps what is given, each key once', () => {
    const options = { proxy: 'http://127.0.0.1:3128', ca: 'PEM', timeout: 5, limit: { build: 0, month: 500 } }
    expect(resolveRemoteOptions({ endpoint, keys: ['a', 'b', 'a'], ...options })).toMatchObject({
      keys: ['a', 'b'],
      ...options,
    })
  })

  it('takes several endpoints, each once', () => {
    expect(endpointOf([endpoint, 'http://127.0.0.1:8080'])).toEqual([endpoint, 'http://127.0.0.1:8080'])
    expect(endpointOf(['http://127.0.0.1:8080', endpoint, `${endpoint}/`])).toEqual(['http://127.0.0.1:8080', endpoint])
    expect(endpointOf([endpoint, `${endpoint}/`])).toBe(endpoint)
  })

  it.each([
    [{ endpoint: [], key: 'k' }, "'engine.endpoint'"],
    [{ endpoint: [endpoint, 'http://images.example.com'], key: 'k' }, "'engine.endpoint[1]'"],
    [{ endpoint: [endpoint, 'https://api:hush@images.example.com'], key: 'k' }, "in 'engine.endpoint[1]'"],
    [{ endpoint: 'http://images.example.com', key: 'k' }, "'engine.endpoint'"],
    [{ endpoint: 'http://127.0.0.1.example.com', key: 'k' }, "'engine.endpoint'"],
    [{ key: 'k' }, "'engine.endpoint'"],
    [{ endpoint: 'https://api:hush@images.example.com', key: 'k' }, "in 'engine.endpoint'"],
    [{ endpoint: 'https://images.example.com/?key=hush', key: 'k' }, "in 'engine.endpoint'"],
    [{ endpoint }, 'environment variable'],
    [{ endpoint, key: undefined }, 'environment variable'],
    [{ endpoint, keys: [] }, 'environment variable'],
    [{ endpoint, keys: ['a', ''] }, 'environment variable'],
    [{ endpoint, key: 'a', keys: ['b'] }, "for 'engine.key', or a list for 'engine.keys'"],
    [{ endpoint, key: 'k', fallback: 'locale' }, "'local', 'original' or 'error'"],
    [{ endpoint, key: 'k', limit: { builds: 3 } }, "Did you mean 'build'?"],
    [{ endpoint, key: 'k', limit: { month: -1 } }, "'engine.limit.month'"],
    [{ endpoint, key: 'k', limit: 5 }, "'engine.limit'"],
    [{ endpoint, key: 'k', concurrency: 0 }, "'engine.concurrency'"],
    [{ endpoint, key: 'k', timeout: '5' }, "'engine.timeout'"],
    [{ endpoint, key: 'k', maxwait: 5 }, "Did you mean 'maxWait'?"],
    [null, "'engine'"],
  ])('refuses %j', (options, reason) => {
    const resolve = (): unknown => resolveRemoteOptions(options as unknown as RemoteOptions)
    expect(resolve).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(reason) }),
    )
    expect(resolve).not.toThrow('hush')
  })

  it.each(['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:80/images'])('takes %s', (here) => {
    expect(resolveRemoteOptions({ endpoint: here, key: 'k' }).endpoint).toBe(here)
  })
})

describe('openRemoteEngine', () => {
  it('works with the client, and shows keys without what makes them secret', async () => {
    const keys = ['first-key-0123456789abcd', 'short']
    const service = await startImageService({ keys, quota: 2 })
    const options = resolveRemoteOptions({ endpoint: service.endpoint, keys, limit: { month: 400 } })
    const warnings: string[] = []
    const engine = openRemoteEngine(options, { load, onWarning: (message) => void warnings.push(message) })
    const optimizer = createOptimizer({ engine })
    try {
      for (const seed of [1, 2, 3, 4, 5]) await optimizer.optimize(await photo(40, 30, seed).png())
      const usage = (await engine.endBuild())!
      expect(usage).toMatchObject({
        endpoint: service.endpoint,
        compressions: 4,
        images: 4,
        fallbacks: { local: 1, original: 0 },
        keys: [
          { key: '…abcd', compressions: 2, month: 2, limit: 400 },
          { key: '…', compressions: 2, month: 2, limit: 400 },
        ],
        left: null,
      })
      expect(`${JSON.stringify([usage, engine.identity])} ${warnings.join(' ')}`).not.toMatch(/first-key|short/)
    } finally {
      await optimizer.close()
      await service.close()
    }
  })

  it('asks whether the key is valid before an image is sent', async () => {
    const service = await startImageService()
    const warnings: string[] = []
    const options = resolveRemoteOptions({ endpoint: service.endpoint, key: 'wrong' })
    const engine = openRemoteEngine(options, { load, onWarning: (message) => void warnings.push(message) })
    const optimizer = createOptimizer({ engine })
    try {
      await optimizer.optimize(await photo(40, 30).png())
      expect(service.requests.map(({ body }) => body.length)).toEqual([0])
      expect(warnings).toEqual([expect.stringContaining('Credentials are invalid')])
    } finally {
      await optimizer.close()
      await service.close()
    }
  })

  it('says what the client does not like', async () => {
    const options = resolveRemoteOptions({ endpoint, key: 'k', proxy: 'socks5://127.0.0.1:1' })
    const optimizer = createOptimizer({ engine: openRemoteEngine(options, { load, onWarning }) })
    await expect(optimizer.optimize(await photo(40, 30).png())).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining("'proxy'"),
    })
  })

  it('loads nothing before an image needs it', async () => {
    const engine = openRemoteEngine(resolveRemoteOptions({ endpoint, key: 'k' }), {
      load: onWarning as () => never,
      onWarning,
    })
    expect(createOptimizer({ engine }).plan(Buffer.from('GIF89a')).type).toBe('image/gif')
    expect(await engine.endBuild()).toBeUndefined()
  })
})
