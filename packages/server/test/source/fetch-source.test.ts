import type { LookupFunction } from 'node:net'
import { naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowedSources } from '../../src/index.ts'
import { createUploadMemory } from '../../src/http/upload-memory.ts'
import { fetchSource } from '../../src/source/fetch-source.ts'
import type { SourceSettings } from '../../src/source/fetch-source.ts'
import { serveFiles } from '../support/file-server.ts'
import type { FileServer } from '../support/file-server.ts'

let files: FileServer

beforeAll(async () => {
  files = await serveFiles({
    '/photo': Buffer.from('SECRET'),
    '/chunked': (_request, response) => void response.writeHead(200, { 'Transfer-Encoding': 'chunked' }).end('SECRET'),
    '/to': (request, response) => {
      const target = new URL(request.url!, 'http://x').searchParams.get('url')!
      response.writeHead(302, { Location: target }).end()
    },
    '/loop': (_request, response) => void response.writeHead(302, { Location: '/loop' }).end(),
    '/endless': (_request, response) => {
      const chunk = Buffer.alloc(65_536)
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', write)
      }
      write()
    },
    '/declared': (_request, response) => void response.writeHead(200, { 'Content-Length': '5000000' }).end('x'),
    '/drip': (_request, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 50)
      response.once('close', () => clearInterval(timer))
    },
    '/error': (_request, response) => void response.writeHead(500).end('inner secrets'),
  })
})
afterAll(() => files.close())

