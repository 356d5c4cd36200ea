import { createTestAuthority } from '@pixpress/testkit'
import type { Context } from 'hono'
import { afterEach, describe, expect, it } from 'vitest'
import type { AppEnv } from '../../src/http/context.ts'
import { createOwnOrigin } from '../../src/http/own-origin.ts'
import { makeImages } from '../support/images.ts'
import { startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

/** A request as it comes over a connection to an address of this machine. */
const request = (url: string, localAddress: string, localPort = 8080): Context<AppEnv> =>
  ({ req: { url }, env: { incoming: { socket: { localAddress, localPort } } } }) as unknown as Context<AppEnv>

const NAMES = { publicUrl: undefined, allowedHosts: new Set(['images.example.com:8443']), tls: undefined }

describe('createOwnOrigin', () => {
  it.each([
    ['http://localhost:8080/shrink', '127.0.0.1', 'http://localhost:8080'],
    ['http://[::1]:9000/shrink', '::1', 'http://[::1]:9000'],
    ['http://localhost:8080/shrink', '::ffff:127.0.0.1', 'http://localhost:8080'],
    ['http://evil.example/shrink', '127.0.0.1', 'http://127.0.0.1:8080'],
    ['http://evil.example/shrink', '::1', 'http://[::1]:8080'],
    ['http://10.0.0.7:8080/shrink', '10.0.0.7', 'http://10.0.0.7:8080'],
    ['http://localhost/shrink', '10.0.0.7', 'http://10.0.0.7:8080'],
    ['http://images.example.com:8443/shrink', '10.0.0.7', 'http://images.example.com:8443'],
    ['http://images.example.com/shrink', '10.0.0.7', 'http://10.0.0.7:8080'],
  ])('says of %s on %s that it is %s', (url, address, origin) => {
    expect(createOwnOrigin(NAMES)(request(url, address))).toBe(origin)
  })

  it('believes in names that the certificate holds for', async () => {
    const { cert } = (await createTestAuthority()).server
    const origin = createOwnOrigin({ ...NAMES, tls: { cert } })
    expect(origin(request('https://localhost:8443/shrink', '10.0.0.7'))).toBe('https://localhost:8443')
    expect(origin(request('https://evil.example/shrink', '10.0.0.7', 443))).toBe('https://10.0.0.7:443')
  })

  it('says the public URL of whatever a request says', () => {
    const origin = createOwnOrigin({ ...NAMES, publicUrl: 'https://images.example.org/api' })
    expect(origin(request('http://evil.example/shrink', '127.0.0.1'))).toBe('https://images.example.org/api')
  })
})

describe('Location', () => {
  let server: TestServer
  afterEach(() => server.stop())

  it('does not repeat a forged Host, and repeats one that was allowed', async () => {
    server = await startTestServer({ 'allow-host': 'images.example.com' })
    const { png } = await makeImages()
    const location = async (host: string): Promise<string> =>
      (await server.send('POST', '/shrink', { body: png, headers: { Host: host } })).headers.location!
    expect(await location('evil.example')).toMatch(`${server.url}/output/`)
    expect(await location('images.example.com')).toMatch(/^http:\/\/images\.example\.com\/output\//)
  })
})
