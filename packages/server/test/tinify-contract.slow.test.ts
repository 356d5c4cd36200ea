import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import ours from '@pixpress/client/tinify'
import { createTestAuthority, startConnectProxy } from '@pixpress/testkit'
import type { ConnectProxy, TestAuthority } from '@pixpress/testkit'
import official from 'tinify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBucketServer } from './support/bucket-server.ts'
import type { BucketServer } from './support/bucket-server.ts'
import { serveFiles } from './support/file-server.ts'
import type { FileServer } from './support/file-server.ts'
import { makeImages } from './support/images.ts'
import type { TestImages } from './support/images.ts'
import { KEY, OTHER_KEY, startTestServer } from './support/server.ts'
import type { TestServer } from './support/server.ts'

/** One program, with the official package and with this project's in its place. */
type Tinify = typeof official
type Program = (tinify: Tinify) => unknown

/** Classes, which programs compare with and do not construct: their constructors are each package's own. */
type Classes = 'Source' | 'Result' | 'ResultMeta' | `${'' | 'Account' | 'Client' | 'Server' | 'Connection'}Error`

/** Compiles as long as the official package's types hold for this one. */
const typedAlike: Omit<Tinify, Classes | 'default'> = ours

const PACKAGES: readonly { readonly name: string; readonly tinify: Tinify; readonly key: string }[] = [
  { name: 'tinify', tinify: official, key: KEY },
  { name: '@pixpress/client/tinify', tinify: typedAlike as Tinify, key: OTHER_KEY },
]

let authority: TestAuthority
let folder: string
let files: FileServer
let buckets: BucketServer
let proxy: ConnectProxy
let server: TestServer
let limited: TestServer
let images: TestImages

beforeAll(async () => {
  images = await makeImages()
  authority = await createTestAuthority()
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-contract-'))
  const tls = { 'tls-cert': path.join(folder, 'cert.pem'), 'tls-key': path.join(folder, 'key.pem') }
  await writeFile(tls['tls-cert'], authority.server.cert)
  await writeFile(tls['tls-key'], authority.server.key)
  await writeFile(path.join(folder, 'photo.jpg'), images.jpeg)
  files = await serveFiles({ '/photo.jpg': images.jpeg })
  buckets = await startBucketServer()
  proxy = await startConnectProxy()
  server = await startTestServer({
    ...tls,
    'store-s3-endpoint': buckets.url,
    'allow-source': `127.0.0.1:${files.port}`,
  })
  limited = await startTestServer({ ...tls, 'monthly-limit': '1' })
})
afterAll(async () => {
  await server.stop()
  await limited.stop()
  await proxy.close()
  await files.close()
  await buckets.close()
  await rm(folder, { recursive: true, force: true })
})

/** The end of a program: a value, or an error as programs tell errors apart. */
async function outcome(program: Program, tinify: Tinify): Promise<unknown> {
  try {
    return { value: await program(tinify) }
  } catch (error) {
    return { error: seen(error, tinify) }
  }
}

function seen(error: unknown, tinify: Tinify): unknown {
  const { AccountError, ClientError, ServerError, ConnectionError } = tinify
  const classes = { AccountError, ClientError, ServerError, ConnectionError, Error: tinify.Error }
  const { status, message } = error as Error & { status?: number }
  const of = Object.entries(classes).flatMap(([name, Class]) => (error instanceof Class ? [name] : []))
  // The system says why a connection failed, and each package puts words of its own around it.
  return { of, status, message: of.includes('ConnectionError') ? undefined : message }
}

/** Runs the program with both packages, one after the other, each with an account of its own. */
async function both(program: Program, to: TestServer = server): Promise<readonly [unknown, unknown]> {
  const results: unknown[] = []
  for (const { tinify, key } of PACKAGES) {
    const Client = tinify.Client as unknown as { API_ENDPOINT: string; CA_BUNDLE: string }
    Client.API_ENDPOINT = to.url
    Client.CA_BUNDLE = authority.ca
    tinify.key = key
    results.push(await outcome(program, tinify))
  }
  return results as [unknown, unknown]
}

const digest = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

const S3 = {
  service: 's3',
  aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  aws_secret_access_key: 'secret',
  region: 'us-west-1',
  path: 'my-bucket/photo.jpg',
}

/** Calls back, as a promise. */
const called = <T>(ask: (callback: (error: Error | null, data?: T) => void) => void): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    ask((error, data) => (error === null ? resolve(data) : reject(error)))
  })

