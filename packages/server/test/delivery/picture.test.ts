import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createShelf, pictureOf } from '../../src/delivery/picture.ts'
import type { Backend } from '../../src/storage/contract.ts'
import { openLocalBackend } from '../../src/storage/local/local.ts'

const NAME = '12'.repeat(32)
/** The places of pictures and of answers among the entries. */
const [PICTURES, ANSWERS] = ['0000000000000001', '0000000000000002']

let folder: string
let backend: Backend
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-shelf-'))
  backend = await openLocalBackend({ folder, cacheSize: 1e9 })
})
afterEach(async () => {
  await backend.close()
  await rm(folder, { recursive: true, force: true })
})

/** Keeps bytes in the place of an entry. */
const put = (signer: string, bytes: Uint8Array): Promise<unknown> =>
  backend.delivered.create({ account: 'delivery', signer, key: NAME }, bytes)

describe('createShelf', () => {
  it('gives back the pictures and answers that it keeps', async () => {
    const shelf = createShelf(backend.delivered)
    const picture = pictureOf(Buffer.from('pixels'), 'image/webp')
    await shelf.keepPicture(NAME, picture)
    await shelf.keepAnswer(NAME, { picture: NAME, expiresAt: null })
    expect(await shelf.picture(NAME)).toEqual(picture)
    expect(await shelf.answer(NAME)).toEqual({ picture: NAME, expiresAt: null })
  })

  it.each([
    ['half a text is', '{"picture":"12'],
    ['another object is', '{"image":"12"}'],
    ['a name that is none is', '{"picture":"../secret","expiresAt":null}'],
    ['a time that is none is', `{"picture":"${NAME}","expiresAt":"soon"}`],
    ['bytes are', '\u0000\u0001'],
  ])('has no answer where %s kept', async (_, text) => {
    await put(ANSWERS, Buffer.from(text))
    expect(await createShelf(backend.delivered).answer(NAME)).toBeUndefined()
  })

  it.each([
    ['other pixels', `{"type":"image/webp","digest":"${NAME}"}\npixels`],
    ['pixels without a line', 'pixels'],
  ])('has no picture where %s are kept', async (_, text) => {
    await put(PICTURES, Buffer.from(text))
    expect(await createShelf(backend.delivered).picture(NAME)).toBeUndefined()
  })
})
