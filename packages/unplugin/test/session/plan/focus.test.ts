import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo, naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readQuery } from '../../../src/modules/reference.ts'
import { diskFiles } from '../../../src/base/files.ts'
import { watchedFiles } from '../../../src/session/plan/focus.ts'
import { openSession } from '../../../src/session/registry.ts'

let root: string
let file: string

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-focus-'))
  file = path.join(root, 'photo.jpg')
  await writeFile(file, await photo(160, 120).jpeg())
})

afterAll(() => rm(root, { recursive: true, force: true }))

async function resizeOf(query: string): Promise<unknown> {
  const session = openSession({ cache: false, report: false }, root)
  const { request } = await session.planRequest(file, readQuery(query))
  return request.variants[0]!.operations.resize
}

const sidecar = (text: string): Promise<void> => writeFile(`${file}.json`, text)

describe('a focal point', () => {
  it('is kept by crops where the file beside the image names one', async () => {
    await sidecar('{ "focus": [0.25, 0.75], "credit": "Ann" }')
    expect(await resizeOf('?w=40&h=40')).toEqual({ method: 'cover', width: 40, height: 40, position: [0.25, 0.75] })
    expect(await resizeOf('?aspect=1:1&fit=cover&position=top')).toMatchObject({ position: 'top' })
    expect(await resizeOf('?w=40')).toEqual({ method: 'scale', width: 40 })
  })

  it.each(['{ "title": "Takeout" }', 'no JSON', '[]'])("is not looked for in another tool's file: %s", async (text) => {
    await sidecar(text)
    expect(await resizeOf('?w=40&h=40&fit=cover')).toEqual({ method: 'cover', width: 40, height: 40 })
  })

  it('has its file watched where something is cropped', async () => {
    await sidecar('{ "focus": [0.25, 0.75] }')
    const watched = (query: string): Promise<string[]> => watchedFiles(diskFiles, file, readQuery(query))
    expect(await watched('?w=40&h=40')).toEqual([file, `${file}.json`])
    expect(await watched('?w=40')).toEqual([file])
    expect(await watchedFiles(diskFiles, `${file}.other`, readQuery('?w=40&h=40'))).toEqual([`${file}.other`])
  })

  it('is refused where it is no point', async () => {
    await sidecar('{ "focus": "top" }')
    await expect(resizeOf('?w=40&h=40')).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: naming('photo.jpg.json', "'focus'", '0.3', '0.6', "'top'"),
    })
    await sidecar(`{ "focus": ${'['.repeat(10_000)}${']'.repeat(10_000)} }`)
    await expect(resizeOf('?w=40&h=40')).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
