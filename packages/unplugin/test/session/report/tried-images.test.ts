import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTriedImages } from '../../../src/session/report/tried-images.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-tried-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('images that were tried', () => {
  it('are known to later builds, the last of them', async () => {
    const below = path.join(folder, 'cache')
    expect(await createTriedImages(below).read()).toEqual(new Set())
    await createTriedImages(below).add(['a', 'b'])
    await createTriedImages(below).add(['b', 'c'])
    expect(await createTriedImages(below).read()).toEqual(new Set(['a', 'b', 'c']))
    await createTriedImages(below).add(Array.from({ length: 199 }, (_, at) => String(at)))
    const kept = await createTriedImages(below).read()
    expect([kept.size, kept.has('c'), kept.has('a')]).toEqual([200, true, false])
  })

  it('are none where the file is damaged, or cannot be written', async () => {
    await writeFile(path.join(folder, 'tried.json'), '{"a"')
    expect(await createTriedImages(folder).read()).toEqual(new Set())
    await createTriedImages(path.join(folder, 'tried.json')).add(['a'])
    expect(await createTriedImages(path.join(folder, 'tried.json')).read()).toEqual(new Set())
  })
})
