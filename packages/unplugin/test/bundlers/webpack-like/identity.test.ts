import { mkdtemp, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moduleIdentity } from '../../../src/bundlers/webpack-like/identity.ts'
import { createSession } from '../../../src/session/index.ts'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { Options } from '../../../src/session/options/options.ts'

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-')))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const identity = (options: Options): string =>
  moduleIdentity(createSession(resolvePluginOptions({ cache: false, ...options }, root)))

const STORE = { service: 'gcs', gcp_access_token: 'one', path: 'pictures/a' } as const

it('changes with what changes a module, and not with credentials', () => {
  const stored = identity({ store: STORE })
  expect(stored).toMatch(/^[\da-f]{12}$/)
  expect(identity({ store: { ...STORE, gcp_access_token: 'two' } })).toBe(stored)
  const others = [
    {},
    { quality: 'small' },
    { exclude: /x/ },
    { store: { ...STORE, path: 'pictures/b' } },
    { store: { ...STORE, endpoint: 'https://storage.example.com' } },
    { store: { ...STORE, baseUrl: 'https://cdn.example.com' } },
  ] as const satisfies readonly Options[]
  expect(new Set([stored, ...others.map(identity)]).size).toBe(others.length + 1)
})
