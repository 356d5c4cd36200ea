import { startImageServer } from '@pixpress/testkit'
import type { ImageServer, Project } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { leaks } from './secrets.ts'
import { COMPRESSIONS, IMAGES, SENT, buildSite, createSite } from './site.ts'
import type { SiteBuild } from './site.ts'

const KEY = 'only-tests-use-this-key-failures'

/** Requests of one image until it is given up: the first, and two more after 0.5 s and 1 s. */
const TRIES = 3

/** Images that a build works on at once, here: as many as are sent. */
const AT_ONCE = SENT

let server: ImageServer
let gateway: Gateway
let project: Project

beforeEach(async () => {
  server = await startImageServer({ key: KEY })
  gateway = await startGateway(server)
  project = await createSite('failures')
})
afterEach(async () => {
  await project?.dispose()
  await gateway?.close()
  await server?.close()
})

/** A build by way of the gateway. Whatever became of it, the key is nowhere. */
async function build({ key = KEY, ...engine }: { key?: string; [option: string]: unknown } = {}): Promise<SiteBuild> {
  const result = await buildSite(project, { endpoint: gateway.endpoint, ca: gateway.ca, key, ...engine })
  const { stdout, stderr } = result.process
  expect(await leaks(key, project, { stdout, stderr, error: result.error ?? '' })).toEqual([])
  return result
}

/** Expects that the use a build reports is the server's count, with nothing left open. */
async function expectToAgree({ remote }: SiteBuild, before = 0): Promise<void> {
  const counted = await server.compressions()
  expect({ ...remote, keys: remote.keys.map(({ month }) => month) }).toMatchObject({
    compressions: counted - before,
    unanswered: 0,
    keys: [counted],
  })
}

/** The service is well again: what is missing is made by it, and then nothing is left to do. */
async function expectToCatchUp(): Promise<void> {
  gateway.fault = () => undefined
  const before = await server.compressions()
  const next = await build()
  expect(next.remote).toMatchObject({ fallbacks: { local: 0, original: 0 }, reasons: [] })
  expect(next.remote.compressions).toBeGreaterThan(0)
  await expectToAgree(next, before)
  const asked = gateway.requests.length
  expect((await build()).remote).toMatchObject({ compressions: 0, images: 0 })
  expect(gateway.requests).toHaveLength(asked)
}

const isUpload = ({ path, size }: { path: string; size: number }): boolean => path === '/shrink' && size > 0

describe('a limit of the server that is reached in the middle', () => {
  it('leaves the rest to this machine, and the next build goes on', async () => {
    await server.restart(['--monthly-limit', '3'])
    const result = await build()
    const { ok, remote, report, warnings } = result
    expect(ok).toBe(true)
    expect(gateway.requests.filter(isUpload).length).toBeLessThanOrEqual(3 + AT_ONCE)
    expect(report!.totals).toMatchObject({ images: IMAGES, failed: 0 })
    await expectToAgree(result)
    expect(remote.compressions).toBeLessThanOrEqual(3)
    expect(remote.images + remote.fallbacks.local).toBe(SENT)
    expect(remote.fallbacks.local).toBeGreaterThan(0)
    expect(warnings.filter((warning) => warning.includes('used its 3 compressions'))).toHaveLength(1)
    await server.restart()
    await expectToCatchUp()
  })

  it('fails the build that wants it so, which still says what it used', async () => {
    await server.restart(['--monthly-limit', '2'])
    const result = await build({ fallback: 'error', concurrency: 1 })
    expect(result.ok).toBe(false)
    expect(result.error).toContain('2 compressions')
    expect(gateway.requests.filter(isUpload).length).toBeLessThanOrEqual(3)
    await expectToAgree(result)
    await server.restart()
    await expectToCatchUp()
  })
})

describe('a server that is killed in the middle', () => {
  it('may have counted no more than what the report says is open', async () => {
    let uploads = 0
    gateway.fault = async (request) => {
      // The other uploads are on their way, or being worked on.
      if (isUpload(request) && ++uploads === 3) await server.kill()
      return undefined
    }
    const { ok, remote, report } = await build()
    expect(ok).toBe(true)
    expect(report!.totals).toMatchObject({ images: IMAGES, failed: 0 })
    await server.restart()
    const counted = await server.compressions()
    expect(counted).toBeGreaterThanOrEqual(remote.compressions)
    expect(counted).toBeLessThanOrEqual(remote.compressions + remote.unanswered)
    await expectToCatchUp()
  })

  it('leaves the other images as they are', async () => {
    let uploads = 0
    gateway.fault = async (request) => {
      if (isUpload(request) && ++uploads === 3) await server.kill()
      return undefined
    }
    const { ok, remote, report } = await build({ fallback: 'original', concurrency: 1 })
    expect(ok).toBe(true)
    expect(gateway.requests.filter(isUpload).length).toBeLessThanOrEqual(SENT * TRIES)
    expect(report!.totals).toMatchObject({ images: IMAGES, failed: 0 })
    expect(remote.fallbacks.original).toBeGreaterThan(0)
    const { local, original } = remote.fallbacks
    expect(remote.images + local + original).toBe(SENT)
    await server.restart()
    expect(await server.compressions()).toBe(remote.compressions)
    await expectToCatchUp()
  })
})