const GOOD: readonly (readonly [string, Program])[] = [
  ['validates the key', (tinify) => tinify.validate()],
  ['compresses bytes', async (tinify) => digest(await tinify.fromBuffer(images.jpeg).toBuffer())],
  [
    'compresses from a file to a file',
    async (tinify) => {
      const target = path.join(folder, 'small.jpg')
      const given = await tinify.fromFile(path.join(folder, 'photo.jpg')).toFile(target)
      return [given, digest(await readFile(target))]
    },
  ],
  ['compresses from a URL', async (tinify) => digest(await tinify.fromUrl(`${files.url}/photo.jpg`).toBuffer())],
  [
    'asks a result for all that it knows',
    async (tinify) => {
      const result = tinify.fromBuffer(images.jpeg).result()
      return [
        await result.size(),
        await result.width(),
        await result.height(),
        await result.mediaType(),
        await result.contentType(),
        await result.extension(),
        await result.location(),
        digest(await result.toBuffer()),
      ]
    },
  ],
  [
    'makes several images of one upload',
    async (tinify) => {
      const source = tinify.fromBuffer(images.jpeg)
      const small = source.resize({ method: 'scale', width: 60 })
      return Promise.all(
        [small, small.convert({ type: 'image/webp' }), source].map(async (each) => digest(await each.toBuffer())),
      )
    },
  ],
  [
    'resizes to a cover, and converts to the smallest',
    async (tinify) => {
      const source = tinify.fromBuffer(images.png).resize({ method: 'cover', width: 40, height: 40 })
      const result = source.convert({ type: ['image/webp', 'image/png'] }).result()
      return [await result.width(), await result.height(), await result.mediaType(), digest(await result.toBuffer())]
    },
  ],
  [
    'converts by the wildcard',
    async (tinify) => tinify.fromBuffer(images.jpeg).convert({ type: '*/*' }).result().mediaType(),
  ],
  [
    'fills a background',
    async (tinify) => {
      const source = tinify.fromBuffer(images.transparent).convert({ type: 'image/jpeg' })
      return digest(await source.transform({ background: '#FF8800' }).toBuffer())
    },
  ],
  [
    'keeps metadata, as a list and one by one',
    async (tinify) => {
      const source = tinify.fromFile(path.join(import.meta.dirname, 'fixtures/metadata.jpg'))
      const kept = [source.preserve('copyright', 'creation'), source.preserve(['copyright', 'creation'])]
      return Promise.all(kept.map(async (each) => digest(await each.toBuffer())))
    },
  ],
  [
    'gives a command twice',
    async (tinify) => {
      const source = tinify.fromBuffer(images.jpeg).resize({ method: 'scale', width: 60 })
      return source.resize({ method: 'scale', width: 30 }).result().width()
    },
  ],
  [
    'stores',
    async (tinify) => {
      const stored = tinify.fromBuffer(images.jpeg).resize({ method: 'scale', width: 60 }).store(S3)
      return [await stored.location(), await stored.width(), await stored.height()]
    },
  ],
  [
    'takes callbacks',
    async (tinify) => {
      const result = tinify.fromBuffer(images.jpeg).result()
      const target = path.join(folder, 'called.jpg')
      return [
        await called((done) => tinify.validate(done as () => void)),
        await called<number>((done) => result.width(done)),
        await called<number>((done) => result.size(done)),
        await called<string | void>((done) => result.extension(done)),
        await called((done) => result.toFile(target, done as () => void)),
        digest((await called<Uint8Array>((done) => tinify.fromBuffer(images.jpeg).toBuffer(done)))!),
        digest(await readFile(target)),
        result.height(() => undefined) as unknown,
      ]
    },
  ],
  [
    'goes through a proxy, and names itself',
    async (tinify) => {
      tinify.proxy = `http://${proxy.host}`
      tinify.appIdentifier = 'gallery/2'
      try {
        return digest(await tinify.fromBuffer(images.png).toBuffer())
      } finally {
        tinify.proxy = ''
      }
    },
  ],
  ['uses the object behind `default`', (tinify) => [tinify.default === tinify, typeof tinify.client]],
  ['counts compressions', (tinify) => tinify.compressionCount],
]

