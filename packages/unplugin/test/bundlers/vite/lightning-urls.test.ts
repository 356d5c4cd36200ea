import { describe, expect, it } from 'vitest'
import { createUrlVisitor, filesOfUrl } from '../../../src/bundlers/vite/lightning-urls.ts'
import type { SeenUrl } from '../../../src/bundlers/vite/lightning-urls.ts'

const at = (url: string, line: number, column: number) => ({ url, loc: { line, column } })

const option = (url: string, fileType?: string) => ({
  image: { type: 'url', value: at(url, 1, 1) },
  ...(fileType !== undefined && { fileType }),
})

describe('the files of a URL', () => {
  const texts = new Map([
    ['/a.css', `.a { background: url(./a.png) }\r\n.b { background: url( "b c.png" ) }`],
    ['/b.css', `.a { background: url(../a.png), url(./a.png) }\n.c { background: image-set('d.png' 1x) }`],
    ['/c.css', String.raw`.a { background: url(./a\.png) }`],
  ])
  it.each([
    [at('./a.png', 1, 18), ['/a.css', '/c.css']],
    [at('../a.png', 1, 18), ['/b.css']],
    [at('./a.png', 1, 33), ['/b.css']],
    [at('b c.png', 2, 18), ['/a.css']],
    [at('d.png', 2, 28), ['/b.css']],
    [at('./a.png', 9, 1), []],
  ])('%o are %o', (url, files) => {
    expect(filesOfUrl(url, texts)).toEqual(files)
  })
})

describe('the visitor of URLs', () => {
  const seen: SeenUrl[] = []
  const visitor = createUrlVisitor({ Url: (url) => ({ ...url, url: `theirs/${url.url}` }) }, (url) => {
    seen.push(url)
    return url.url.endsWith('.png') ? 'new.png' : undefined
  })

  it("asks after the project's own visitor, and keeps what is not replaced", () => {
    expect(visitor.Url!(at('a.png', 1, 1))).toEqual(at('new.png', 1, 1))
    expect(visitor.Url!(at('a.woff2', 1, 2))).toEqual(at('theirs/a.woff2', 1, 2))
    expect(seen.map(({ url, use }) => [url, use])).toEqual([
      ['theirs/a.png', 'content'],
      ['theirs/a.woff2', 'content'],
    ])
  })

  it('tells images of a declared type from others', () => {
    seen.length = 0
    const gradient = { image: { type: 'gradient', value: {} } }
    const image = { type: 'image-set', value: { options: [option('a.png'), option('b.png', 'image/png'), gradient] } }
    expect(visitor.Image!(image)).toEqual({
      type: 'image-set',
      value: { options: [option('new.png'), option('new.png', 'image/png'), gradient] },
    })
    expect(seen.map(({ url, use }) => [url, use])).toEqual([
      ['theirs/a.png', 'content'],
      ['theirs/b.png', 'typed'],
    ])
    expect(visitor.Image!({ type: 'none' })).toBeUndefined()
  })
})