describe('too many requests', () => {
  it('are waited for as long as the server asks', async () => {
    let refused = 0
    gateway.fault = (request) => {
      if (!isUpload(request) || refused === TRIES - 1) return undefined
      refused++
      return { status: 429, headers: { 'Retry-After': '1' } }
    }
    const result = await build()
    expect(result.remote).toMatchObject({
      compressions: COMPRESSIONS,
      images: SENT,
      fallbacks: { local: 0, original: 0 },
    })
    await expectToAgree(result)
    expect(refused).toBe(TRIES - 1)
    expect(gateway.requests.filter(isUpload).length).toBeGreaterThan(refused)
  })

  it('without an end are given up within the bound, and fail the build that wants it so', async () => {
    gateway.fault = () => ({ status: 429, headers: { 'Retry-After': '1' } })
    const { ok, error } = await build({ fallback: 'error', maxWait: 2000 })
    expect(ok).toBe(false)
    expect(error).toContain('https://127.0.0.1')
    // Asked again after each of the seconds that the bound allows, and no more.
    expect(gateway.requests.length).toBeLessThanOrEqual(AT_ONCE * TRIES)
    expect(await server.compressions()).toBe(0)
    await expectToCatchUp()
  })
})

describe('answers that are slower than the timeout', () => {
  it('are given up within the bound', async () => {
    gateway.fault = (request) => (isUpload(request) ? { delay: 60_000 } : undefined)
    const result = await build({ timeout: 1000 })
    const { remote, warnings } = result
    // Given up image by image until the service is left: had one answer been waited for, the fallback would not be
    // whole.
    expect(gateway.requests.filter(isUpload).length).toBeLessThanOrEqual(2 * AT_ONCE * TRIES)
    expect(remote).toMatchObject({ images: 0, fallbacks: { local: SENT, original: 0 } })
    expect(warnings.some((warning) => warning.includes('took longer than 1000 ms'))).toBe(true)
    // Nothing of it was ever answered, and still the report knows what it cost.
    await expectToAgree(result)
    await expectToCatchUp()
  })
})

describe('a key that the server does not know', () => {
  it('is met once, and costs nothing', async () => {
    const { ok, remote, warnings } = await build({ key: 'another-key-of-tests' })
    expect(ok).toBe(true)
    expect(remote).toMatchObject({ compressions: 0, images: 0, fallbacks: { local: SENT, original: 0 } })
    expect(warnings.filter((warning) => warning.includes('Credentials are invalid'))).toHaveLength(1)
    // It was asked about before any image was sent.
    expect(gateway.requests.map(({ size }) => size)).toEqual([0])
    expect(await server.compressions()).toBe(0)
    await expectToCatchUp()
  })

  it('fails the build that wants it so', async () => {
    const { ok, error } = await build({ key: 'another-key-of-tests', fallback: 'error' })
    expect(ok).toBe(false)
    expect(error).toMatch(/hero\.jpg|photo\.jpg|copy\.jpg|logo\.png|cutout\.webp/)
    expect(error).toContain('Credentials are invalid')
    expect(gateway.requests.filter(isUpload)).toEqual([])
  })
})

describe('answers that are cut off', () => {
  it('are asked for again', async () => {
    const cut = new Set<string>()
    gateway.fault = ({ path }) => {
      if (!path.startsWith('/output/') || cut.has(path)) return undefined
      cut.add(path)
      return { cutAfter: 100 }
    }
    const result = await build()
    expect(result.remote).toMatchObject({ images: SENT, fallbacks: { local: 0, original: 0 } })
    expect(cut.size).toBeGreaterThan(0)
    // A resize that was cut off was counted, and was counted again.
    expect(result.remote.compressions).toBeGreaterThan(COMPRESSIONS)
    await expectToAgree(result)
  })

  it('never become images', async () => {
    gateway.fault = ({ path }) => (path.startsWith('/output/') ? { cutAfter: 100 } : undefined)
    const result = await build()
    const { remote, report } = result
    expect(gateway.requests.filter(({ path }) => path.startsWith('/output/')).length).toBeLessThanOrEqual(SENT * TRIES)
    await expectToAgree(result)
    expect(remote).toMatchObject({ images: 0, fallbacks: { local: SENT } })
    expect(report!.totals).toMatchObject({ images: IMAGES, failed: 0 })
    await expectToCatchUp()
  })
})
