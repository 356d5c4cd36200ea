import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startGcsDouble, naming } from '@pixpress/testkit'
import type { GcsDouble } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createImageStore } from '../../src/objects/image-store.ts'
import type { ImageStore, StoredImage } from '../../src/objects/image-store.ts'
import { resolveImageStore } from '../../src/objects/image-store-options.ts'

let folder: string
let double: GcsDouble
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  double = await startGcsDouble('pictures', { secret: 'write', weak: 'read' })
})
afterEach(() => double.close())

const open = (options: { token?: string; baseUrl?: string; manifest?: string } = {}): ImageStore => {
  const { token = 'secret', ...others } = options
  const where = { service: 'gcs', gcp_access_token: token, path: 'pictures/a', endpoint: double.endpoint } as const
  return createImageStore(resolveImageStore({ ...where, ...others }, folder))
}

const image = (content: string, name = 'photo.webp', source = 'src/photo.jpg'): StoredImage => ({
  data: Buffer.from(content),
  type: 'image/webp',
  name,
  source,
})

const puts = (): number => double.requests.filter(({ method }) => method === 'PUT').length

describe('an image', () => {
  it('is put once under a name of its bytes, however often it is asked for', async () => {
    const store = open()
    const [one, two] = await Promise.all([store.put(image('x')), store.put(image('x'))])
    expect(one).toBe(`${double.endpoint}/pictures/a/photo.2d711642b726b044.webp`)
    expect(two).toBe(one)
    expect(await (await fetch(one)).text()).toBe('x')
    expect(await store.put(image('y'))).not.toBe(one)
    expect(puts()).toBe(2)
  })

  it('is left alone where it is there, and looked for again in the next build', async () => {
    const store = open()
    await store.put(image('x'))
    expect(await store.finish()).toEqual({ service: 'gcs', uploaded: 1, present: 0, bytes: 1 })
    expect(await store.finish()).toBeUndefined()
    await store.put(image('x'))
    expect(await store.finish()).toEqual({ service: 'gcs', uploaded: 0, present: 1, bytes: 0 })
    expect(puts()).toBe(1)
  })

  it('has a name that services take, whatever the file is called', async () => {
    const address = await open().put(image('x', 'über ‘uns’ \u0001 50%.webp'))
    expect(decodeURIComponent(new URL(address).pathname)).toBe('/pictures/a/über ‘uns’ _ 50%.2d711642b726b044.webp')
    expect((await fetch(address)).status).toBe(200)
  })

  it('has the address of a CDN where there is one', async () => {
    const store = open({ baseUrl: 'https://cdn.example.com/i' })
    expect(await store.put(image('x', 'a b.webp'))).toBe('https://cdn.example.com/i/a%20b.2d711642b726b044.webp')
  })

  it('that cannot be put is named, without the token, and tried again when asked for again', async () => {
    const store = open({ token: 'weak' })
    const failure = await store.put(image('x')).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'STORE_FAILED', file: 'src/photo.jpg' })
    expect(String(failure)).toEqual(naming('src/photo.jpg', 'pictures/a/photo.2d711642b726b044.webp'))
    expect(String(failure)).not.toContain('weak')
    await expect(store.put(image('x'))).rejects.toMatchObject({ code: 'STORE_FAILED' })
    expect(puts()).toBe(2)
  })
})

describe('the manifest', () => {
  it('tells the addresses of every source, in order', async () => {
    const store = open({ manifest: 'made/images.json' })
    const addresses = [
      await store.put(image('2', 'b-80.webp', 'src/b.jpg')),
      await store.put(image('1', 'b-40.webp', 'src/b.jpg')),
      await store.put(image('3', 'a.webp', 'src/a.png')),
    ]
    await store.finish()
    const manifest = await readFile(path.join(folder, 'made/images.json'), 'utf8')
    expect(manifest).toBe(
      `${JSON.stringify({ 'src/a.png': [addresses[2]], 'src/b.jpg': [addresses[1], addresses[0]] }, undefined, 2)}\n`,
    )
  })

  it('is left alone by a build that could not store every image', async () => {
    const store = open({ manifest: 'partial.json' })
    const manifest = path.join(folder, 'partial.json')
    await store.put(image('x'))
    await expect(store.put(image('x', 'x'.repeat(2000)))).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    expect(await store.finish()).toMatchObject({ uploaded: 1 })
    await expect(readFile(manifest)).rejects.toMatchObject({ code: 'ENOENT' })
    await store.put(image('x'))
    await store.finish()
    expect(Object.keys(JSON.parse(await readFile(manifest, 'utf8')) as object)).toEqual(['src/photo.jpg'])
  })

  it('that cannot be written is an error that says so', async () => {
    await mkdir(path.join(folder, 'a-folder'))
    const store = open({ manifest: 'a-folder' })
    await store.put(image('x'))
    await expect(store.finish()).rejects.toMatchObject({ code: 'IO_FAILED' })
  })
})
