import { detect, expectSimilar, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRsbuildProject, drive } from './build.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Starts a dev server, runs the body with `get(path)` and `script()`, and stops it. */
const serving = (body: string, config = '{}'): string => `
  const rsbuild = await create(${config}, { convert: { type: 'image/webp' } })
  const { server, port } = await rsbuild.startDevServer()
  const get = async (path, init) => {
    const response = await fetch(new URL(path, 'http://127.0.0.1:' + port), init)
    const body = Buffer.from(await response.arrayBuffer()).toString('base64')
    return { status: response.status, headers: Object.fromEntries(response.headers), body }
  }
  const script = async () => Buffer.from((await get('/static/js/index.js')).body, 'base64').toString()
  const lazyUrl = async () => /\\/@pixpress\\/[\\da-f]{16}\\/image\\.png/.exec(await script())?.[0]
  const encoded = () => fs.existsSync('report.json') ? report().images.map(({ source }) => source) : []
  const answer = await (async () => { ${body} })()
  await server.close()
  return answer`

describe('rsbuild: dev server', () => {
  let project: Project
  beforeAll(async () => {
    project = await createRsbuildProject('dev', {
      'src/index.js': `import './style.css'\nimport image from './image.png'\nglobalThis.result = { image }`,
      'src/style.css': '.a { background: url(./style.png) }',
      'src/image.png': await photo(120, 90, 1).png(),
      'src/style.png': await photo(120, 90, 2).png(),
      'public/copied.png': await photo(120, 90, 3).png(),
    })
  })
  afterAll(() => project.dispose())

  it('says in the inspector which modules show an image', async () => {
    const { images } = await drive<{ images: string }>(
      project,
      serving(`
        await script()
        return { images: Buffer.from((await get('/__pixpress/images.json')).body, 'base64').toString() }`),
    )
    const shown = JSON.parse(images) as { file: string; references: string[] }[]
    const own = shown.filter(({ file }) => file.startsWith('src/'))
    expect(own.map(({ file, references }) => [file, ...references])).toEqual([
      ['src/image.png', 'src/index.js'],
      ['src/style.png', 'src/style.css'],
    ])
  })

  it('encodes an image when it is asked for, and serves it as the server is set up', async () => {
    const seen = await drive<{
      before: string[]
      url: string
      image: Answer
      again: Answer
      missing: Answer
      copied: Answer
    }>(
      project,
      serving(
        `
        const url = await lazyUrl()
        const before = encoded()
        const image = await get(url)
        const again = await get(url, { headers: { 'If-None-Match': image.headers.etag } })
        // For a page Rsbuild would answer with its own.
        const missing = await get('/@pixpress/0123456789abcdef/none.png', { headers: { Accept: 'image/png' } })
        return { before, url, image, again, missing, copied: await get('/copied.png') }`,
        `{ server: { headers: { 'X-Own': 'yes' } } }`,
      ),
    )
    expect(seen.before).toEqual([])
    expect(seen.image).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-own': 'yes',
      },
    })
    expect(seen.again).toMatchObject({ status: 304, body: '' })
    expect(seen.missing.status).toBe(404)
    const bytes = Buffer.from(seen.image.body, 'base64')
    expect(detect(bytes)).toBe('webp')
    await expectSimilar(bytes, await project.read('src/image.png'))
    // Nothing is copied for a dev server: it serves the folder itself.
    expect(Buffer.from(seen.copied.body, 'base64').equals(await project.read('public/copied.png'))).toBe(true)
  })

  it('serves a changed image under another URL', async () => {
    const next = await photo(120, 90, 5).png()
    await project.write('next.png', next)
    const { first, second, image } = await drive<{ first: string; second: string; image: Answer }>(
      project,
      serving(`
        const first = await lazyUrl()
        await new Promise((resolve) => setTimeout(resolve, 1100))
        fs.copyFileSync('next.png', 'src/image.png')
        let second = first
        for (let turn = 0; turn < 100 && (second === first || second === undefined); turn++) {
          await new Promise((resolve) => setTimeout(resolve, 100))
          second = await lazyUrl()
        }
        return { first, second, image: await get(second) }`),
    )
    expect(second).not.toBe(first)
    await expectSimilar(Buffer.from(image.body, 'base64'), next)
  })

  it('encodes at once what is written to the disk', async () => {
    const { text, files } = await drive<{ text: string; files: string[] }>(
      project,
      serving(
        `
        const text = await script()
        return { text, files: fs.readdirSync('dist/static/image') }`,
        `{ dev: { writeToDisk: true } , output: { dataUriLimit: 0 } }`,
      ),
    )
    expect(text).not.toContain('@pixpress/')
    expect(files.map((file) => file.replace(/\.[\da-f]+\./, '.')).toSorted()).toEqual(['image.webp', 'style.webp'])
  })
})
