import { mkdtemp, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { rspack as openRspack } from '@rspack/core'
import openWebpack from 'webpack'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Options } from '../../../src/index.ts'
import rspack from '../../../src/rspack.ts'
import webpack from '../../../src/webpack.ts'

let context: string
beforeAll(async () => {
  context = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-')))
})
afterAll(() => rm(context, { recursive: true, force: true }))

/** The bundler's cache in a compiler with the plugin. */
const CACHES = {
  webpack: (options: Options) =>
    openWebpack({ context, cache: { type: 'filesystem', version: 'own' }, plugins: [webpack(options)] })!.options.cache,
  rspack: (options: Options) =>
    openRspack({ context, cache: { type: 'persistent', version: 'own' }, plugins: [rspack(options)] }).options.cache,
}

const store = { service: 'gcs', gcp_access_token: 'one', path: 'pictures/a' } as const

it.each(['webpack', 'rspack'] as const)('the cache of %s has a version of the options', (bundler) => {
  const versions = [{}, { quality: 'small' }] as const
  const caches = versions.map((options) => CACHES[bundler](options) as { type: string; version: string })
  for (const { type, version } of caches)
    expect(`${type} ${version}`).toMatch(/^(?:filesystem|persistent) own\|pixpress:/)
  expect(caches[0]!.version).not.toBe(caches[1]!.version)
})

it.each([
  ['webpack', { cache: { mode: 'frozen' } }],
  ['rspack', { cache: { mode: 'frozen' } }],
  ['rspack', { store }],
] as const)('the cache of %s is none on the disk with %j', (bundler, options) => {
  expect(CACHES[bundler](options)).toMatchObject({ type: 'memory' })
})
