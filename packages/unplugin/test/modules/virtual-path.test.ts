import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishReference, readQuery } from '../../src/modules/reference.ts'
import { openSession } from '../../src/session/registry.ts'
import type { Options } from '../../src/session/options/options.ts'
import { virtualPath } from '../../src/modules/virtual-path.ts'

let root: string

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-virtual-'))
  await writeFile(path.join(root, 'alone.png'), await photo(160, 120).png())
  await writeFile(path.join(root, 'twin.png'), await photo(160, 120).png())
  await writeFile(path.join(root, 'twin.jpg'), await photo(160, 120).jpeg())
})

afterAll(() => rm(root, { recursive: true, force: true }))

async function nameOf(name: string, text = '', options: Options = {}): Promise<string> {
  const session = openSession({ cache: false, report: false, ...options }, root)
  const query = readQuery(text)
  const image = (await finishReference(session, { file: path.join(root, name), query }, 'content', () => undefined))!
  const place = await virtualPath(session, image, query.original)
  expect(path.dirname(place)).toBe(root)
  return path.basename(place)
}

const webp = { convert: { type: 'image/webp' } } as const
const id = String.raw`[\da-f]{8}`

describe('virtualPath', () => {
  it.each([
    ['alone.png', '', {}, /^alone\.png$/],
    ['alone.png', '', webp, /^alone\.webp$/],
    ['alone.png', '?original', webp, /^alone\.original\.png$/],
    ['alone.png', '?w=20', {}, /^alone-20\.png$/],
    ['alone.png', '?w=20&format=webp', {}, /^alone-20\.webp$/],
    ['alone.png', '?w=20&quality=small', {}, RegExp(`^alone-20-${id}\\.png$`)],
    ['alone.png', '?h=20', {}, RegExp(`^alone-${id}\\.png$`)],
    ['alone.png', '?w=20&h=20&fit=cover', {}, RegExp(`^alone-20-${id}\\.png$`)],
    ['alone.png', '', { resize: { method: 'scale', width: 20 } }, /^alone\.png$/],
    ['alone.png', '?w=9999', { resize: { method: 'scale', width: 20 } }, RegExp(`^alone-${id}\\.png$`)],
    ['twin.png', '', {}, /^twin\.png$/],
    ['twin.png', '', webp, /^twin_png\.webp$/],
    ['twin.jpg', '', webp, /^twin_jpg\.webp$/],
  ] as const)('of %s%s with %j', async (name, query, options, expected) => {
    expect(await nameOf(name, query, options)).toMatch(expected)
  })
})