/** Resolves every name to these addresses, the n-th time to the n-th list. */
function resolver(...answers: readonly (readonly string[])[]): LookupFunction & { calls: number } {
  const lookup = (_host: string, _options: unknown, callback: (...values: unknown[]) => void): void => {
    const addresses = answers[Math.min(found.calls++, answers.length - 1)]!
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  const found = Object.assign(lookup as unknown as LookupFunction, { calls: 0 })
  return found
}

const settings = (more: Partial<SourceSettings> = {}): SourceSettings => ({
  // Every host may be asked on the test's port, which a public host would not have.
  sources: {
    allows: (place) => allowedSources('test', []).allows({ ...place, port: 80 }),
    mayAllowPort: () => true,
  },
  maxBytes: 1_000_000,
  memory: createUploadMemory(10_000_000, 1).open('shop'),
  connectTimeout: 500,
  ...more,
})
/** Treats this name alone as a public host although it is on the loopback address. */
const asPublic = (more: Partial<SourceSettings> = {}): SourceSettings =>
  settings({
    sources: allowedSources('test', [`public.example:${files.port}`]),
    lookup: resolver(['127.0.0.1']),
    ...more,
  })
const refusal = (url: string, with_: SourceSettings): Promise<string> =>
  fetchSource(url, with_).then(
    (data) => `fetched ${data.length} bytes`,
    (error: Error & { error?: string }) => `${error.error}: ${error.message}`,
  )

const NOT_ALLOWED =
  "SourceNotFound: The URL in 'source.url' has a host that cannot be found, or is not one that the service may fetch from."

describe('fetchSource', () => {
  it.each([
    ['127.0.0.1'],
    ['localhost'],
    ['127.1'],
    ['2130706433'],
    ['0x7f000001'],
    ['0177.0.0.1'],
    ['0.0.0.0'],
    ['[::1]'],
    ['[::ffff:127.0.0.1]'],
    ['[::]'],
    ['localhost.'],
  ])('does not reach the loopback address spelt %s', async (host) => {
    const before = files.hits()
    const said = await refusal(`http://${host}:${files.port}/photo`, settings())
    // Resolvers that know no absolute names do not even find the last one.
    expect(said).toMatch(host === 'localhost.' ? /not one that|cannot be reached/ : /not one that/)
    expect(files.hits()).toBe(before)
  })

  it('checks the address that is dialled: a name that resolves to another one the second time gains nothing', async () => {
    const before = files.hits()
    const lookup = resolver(['127.0.0.1'], ['93.184.216.34'])
    expect(await refusal(`http://rebind.example:${files.port}/photo`, settings({ lookup }))).toBe(NOT_ALLOWED)
    expect([lookup.calls, files.hits()]).toEqual([1, before])
  })

  it('says the same of a name that resolves to an inner address and of one that does not exist', async () => {
    const missing = ((_host: string, _options: unknown, callback: (error: Error) => void) =>
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))) as unknown as LookupFunction
    const inner = resolver(['10.1.2.3'])
    const said = [
      await refusal('http://db.internal/', settings({ lookup: inner })),
      await refusal('http://nowhere.internal/', settings({ lookup: missing })),
      await refusal('http://10.1.2.3/', settings()),
    ]
    expect(said).toEqual([NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED])
  })

  it('reaches an allowed host at its allowed port alone, over redirects and by its other names too', async () => {
    const other = await serveFiles({ '/photo': Buffer.from('SECRET') })
    try {
      const byAddress = settings({
        sources: allowedSources('test', [`127.0.0.1:${files.port}`]),
        lookup: resolver(['127.0.0.1']),
      })
      const allowed = `http://127.0.0.1:${files.port}`
      expect((await fetchSource(`${allowed}/photo`, byAddress)).toString()).toBe('SECRET')
      expect((await fetchSource(`http://inner.example:${files.port}/photo`, byAddress)).toString()).toBe('SECRET')
      for (const target of [
        `http://127.0.0.1:${other.port}/photo`,
        `http://inner.example:${other.port}/photo`,
        'http://127.0.0.1/photo',
        'http://inner.example/photo',
        'https://inner.example/photo',
      ]) {
        const refused = /port that is not allowed|not one that the service may fetch from/
        expect(await refusal(target, byAddress), target).toMatch(refused)
        expect(await refusal(`${allowed}/to?url=${encodeURIComponent(target)}`, byAddress), target).toMatch(refused)
      }
      expect(other.hits()).toBe(0)
    } finally {
      await other.close()
    }
  })

  it('fetches what is allowed, over redirects too', async () => {
    const url = `http://public.example:${files.port}`
    expect((await fetchSource(`${url}/photo`, asPublic())).toString()).toBe('SECRET')
    expect((await fetchSource(`${url}/to?url=/photo`, asPublic())).toString()).toBe('SECRET')
  })

  it.each([
    ['http://169.254.169.254/latest/', /not one that the service may fetch from/],
    ['http://[::1]/', /not one that the service may fetch from/],
    ['http://10.0.0.1/', /not one that the service may fetch from/],
    ['http://other.example/', /not one that the service may fetch from/],
    ['http://public.example:22/', /port that is not allowed/],
    ['file:///etc/passwd', /http or https/],
    ['http://a:b@public.example/', /must not hold credentials/],
    ['http://a@public.example/', /must not hold credentials/],
    ['http://:b@public.example/', /must not hold credentials/],
    ['http://[broken/', /not a valid URL/],
  ])('checks every redirect anew: %s', async (target, message) => {
    const url = `http://public.example:${files.port}/to?url=${encodeURIComponent(target)}`
    expect(await refusal(url, asPublic())).toMatch(message)
  })

  it('follows three redirects at most', async () => {
    const before = files.hits()
    expect(await refusal(`http://public.example:${files.port}/loop`, asPublic())).toMatch(/more than 3 redirects/)
    expect(files.hits() - before).toBe(4)
  })

  it('stops at the limit of bytes, announced or not', async () => {
    const url = `http://public.example:${files.port}`
    expect(await refusal(`${url}/endless`, asPublic())).toMatch(/^InputTooLarge/)
    expect(await refusal(`${url}/declared`, asPublic())).toMatch(/^InputTooLarge/)
    for (const file of ['photo', 'chunked']) {
      expect(await refusal(`${url}/${file}`, asPublic({ maxBytes: 6 }))).toBe('fetched 6 bytes')
      expect(await refusal(`${url}/${file}`, asPublic({ maxBytes: 5 }))).toMatch(/^InputTooLarge/)
    }
  })

  it('stops when the time is over, however steadily bytes drip', async () => {
    expect(await refusal(`http://public.example:${files.port}/drip`, asPublic({ timeout: 300 }))).toMatch(/too long/)
  })

  it('says nothing of what the source has answered', async () => {
    const said = await refusal(`http://public.example:${files.port}/error`, asPublic())
    expect(said).toEqual(naming('SourceNotFound', "'source.url'"))
  })

  it('takes the bytes from the memory that uploads share', async () => {
    const memory = createUploadMemory(3, 1).open('shop')
    expect(await refusal(`http://public.example:${files.port}/photo`, asPublic({ memory }))).toMatch(
      /^ServiceUnavailable/,
    )
  })
})
