import { sha256 } from '@pixpress/core/internal'
import { describe, expect, it } from 'vitest'
import { findOrigins, twinsOf } from '../../src/sources/origins.ts'
import type { Visit } from '../../src/visit/facts.ts'
import { useTemporaryFolder } from '@pixpress/testkit'

const folder = useTemporaryFolder()
const IMAGES = ['src/a/twice.jpg', 'src/b/twice.jpg', 'src/hero.jpg']
const URL_OF_IMAGE = 'http://127.0.0.1:1/assets/twice-Bx3k9a2Q.jpg'

/** A visit that loaded one file. */
const visitOf = (url: string, body: string): Visit => {
  const bytes = Buffer.from(body)
  const loaded = { url, status: 200, mimeType: '', bytes: bytes.length, digest: sha256(bytes), header: undefined }
  return {
    page: '/',
    viewport: { name: '390', width: 390, height: 780, ratio: 1 },
    facts: { images: [], backgrounds: [], besides: [], preloads: [], links: [] },
    loaded: new Map([[url, loaded]]),
    early: new Set(),
    html: '',
    refused: [],
    errors: [],
  }
}

const originOf = async (url: string, body: string): Promise<string | undefined> =>
  (await findOrigins(folder.path, IMAGES, [visitOf(url, body)], `${folder.path}/dist`))(url)

describe('findOrigins', () => {
  it('knows nothing of a name that two images have', async () => {
    await folder.write({ 'src/a/twice.jpg': 'a', 'src/b/twice.jpg': 'b' })
    expect(await originOf(URL_OF_IMAGE, 'made of one of them')).toBeUndefined()
  })

  it('asks the manifest of the bundler, then the lock, then the bytes, then the name', async () => {
    await folder.write({ 'src/a/twice.jpg': 'the same bytes', 'src/b/twice.jpg': 'others' })
    expect(await originOf(URL_OF_IMAGE, 'the same bytes')).toBe('src/a/twice.jpg')
    const line = { source: 'src/b/twice.jpg', result: sha256(Buffer.from('the same bytes')) }
    await folder.write({ 'pixpress.lock': `pixpress lock 1\n${JSON.stringify(line)}\n` })
    expect(await originOf(URL_OF_IMAGE, 'the same bytes')).toBe('src/b/twice.jpg')
    const manifest = { x: { file: 'assets/twice-Bx3k9a2Q.jpg', src: 'src/a/twice.jpg' } }
    await folder.write({ 'dist/.vite/manifest.json': JSON.stringify(manifest) })
    expect(await originOf(URL_OF_IMAGE, 'the same bytes')).toBe('src/a/twice.jpg')
    expect(await originOf('http://127.0.0.1:1/assets/hero-Bx3k9a2Q.avif', 'x')).toBe('src/hero.jpg')
  })

  it('reads a URL with blanks and other letters as the manifest has them', async () => {
    await folder.write({ 'dist/.vite/manifest.json': '{ "x": { "file": "Каток 2-x.jpg", "src": "src/a/twice.jpg" } }' })
    expect(await originOf('http://127.0.0.1:1/%D0%9A%D0%B0%D1%82%D0%BE%D0%BA%202-x.jpg', 'x')).toBe('src/a/twice.jpg')
  })

  it('takes the word of no manifest for an image that is not there, and of none that is broken', async () => {
    await folder.write({ 'dist/manifest.json': '{ "a": { "file": "assets/twice-Bx3k9a2Q.jpg", "src": "gone.jpg" } }' })
    expect(await originOf(URL_OF_IMAGE, 'x')).toBeUndefined()
    await folder.write({ 'dist/manifest.json': '[1, nothing' })
    expect(await originOf(URL_OF_IMAGE, 'x')).toBeUndefined()
  })
})

describe('twinsOf', () => {
  it('knows which images hold the same bytes, in both directions', async () => {
    await folder.write({ 'src/a/twice.jpg': 'same', 'src/b/twice.jpg': 'same', 'src/hero.jpg': 'else' })
    expect(Object.fromEntries(await twinsOf(folder.path, IMAGES, ['src/a/twice.jpg', 'src/hero.jpg']))).toEqual({
      'src/a/twice.jpg': ['src/b/twice.jpg'],
      'src/b/twice.jpg': ['src/a/twice.jpg'],
    })
  })
})
