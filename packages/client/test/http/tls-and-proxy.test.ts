import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createTestAuthority, photo, startConnectProxy, startImageService } from '@pixpress/testkit'
import type { ConnectProxy, ImageService, TestAuthority } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/index.ts'
import type { Client, ClientOptions } from '../../src/index.ts'

let png: Buffer
let authority: TestAuthority
let service: ImageService
let proxy: ConnectProxy | undefined

beforeAll(async () => {
  png = await photo(96, 64).png()
  authority = await createTestAuthority()
  service = await startImageService({ tls: authority.server })
})
afterEach(async () => {
  await proxy?.close()
  proxy = undefined
})
afterAll(() => service.close())

const connect = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ key: 'test-key', endpoint: service.endpoint, ca: authority.ca, ...options })

describe('TLS', () => {
  it('trusts the given authority', async () => {
    for (const ca of [authority.ca, Buffer.from(authority.ca), [authority.ca]]) {
      expect(await connect({ ca }).fromBuffer(png).result()).toMatchObject({ type: 'image/png', width: 96 })
    }
  })

  it('trusts no other, tries once, and says what to do', async () => {
    proxy = await startConnectProxy()
    const options = { key: 'test-key', endpoint: service.endpoint, proxy: `http://${proxy.host}` }
    await expect(createClient(options).fromBuffer(png).result()).rejects.toMatchObject({
      name: 'ConnectionError',
      error: 'CertificateError',
      message: expect.stringContaining("goes into 'ca'"),
    })
    expect(proxy.tunnels).toHaveLength(1)
  })

  it('gives up on a server that does not shake hands', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const endpoint = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const failed = connect({ endpoint, retries: 0, connectTimeout: 200 }).fromBuffer(png).result()
    await expect(failed).rejects.toMatchObject({ error: 'Timeout', message: 'No connection within 200 ms.' })
    silent.close()
  })
})

describe('a proxy', () => {
  it('tunnels encrypted connections and keeps them', async () => {
    proxy = await startConnectProxy()
    const client = connect({ proxy: `http://${proxy.host}`, concurrency: 1 })
    const source = client.fromBuffer(png)
    expect(await source.result()).toMatchObject({ type: 'image/png' })
    expect(await source.resize({ method: 'scale', width: 32 }).result()).toMatchObject({ width: 32 })
    expect(proxy.tunnels).toEqual([new URL(service.endpoint).host])
    client.close()
  })

  it('gets its user name and password, and not the key', async () => {
    proxy = await startConnectProxy({ credentials: 'me@home:p%ss:word' })
    const address = `http://me%40home:p%25ss%3Aword@${proxy.host}`
    expect(await connect({ proxy: address }).fromBuffer(png).result()).toMatchObject({ width: 96 })
  })

  it('that refuses is named at once, without its password', async () => {
    proxy = await startConnectProxy({ credentials: 'me:right' })
    const error = await connect({ proxy: `http://me:wrong@${proxy.host}` })
      .fromBuffer(png)
      .result()
      .catch((reason: unknown) => reason as Error)
    expect(error).toMatchObject({ name: 'ConnectionError', error: 'ProxyError', status: 407 })
    expect(String((error as Error).message)).not.toContain('wrong')
    expect(proxy.tunnels).toEqual([])
  })

  it('also tunnels to a service on this machine', async () => {
    const plain = await startImageService()
    proxy = await startConnectProxy()
    const client = connect({ endpoint: plain.endpoint, proxy: `http://${proxy.host}` })
    expect(await client.fromBuffer(png).result()).toMatchObject({ width: 96 })
    expect(proxy.tunnels.length).toBeGreaterThan(0)
    await plain.close()
  })

  it('that is away is named', async () => {
    const gone = await startConnectProxy()
    await gone.close()
    const failed = connect({ proxy: `http://${gone.host}`, retries: 0 })
      .fromBuffer(png)
      .result()
    await expect(failed).rejects.toMatchObject({
      error: 'ProxyError',
    })
  })
})
