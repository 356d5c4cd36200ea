import { describe, expect, it } from 'vitest'
import { takeDecided } from '../../../src/bundlers/vite/decided-images.ts'
import type { DecidedImages } from '../../../src/bundlers/vite/decided-images.ts'
import { namesIn } from '../../../src/bundlers/vite/public-urls.ts'
import { parse } from '../../templates/parse.ts'

interface Taken extends Pick<DecidedImages, 'urls' | 'imports'> {
  /** The names of images that are left. */
  readonly names: readonly string[]
}

function taken(code: string): Taken {
  const { rest, urls, imports } = takeDecided(code, parse(code))
  return { names: namesIn(rest), urls, imports }
}

describe('an image with a srcset', () => {
  it.each([
    ['of JSX', `jsx('img', { src: '/a.png', srcSet: '/b.webp 1x, /c.webp 2x' })`],
    ['whose properties are hoisted', `const p = { src: '/a.png', srcset: '/b.webp 1x, /c.webp 2x' }\nh('img', p)`],
    ['of a template that is text', String.raw`html("<p><img src=\"/a.png\" srcset=\"/b.webp 1x, /c.webp 2x\"></p>")`],
  ])('names nothing that other types are made of: %s', (_, code) => {
    expect(taken(code)).toEqual({ names: [], urls: ['/a.png', '/b.webp', '/c.webp'], imports: [] })
  })

  it('needs no other types of what is imported for it alone, as Vue does', () => {
    const imports = `import _0 from '/a.png'\nimport _1 from '/b.webp'\nconst _h = _1 + ' 2x'\n`
    const found = { names: [], urls: ['/a.png', '/b.webp'], imports: ['/a.png', '/b.webp'] }
    expect(taken(`${imports}v('img', { src: _0, srcset: _h })`)).toEqual(found)
    expect(taken(`${imports}s("<img src=\\"" + _0 + "\\" srcset=\\"" + _h + "\\">")`)).toEqual(found)
  })

  it('leaves alone what other places show as well', () => {
    const code = `import _0 from '/a.png'\nv('img', { src: _0, srcset: '/b.webp 2x' })\nv('img', { src: _0 })\nconst list = ['/b.webp']`
    expect(taken(code)).toEqual({ names: ['/a.png', '/b.webp'], urls: ['/b.webp', '/a.png'], imports: [] })
  })
})

describe('an image that is to stay as it is', () => {
  it('names nothing that other types are made of', () => {
    expect(taken(`jsx('img', { src: '/a.png', 'data-pixpress': 'off' })`)).toMatchObject({
      names: [],
      urls: ['/a.png'],
    })
  })
})

describe('any other image', () => {
  it('keeps its names', () => {
    expect(taken(`jsx('img', { src: '/a.png' })\nconst data = { src: '/b.png', srcset: '/c.png 2x' }`)).toMatchObject({
      names: ['/a.png', '/b.png'],
      urls: [],
    })
  })
})
