import { describe, expect, it } from 'vitest'
import { offerAlternatives } from '../../src/fallbacks/offer-alternatives.ts'
import type { Output } from '../../src/fallbacks/offer-alternatives.ts'
import type { ImageAlternatives } from '../../src/session/offer/alternatives.ts'
import type { FinishedImage } from '../../src/session/plan/images.ts'
import type { Session } from '../../src/session/session.ts'

const finished = (data: Uint8Array, type: string): FinishedImage =>
  ({ data, type, planned: { id: Buffer.from(data).toString() } }) as unknown as FinishedImage

/** A session that has a smaller AVIF for every image of the output. */
function sessionOf(log: string[]): Session {
  const alternatives: Session['alternatives'] = {
    isWanted: true,
    offersInStylesheets: false,
    own: (data) => Promise.resolve({ ...finished(data, 'image/png'), width: 4, height: 3 }),
    alone: () => Promise.resolve(undefined),
    add: () => undefined,
    sweep: () => Promise.resolve(),
    idOf: (data) => Promise.resolve(Buffer.from(data).toString()),
    of: (data) =>
      Promise.resolve({
        own: finished(data, 'image/png'),
        others: [finished(Buffer.from(`${Buffer.from(data).toString()}'`), 'image/avif')],
      } as ImageAlternatives),
  }
  const conversion = (id: string, what: string, why?: string): void => void log.push([id, what, why].join(' ').trim())
  return { alternatives, log: { alternatives: conversion }, options: { knowsWhere: true } } as unknown as Session
}

async function convert(
  files: Record<string, string>,
  base: string,
  mayChangeRules?: (name: string) => boolean,
): Promise<{ files: Record<string, string>; log: string[] }> {
  const result = { ...files }
  const log: string[] = []
  const output: Output = {
    base,
    names: Object.keys(files),
    read: (name) => (result[name] === undefined ? undefined : Buffer.from(result[name])),
    write: (name, text) => void (result[name] = text),
    ...(mayChangeRules !== undefined && { mayChangeRules }),
    emit: (image, beside) => {
      const name = beside.replace('.png', '.avif')
      result[name] = Buffer.from(image.data).toString()
      return name
    },
  }
  await offerAlternatives(sessionOf(log), output, () => undefined)
  return { files: result, log }
}

describe('offerAlternatives', () => {
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

  it.each(['', '/'])('writes no name that a URL would cut, with the base %j', async (base) => {
    const files = { 'index.html': `<img src="${base}img/a%23b%3Fc%20d.png">`, 'img/a#b?c d.png': 'A' }
    const { files: made } = await convert(files, base)
    expect(made['index.html']).toContain(`srcset="${base}img/a%23b%3Fc%20d.avif"`)
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

  it('has rules on pictures leave added ones alone where names allow it, and tries them as they are then', async () => {
    const css = 'p picture > img{x:y}'
    const page = '<p><img src="a.png"></p>'
    const spared = 'p picture:where(:not([data-pixpress])) > img{x:y}'
    const files = { 'a.css': css, 'p.html': page, 'a.png': 'A' }
    const changed = await convert(files, '', () => true)
    expect(changed.files['a.css']).toBe(spared)
    expect([changed.files['p.html'], changed.log]).toEqual([expect.stringContaining('<picture'), ['A fallback']])

    for (const mayChange of [undefined, () => false]) {
      const kept = await convert(files, '', mayChange)
      expect([kept.files['a.css'], kept.files['p.html']]).toEqual([css, page])
      expect(kept.log).toEqual(['A kept A rule looks at where its <img> stands: p picture > img'])
    }
    // Nothing is added to pages that are made elsewhere.
    expect((await convert({ 'a.css': css, 'a.png': 'A' }, '', () => true)).files['a.css']).toBe(css)
  })

  it('changes the rules of a page itself, unless its policy may know them by their digest', async () => {
    const page = '<style>picture img{x:y}</style><img src="a.png">'
    const { files } = await convert({ 'p.html': page, 'q.html': page.replace(/<img.*/, ''), 'a.png': 'A' }, '')
    expect(files['p.html']).toMatch(
      /^<style>picture:where\(:not\(\[data-pixpress\]\)\) img\{x:y\}<\/style><picture data-pixpress/,
    )
    expect(files['q.html']).toBe('<style>picture img{x:y}</style>')
    const policy = `<meta http-equiv="Content-Security-Policy" content="style-src 'sha256-x'">${page}`
    const kept = await convert({ 'p.html': policy, 'a.png': 'A' }, '')
    expect([kept.files['p.html'], kept.log]).toEqual([
      policy,
      ['A kept A rule looks at where its <img> stands: picture img'],
    ])
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
