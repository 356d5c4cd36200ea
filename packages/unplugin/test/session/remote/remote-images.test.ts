import { createHash } from 'node:crypto'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { photo, naming } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSession } from '../../../src/session/index.ts'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { Options } from '../../../src/session/options/options.ts'
import type { Session } from '../../../src/session/session.ts'

/** Gives the server's next answers. */
let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void
let asked: http.IncomingMessage[]
let server: http.Server
let origin: string
let root: string
let first: Buffer
let second: Buffer

const image = (): string => `${origin}/photos/a.jpg`
const give =
  (data: Uint8Array, headers: http.OutgoingHttpHeaders = {}): typeof answer =>
  (_, response) =>
    void response.writeHead(200, headers).end(data)

beforeEach(async () => {
  first = await photo(40, 30, 1).jpeg(98)
  second = await photo(40, 30, 2).jpeg(98)
  asked = []
  answer = give(first)
  server = http.createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-remote-')))
  await writeFile(path.join(root, 'package.json'), '{}')
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(root, { recursive: true, force: true })
})

const open = (options: Options = {}): Session =>
  createSession(resolvePluginOptions({ report: false, remoteImages: [`${origin}/photos/**`], ...options }, root))

interface Built {
  readonly data: Buffer | undefined
  readonly warnings: readonly string[]
}

/** One build with one reference to an image: its copy, and a line in the lock for it. */
async function build(url: string, options?: Options): Promise<Built> {
  const session = open(options)
  const warnings: string[] = []
  const remote = await session.remote.locate(url, (message) => warnings.push(message))
  if (remote !== undefined) await session.finish(await session.plan(remote.file), () => undefined)
  await session.endBuild()
  return { data: remote && (await readFile(remote.file)), warnings }
}

const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')
const stopped = (): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

describe('a remote image', () => {
  it('is fetched once in a run, and asked for with its validators in the next', async () => {
    answer = (request, response) =>
      request.headers['if-none-match'] === '"one"'
        ? void response.writeHead(304).end()
        : void response.writeHead(200, { ETag: '"one"' }).end(first)
    const session = open()
    const [one, two] = await Promise.all([image(), `${image()}#?w=20`].map((url) => session.remote.locate(url, fail)))
    expect(one!.file).toBe(two!.file)
    expect(two!.query).toBe('?w=20')
    expect(asked).toHaveLength(1)
    expect((await build(image())).data!.equals(first)).toBe(true)
    expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"'])
  })

  it('is the new one where it changed and no lock is kept', async () => {
    await build(image())
    answer = give(second)
    expect(await build(image())).toEqual({ data: second, warnings: [] })
  })

  it('comes from the cache where its server cannot be reached, with a warning', async () => {
    await build(image())
    await stopped()
    const { data, warnings } = await build(image())
    expect(data!.equals(first)).toBe(true)
    expect(warnings).toEqual([naming(image(), 'copy')])
  })

  it('is nowhere shown or kept with its query, which may hold a key', async () => {
    const url = `${image()}?token=SECRET`
    await build(url, { lock: true })
    const lock = await readFile(path.join(root, 'pixpress.lock'), 'utf8')
    expect(lock).toContain(`"source":"${image()}?sha256=${sha256(Buffer.from('?token=SECRET')).slice(0, 8)}"`)
    answer = (_, response) => void response.writeHead(404).end()
    const { warnings } = await build(`${origin}/photos/b.jpg?token=SECRET`)
    expect(warnings).toHaveLength(1)
    expect(lock + warnings.join()).not.toContain('SECRET')
    expect(asked[0]!.url).toBe('/photos/a.jpg?token=SECRET')
  })

  it('has the name and type that its bytes and URL say', async () => {
    const session = open()
    const names = [
      `${origin}/photos/b`,
      `${origin}/photos/odd%20name.png`,
      `${origin}/photos/`,
      `${origin}/photos/%2e%2e.x`,
    ]
    const found = await Promise.all(names.map((url) => session.remote.locate(url, fail)))
    expect(found.map((each) => path.basename(each!.file))).toEqual(['b.jpg', 'odd-name.jpg', 'image.jpg', 'x.jpg'])
    for (const each of found) expect(session.matches(each!.file)).toBe(true)
  })
})