const BAD: readonly (readonly [string, Program])[] = [
  [
    'has a wrong key',
    async (tinify) => {
      tinify.key = 'wrong'
      await tinify.validate()
    },
  ],
  [
    'has no key',
    (tinify) => {
      tinify.key = ''
      return tinify.fromBuffer(images.png)
    },
  ],
  [
    'validates no key',
    async (tinify) => {
      tinify.key = ''
      await tinify.validate()
    },
  ],
  ['uploads no image', (tinify) => tinify.fromBuffer('no image').toBuffer()],
  ['uploads half an image', (tinify) => tinify.fromBuffer(images.jpeg.subarray(0, 50)).toBuffer()],
  ['uploads nothing', (tinify) => tinify.fromBuffer('').toBuffer()],
  ['names a file that is not there', (tinify) => tinify.fromFile(path.join(folder, 'missing.jpg')).toBuffer()],
  ['names a URL that is not there', (tinify) => tinify.fromUrl(`${files.url}/missing.jpg`).toBuffer()],
  ['resizes by no method', (tinify) => tinify.fromBuffer(images.png).resize({ width: 10 }).toBuffer()],
  [
    'resizes by an unknown method',
    (tinify) => tinify.fromBuffer(images.png).resize({ method: 'shrink', width: 10 }).toBuffer(),
  ],
  ['needs a background', (tinify) => tinify.fromBuffer(images.transparent).convert({ type: 'image/jpeg' }).toBuffer()],
  ['keeps what there is not', (tinify) => tinify.fromBuffer(images.png).preserve('everything').toBuffer()],
  ['stores nowhere', (tinify) => tinify.fromBuffer(images.png).store({ service: 'nowhere' }).location()],
  ['asks for the width of what failed', (tinify) => tinify.fromBuffer('no image').result().width()],
  [
    'is called back with an error',
    (tinify) => called((done) => tinify.fromBuffer('no image').toBuffer(done as () => void)),
  ],
  [
    'has a proxy that is none',
    (tinify) => {
      tinify.proxy = 'http-bad-url'
      try {
        return tinify.client
      } finally {
        tinify.proxy = ''
      }
    },
  ],
  [
    'reaches nobody',
    (tinify) => {
      const Client = tinify.Client as unknown as { API_ENDPOINT: string }
      Client.API_ENDPOINT = 'https://127.0.0.1:9'
      return tinify.fromBuffer(images.png).toBuffer()
    },
  ],
]

/** Compresses, once within the limit and once beyond it. */
const compressTwice: Program = async (tinify) => {
  const codes: unknown[] = []
  for (let upload = 0; upload < 2; upload++)
    codes.push(
      await tinify
        .fromBuffer(images.png)
        .toBuffer()
        .then(digest, (error: unknown) => seen(error, tinify)),
    )
  // A key at its limit is valid.
  await tinify.validate()
  return codes
}

describe('a program that changes one import', () => {
  it.each(GOOD)('%s, with the same result', async (_, program) => {
    const [expected, given] = await both(program)
    expect(expected).toHaveProperty('value')
    expect(given).toEqual(expected)
  })

  it('has gone through the proxy with both', () => {
    expect(proxy.tunnels).toEqual(Array(2).fill(new URL(server.url).host))
  })

  it.each(BAD)('%s, with the same error', async (_, program) => {
    const [expected, given] = await both(program)
    expect(expected).toHaveProperty('error')
    expect(given).toEqual(expected)
  })

  it('reaches the limit of the month, with the same error', async () => {
    const [expected, given] = await both(compressTwice, limited)
    expect(expected).toMatchObject({ value: [expect.any(String), { of: ['AccountError', 'Error'], status: 429 }] })
    expect(given).toEqual(expected)
  })

  it('finds every name of the official package', () => {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(official)))
      expect(Object.getOwnPropertyNames(Object.getPrototypeOf(ours))).toContain(name)
    for (const name of ['Source', 'Result', 'ResultMeta'] as const) {
      const methods = Object.getOwnPropertyNames(official[name].prototype).filter((each) => !INTERNAL.has(each))
      expect(Object.getOwnPropertyNames(ours[name].prototype)).toEqual(expect.arrayContaining(methods))
    }
    for (const name of ['fromFile', 'fromBuffer', 'fromUrl'] as const) expect(ours.Source[name]).toBeTypeOf('function')
  })

  it('leaves no temporary file behind', async () => {
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

/** Members that the official package's types do not have. */
const INTERNAL: ReadonlySet<string> = new Set(['meta', 'data', 'constructor'])
