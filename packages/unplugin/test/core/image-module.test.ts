import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createImageModule, finishReference, isOwnQuery, planReference } from '../../src/core/image-module.ts'
import { openSession } from '../../src/core/registry.ts'
import { createServedModule } from '../../src/core/served-module.ts'
import type { Session } from '../../src/core/session.ts'

let root: string
let session: Session
let file: string

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-module-'))
  file = path.join(root, 'photo.png')
  await writeFile(file, await photo(160, 120).png())
  session = openSession({ convert: { type: 'image/webp' }, cache: false, report: false }, root)
})

afterAll(() => rm(root, { recursive: true, force: true }))

const warn = (): void => undefined

describe('isOwnQuery', () => {
  it.each([
    ['', true],
    ['?', true],
    ['?w=300', true],
    ['?widht=300', true],
    ['?original', true],
    ['?url', true],
    ['?inline', true],
    ['?no-inline', true],
    ['?import&t=123', true],
    ['?raw', false],
    ['?raw&t=1', false],
    ['?react', false],
    ['?foo=1', false],
    ['?enhanced&w=300', false],
  ])('%s is %s', (query, expected) => {
    expect(isOwnQuery(query)).toBe(expected)
  })
})

describe('createImageModule', () => {
  const emitted: string[] = []
  const moduleOf = (query: string): Promise<string | undefined> =>
    createImageModule(
      session,
      { file, query },
      ({ name }) => `url(${JSON.stringify(emitted[emitted.push(name) - 1])})`,
      warn,
    )

  it.each([
    ['', 'export default url("photo.webp")\n'],
    ['?original', 'export default url("photo.png")\n'],
    ['?w=20', 'export default url("photo-20.webp");\n'],
    ['?w=10;20', 'export default [url("photo-10.webp"), url("photo-20.webp")];\n'],
  ])('%s', async (query, expected) => {
    expect(await moduleOf(query)).toBe(expected)
  })

  it('emits nothing for ?inline, and leaves what is not its own', async () => {
    const before = emitted.length
    expect(await moduleOf('?inline')).toMatch(/^export default "data:image\/webp;base64,/)
    expect(await moduleOf('?react')).toBeUndefined()
    expect(emitted).toHaveLength(before)
  })
})

describe('createServedModule', () => {
  const urls = {
    planned: ({ stem }: { stem: string }, index: number) => `/${stem}/${index}`,
    original: () => '/original',
  }
  const served = (query: string): Promise<string> => createServedModule(session, { file, query }, urls, warn)

  it('encodes nothing that is not needed', async () => {
    const lazy = openSession({ cache: false, report: false, limits: { maxPixels: 1 } }, root)
    expect(await createServedModule(lazy, { file, query: '' }, urls, warn)).toBe('export default "/photo/0"\n')
    expect(await served('?w=10;20&as=srcset')).toBe('export default "/photo-10/0 10w, /photo-20/1 20w";\n')
    expect(await served('?w=20&as=metadata')).toMatch(/size = \d+;/)
    expect(await served('?original')).toBe('export default "/original"\n')
    expect(await served('?inline')).toMatch(/^export default "data:image\/webp/)
  })

  it('knows sizes and types beforehand', async () => {
    const code = await served('?w=16;32&format=avif;webp&as=picture')
    expect(code).toContain('img = { src: "/photo-32/3", w: 32, h: 24 }')
    expect(code).toMatch(/avif: "[^"]+", webp: "[^"]+"/)
  })
})

describe('finishReference', () => {
  it('gives the one image that a URL stands for', async () => {
    expect(await finishReference(session, { file, query: '?w=20' }, 'content', warn)).toMatchObject({
      name: 'photo-20.webp',
      width: 20,
    })
    expect(await finishReference(session, { file, query: '' }, 'icon', warn)).toMatchObject({ name: 'photo.png' })
    expect(await finishReference(session, { file, query: '?original' }, 'content', warn)).toMatchObject({
      name: 'photo.png',
      type: expect.any(String),
    })
    expect(await finishReference(session, { file, query: '?react' }, 'content', warn)).toBeUndefined()
  })

  it.each(['?w=10;20', '?as=srcset', '?w=20&as=metadata'])('refuses %s, naming the file', async (query) => {
    await expect(planReference(session, { file, query }, 'content')).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      file: 'photo.png',
    })
  })
})