describe('a URL that gives no image', () => {
  it.each<[string, typeof answer, string]>([
    ['with another status', (_, response) => void response.writeHead(403).end(), 'does not answer with an image.'],
    ['that is a page', give(Buffer.from('<!doctype html>Log in')), 'does not answer with an image.'],
    [
      'that leads elsewhere',
      (_, response) => void response.writeHead(302, { Location: `${origin}/private/a.jpg` }).end(),
      "which 'remoteImages' does not allow.",
    ],
    [
      'that leads to itself',
      ({ url }, response) => void response.writeHead(302, { Location: url }).end(),
      'leads to more than 3 redirects.',
    ],
  ])('%s is told once, and left as it is', async (_, given, message) => {
    answer = given
    const { data, warnings } = await build(image())
    expect(data).toBeUndefined()
    expect(warnings).toEqual([naming(message)])
    expect(asked.filter(({ url }) => url!.startsWith('/private'))).toEqual([])
  })

  it('fails the build where errors do', async () => {
    answer = (_, response) => void response.writeHead(404).end()
    await expect(build(image(), { onError: 'error' })).rejects.toMatchObject({ code: 'FETCH_FAILED' })
  })

  it('has more bytes than an image may have', async () => {
    const { data, warnings } = await build(image(), { limits: { maxBytes: 100 } })
    expect([data, warnings]).toEqual([undefined, [naming(image(), '100')]])
  })

  it('is asked for again after a passing failure', async () => {
    answer = (_, response) =>
      asked.length === 1 ? void response.writeHead(503).end() : void response.writeHead(200).end(first)
    expect(await build(image())).toEqual({ data: first, warnings: [] })
    expect(asked).toHaveLength(2)
  })
})

describe('a URL that is not allowed', () => {
  it('is never asked for', async () => {
    const session = open()
    const { port } = new URL(origin)
    for (const url of [
      `${origin}/other/a.jpg`,
      `${origin}/photos/../other/a.jpg`,
      `http://user:password@127.0.0.1:${port}/photos/a.jpg`,
      `http://localhost:${port}/photos/a.jpg`,
      'https://127.0.0.1/photos/a.jpg',
      'data:image/png;base64,AA==',
      '/photos/a.jpg',
    ]) {
      expect([url, session.remote.takes(url)]).toEqual([url, false])
      expect(await session.remote.locate(url, fail)).toBeUndefined()
    }
    expect(open({ remoteImages: [] }).remote.isWanted).toBe(false)
    expect(asked).toEqual([])
  })
})

describe('a remote image of a project with a lock', () => {
  it('has a line by its URL, which stays while another build does not ask for it', async () => {
    await build(image(), { lock: true })
    const lines = (await readFile(path.join(root, 'pixpress.lock'), 'utf8')).trimEnd().split('\n').slice(1)
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ source: image(), sha256: sha256(first) }])
    answer = give(second)
    await build(`${origin}/photos/b.jpg`)
    const text = await readFile(path.join(root, 'pixpress.lock'), 'utf8')
    expect([text.includes('/photos/a.jpg'), text.includes('/photos/b.jpg')]).toEqual([true, true])
  })

  it('is the locked one where it changed, which a warning tells', async () => {
    await build(image(), { lock: true })
    answer = give(second)
    const { data, warnings } = await build(image())
    expect(data!.equals(first)).toBe(true)
    expect(warnings).toEqual([expect.stringMatching(/SHA-256 .*[\da-f]{16}…,? .*pixpress\.lock [\da-f]{16}…/)])
    // Nothing of the new one is taken for the next build either.
    expect((await build(image())).warnings).toHaveLength(1)
  })

  it('is left as it is where it changed and the cache does not have the locked one', async () => {
    await build(image(), { lock: true })
    await rm(path.join(root, '.cache'), { recursive: true })
    answer = give(second)
    const { data, warnings } = await build(image())
    expect(data).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining('does not have')])
  })
})

describe('a frozen cache', () => {
  const frozen: Options = { cache: { mode: 'frozen' } }

  it('gives the locked copy, and asks nobody', async () => {
    await build(image(), { lock: true })
    const before = asked.length
    expect((await build(image(), frozen)).data!.equals(first)).toBe(true)
    expect(asked).toHaveLength(before)
  })

  it('fails with the URL and the digest that it lacks', async () => {
    await build(image(), { lock: true })
    await rm(path.join(root, '.cache'), { recursive: true })
    await expect(build(image(), frozen)).rejects.toMatchObject({
      code: 'NOT_CACHED',
      message: naming(image(), sha256(first), 'pixpress.lock'),
    })
    expect(asked).toHaveLength(1)
  })
})

function fail(message: string): void {
  throw new Error(message)
}
