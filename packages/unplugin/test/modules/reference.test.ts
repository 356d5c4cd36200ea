import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishReference, planReference, readQuery } from '../../src/modules/reference.ts'
import { openSession } from '../../src/session/registry.ts'
import type { Session } from '../../src/session/session.ts'

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

describe('readQuery', () => {
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
    ['?v=3', true],
    ['?20240101', true],
    ['?4.7.0', true],
    ['?2024-01-01&url', true],
    ['?300x200', false],
    ['?20240101&react', false],
    ['?raw', false],
    ['?raw&t=1', false],
    ['?react', false],
    ['?foo=1', false],
    ['?enhanced&w=300', false],
  ])('%s is %s', (query, expected) => {
    expect(readQuery(query)).toMatchObject({ text: query, isOwn: expected })
  })
})

describe('finishReference', () => {
  it('gives the one image that a URL stands for', async () => {
    expect(await finishReference(session, { file, query: readQuery('?w=20') }, 'content', warn)).toMatchObject({
      name: 'photo-20.webp',
      width: 20,
    })
    expect(await finishReference(session, { file, query: readQuery('') }, 'icon', warn)).toMatchObject({
      name: 'photo.png',
    })
    expect(await finishReference(session, { file, query: readQuery('?original') }, 'content', warn)).toMatchObject({
      name: 'photo.png',
      type: expect.any(String),
    })
    expect(await finishReference(session, { file, query: readQuery('?react') }, 'content', warn)).toBeUndefined()
  })

  it.each(['?w=10;20', '?as=srcset', '?w=20&as=metadata'])('refuses %s, naming the file', async (query) => {
    await expect(planReference(session, { file, query: readQuery(query) }, 'content')).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      file: 'photo.png',
    })
  })
})

describe('a reference whose query is not read here', () => {
  it.each([
    ['photo.png', '?fn', true],
    ['photo.png', '?foo=1', true],
    ['photo.png', '?raw', false],
    ['photo.png', '?original', false],
    ['photo.png', '?20240101', false],
  ])('is noted for the end of the build where another tool may read it: %s%s', async (name, text, isNamed) => {
    const noted: string[] = []
    const leftAlone = { ...session.leftAlone, query: (_: string, query: string) => void noted.push(query) }
    const asked = { file: path.join(root, name), query: readQuery(text) }
    await finishReference({ ...session, leftAlone }, asked, 'content', warn)
    expect(noted).toEqual(isNamed ? [text] : [])
  })
})
