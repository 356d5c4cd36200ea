import { describe, expect, it } from 'vitest'
import { convertOutput } from '../../src/fallbacks/convert-output.ts'
import type { Output } from '../../src/fallbacks/convert-output.ts'
import type { Offer } from '../../src/session/besides.ts'
import type { FinishedImage } from '../../src/session/images.ts'
import type { Session } from '../../src/session/session.ts'

const finished = (data: Uint8Array, type: string): FinishedImage =>
  ({ data, type, planned: { id: Buffer.from(data).toString() } }) as unknown as FinishedImage

/** A session that has a smaller AVIF for every image of the output. */
function sessionOf(log: string[]): Session {
  const besides: Session['besides'] = {
    isWanted: true,
    convertsStylesheets: false,
    own: (data) => Promise.resolve({ ...finished(data, 'image/png'), width: 4, height: 3 }),
    alone: () => Promise.resolve(undefined),
    add: () => undefined,
    sweep: () => Promise.resolve(),
    idOf: (data) => Promise.resolve(Buffer.from(data).toString()),
    of: (data) =>
      Promise.resolve({
        own: finished(data, 'image/png'),
        others: [finished(Buffer.from(`${Buffer.from(data).toString()}'`), 'image/avif')],
      } as Offer),
  }
  const conversion = (id: string, what: string, why?: string): void => void log.push([id, what, why].join(' ').trim())
  return { besides, log: { conversion } } as unknown as Session
}

async function convert(
  files: Record<string, string>,
  base: string,
): Promise<{ files: Record<string, string>; log: string[] }> {
  const result = { ...files }
  const log: string[] = []
  const output: Output = {
    base,
    names: Object.keys(files),
    read: (name) => (result[name] === undefined ? undefined : Buffer.from(result[name])),
    write: (name, text) => void (result[name] = text),
    emit: (image, beside) => {
      const name = beside.replace('.png', '.avif')
      result[name] = Buffer.from(image.data).toString()
      return name
    },
  }
  await convertOutput(sessionOf(log), output, () => undefined)
  return { files: result, log }
}

describe('convertOutput', () => {
  it.each([
    ['/', '/img/a.png', '/img/a.avif'],
    ['/app/', '/app/img/a.png', '/app/img/a.avif'],
    ['https://cdn.example/x/', 'https://cdn.example/x/img/a.png', 'https://cdn.example/x/img/a.avif'],
    ['', 'img/a.png', 'img/a.avif'],
    ['', './img/a.png', './img/a.avif'],
    ['/', 'img/a%2Epng', 'img/a.avif'],
  ])('finds the images of a page with the base %j by %s', async (base, url, expected) => {
    const { files } = await convert({ 'index.html': `<img src="${url}">`, 'img/a.png': 'A' }, base)
    expect(files['index.html']).toContain(`srcset="${expected}"`)
    expect(files['img/a.avif']).toBe("A'")
  })

  it.each([
    ['/app/', '/img/a.png'],
    ['/', 'https://elsewhere.example/img/a.png'],
    ['/', '//elsewhere.example/img/a.png'],
    ['', '/img/a.png'],
    ['/', '/img/b.png'],
    ['/', 'data:image/png;base64,AA'],
  ])('takes nothing of others for its own: with the base %j, %s', async (base, url) => {
    const page = `<img src="${url}">`
    const { files, log } = await convert({ 'index.html': page, 'img/a.png': 'A' }, base)
    expect([files['index.html'], log]).toEqual([page, []])
  })

  it('writes URLs that are relative to the stylesheet or page they stand in', async () => {
    const { files } = await convert(
      { 'css/a.css': '.a{background:url(../img/a.png)}', 'sub/p.html': '<img src="../img/a.png">', 'img/a.png': 'A' },
      '',
    )
    expect(files['css/a.css']).toContain('url("../img/a.avif")')
    expect(files['sub/p.html']).toContain('srcset="../img/a.avif"')
  })

  it('tries the rules of every stylesheet on the pages, and tells the report', async () => {
    const { files, log } = await convert(
      {
        'a.css': 'p > img{x:y}',
        'p.html': '<p><img src="a.png"></p><b><img src="b.png"></b>',
        'a.png': 'A',
        'b.png': 'B',
      },
      '',
    )
    expect(files['p.html']).toContain('<p><img src="a.png"></p><b><picture')
    expect(log).toEqual(['A kept A rule looks at where its <img> stands: p > img', 'B fallback'])
    expect(Object.keys(files)).not.toContain('a.avif')
  })
})
