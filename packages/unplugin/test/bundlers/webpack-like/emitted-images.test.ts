import { Buffer } from 'node:buffer'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AssetInfoLike, CompilerLike } from '../../../src/bundlers/webpack-like/compiler.ts'
import { compressEmittedImages } from '../../../src/bundlers/webpack-like/emitted-images.ts'
import type { ImageBuild } from '../../../src/bundlers/webpack-like/image-build.ts'
import { createSession } from '../../../src/session/index.ts'
import { resolvePluginOptions } from '../../../src/session/options/resolve.ts'
import type { Session } from '../../../src/session/session.ts'

let root: string
let png: Buffer
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-emitted-')))
  png = await photo(96, 72, 3).png()
  await writeFile(path.join(root, 'package.json'), '{}')
  await writeFile(path.join(root, 'photo.png'), png)
})
afterAll(() => rm(root, { recursive: true, force: true }))

const warn = (): void => undefined

/** Runs the hooks of a build whose assets are these. @returns names of assets that were changed */
async function changed(
  session: Session,
  assets: Readonly<Record<string, { data: Uint8Array; info?: AssetInfoLike }>>,
): Promise<string[]> {
  const names: string[] = []
  const actions: ((all: object) => Promise<void>)[] = []
  const compilation = {
    errors: [],
    warnings: [],
    hooks: {
      processAssets: { tapPromise: (_: object, action: (all: object) => Promise<void>) => void actions.push(action) },
    },
    getAsset: (name: string) => ({
      source: { buffer: () => Buffer.from(assets[name]!.data) },
      info: assets[name]!.info ?? {},
    }),
    updateAsset: (name: string) => void names.push(name),
  }
  const compiler = {
    context: root,
    outputPath: path.join(root, 'dist'),
    webpack: { Compilation: {}, sources: { RawSource: Object } },
    hooks: { thisCompilation: { tap: (_: string, tapped: (made: object) => void) => tapped(compilation) } },
  }
  compressEmittedImages(compiler as unknown as CompilerLike, { session, isLazy: false } as ImageBuild)
  for (const action of actions) await action(assets)
  return names
}

describe('assets without a module', () => {
  it('are compressed, but not what this build has made', async () => {
    const session = createSession(resolvePluginOptions({ convert: 'auto', cache: false, report: false }, root))
    const own = await session.finish(await session.plan(path.join(root, 'photo.png')), warn)
    const before = session.log.images().size
    expect(await changed(session, { 'photo.avif': { data: own.data } })).toEqual([])
    expect(session.log.images().size).toBe(before)
    expect(await changed(session, { 'theirs.png': { data: png } })).toEqual(['theirs.png'])
    await session.endBuild()
  })
})
