import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createTestAuthority, missingTool, requireTool } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeImages } from './support/images.ts'
import { KEY, startTestServer } from './support/server.ts'
import type { TestServer } from './support/server.ts'

let folder: string
let server: TestServer
const inFolder = (name: string): string => path.join(folder, name)

beforeAll(async () => {
  const authority = await createTestAuthority()
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-clients-'))
  await writeFile(inFolder('ca.pem'), authority.ca)
  await writeFile(inFolder('cert.pem'), authority.server.cert)
  await writeFile(inFolder('key.pem'), authority.server.key)
  await writeFile(inFolder('photo.jpg'), (await makeImages()).jpeg)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each([
  ['ruby', 'client.rb'],
  ['python3', 'client.py'],
] as const)('a client in %s, over TLS', (tool, file) => {
  const program = requireTool(tool)

  it.skipIf(program === undefined)(
    program === undefined ? missingTool(tool) : 'validates, uploads, resizes by GET and finds every header by its name',
    async () => {
      server = await startTestServer({ 'tls-cert': inFolder('cert.pem'), 'tls-key': inFolder('key.pem') })
      try {
        const script = path.join(import.meta.dirname, 'clients', file)
        const args = [script, server.url, inFolder('ca.pem'), KEY, inFolder('photo.jpg')]
        const read = JSON.parse((await promisify(execFile)(program!, args)).stdout) as Record<string, unknown>
        expect(read).toMatchObject({ statuses: [401, 400, 201, 200], counts: [0, 1, 2], width: 60, height: 40 })
        expect(read).toMatchObject({ type: 'image/jpeg', location: expect.stringContaining(`${server.url}/output/`) })
        expect(read.bytes).toBe(read.size)
      } finally {
        await server.stop()
      }
    },
  )
})
