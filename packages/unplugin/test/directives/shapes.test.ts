import { describe, expect, it } from 'vitest'
import type { InputType } from '@pixpress/core'
import type { Output } from '../../src/directives/output.ts'
import type { Variant } from '../../src/directives/resolve.ts'
import { renderModule } from '../../src/directives/shapes.ts'
import type { VariantResult } from '../../src/directives/shapes.ts'
import type { Format } from '../../src/directives/vocabulary.ts'

/** Bytes per pixel of width, so that types are smaller in the order in which they are offered. */
const WEIGHT: Readonly<Record<string, number>> = { avif: 7, webp: 8, jpeg: 9 }

/**
 * `100 webp /foo.webp` was asked for as WebP and is; `100 avif>png /foo.png` was asked for as AVIF and is PNG. A fourth
 * word is a number of bytes.
 */
type Sketch = `${number} ${string} ${string}`

function made(sketch: Sketch): { variant: Variant; result: VariantResult } {
  const [width = '', formats = '', url = '', bytes] = sketch.split(' ')
  const [asked = '', actual = asked] = formats.split('>')
  return {
    variant: { operations: {}, format: asked as Format },
    result: {
      src: JSON.stringify(url),
      width: Number(width),
      height: Number(width) / 2,
      type: `image/${actual}` as InputType,
      size: bytes === undefined ? Number(width) * (WEIGHT[actual] ?? 10) : Number(bytes),
    },
  }
}

function render(output: Output, ...sketches: Sketch[]): string {
  const all = sketches.map(made)
  return renderModule(
    { output, variants: all.map(({ variant }) => variant) },
    all.map(({ result }) => result),
    {
      hasAlpha: true,
    },
  )
}

async function load(code: string): Promise<Record<string, unknown>> {
  return { ...((await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, unknown>) }
}

const exported = async (output: Output, ...sketches: Sketch[]): Promise<unknown> =>
  (await load(render(output, ...sketches)))['default']

describe('a placeholder', () => {
  const placeholder = { url: 'data:x', color: '#102030', hash: 'abc' }
  const withPlaceholder = (output: Output): Promise<Record<string, unknown>> => {
    const { variant, result } = made('100 webp /a.webp')
    return load(renderModule({ output, variants: [variant] }, [{ ...result, placeholder }], { hasAlpha: false }))
  }
  const members = { placeholder: 'data:x', color: '#102030', hash: 'abc', width: 100, height: 50 }

  it('stands beside the members of img, picture and metadata, as exports too', async () => {
    const { default: img, ...named } = await withPlaceholder({ as: 'img', lqip: 'thumbhash' })
    expect(img).toEqual({ src: '/a.webp', w: 100, h: 50, ...members })
    expect(named).toEqual(img)
    const { default: picture } = await withPlaceholder({ as: 'picture', lqip: 'thumbhash' })
    expect(picture).toEqual({ sources: {}, img: { src: '/a.webp', w: 100, h: 50 }, ...members })
    const { default: metadata } = await withPlaceholder({
      as: 'metadata',
      keys: ['width', 'height'],
      lqip: 'thumbhash',
    })
    expect(metadata).toEqual(members)
  })

  it('is nothing to see where none can be made, and not there where none is asked for', async () => {
    const { default: img } = await load(render({ as: 'img', lqip: 'blur' }, '100 webp /a.webp'))
    expect(img).toMatchObject({ placeholder: expect.stringMatching(/^data:image\/gif/), color: '#00000000' })
    expect(Object.keys((await withPlaceholder({ as: 'img' })).default as object)).toEqual(['src', 'w', 'h'])
  })
})

// The expectations up to "what imagetools cannot have" are those of imagetools' own `output-formats.test.ts`.
describe('as=url', () => {
  it('is the URL, or an array of several', async () => {
    expect(await exported({ as: 'url' }, '100 jpeg /foo.jpg')).toBe('/foo.jpg')
    expect(await exported({ as: 'url' }, '100 jpeg /foo.jpg', '100 jpeg /bar.jpg')).toEqual(['/foo.jpg', '/bar.jpg'])
  })
})

describe('as=srcset', () => {
  it('has width descriptors', async () => {
    expect(await exported({ as: 'srcset' }, '500 jpeg /foo.jpg')).toBe('/foo.jpg 500w')
    expect(await exported({ as: 'srcset' }, '500 jpeg /foo.jpg', '300 jpeg /bar.jpg')).toBe(
      '/foo.jpg 500w, /bar.jpg 300w',
    )
  })

  it('offers no image that takes as many bytes as a wider one of its type', async () => {
    const drawing: Sketch[] = ['50 png /s 90', '100 png /m 95', '200 png /l 90', '50 webp /t 50', '200 webp /u 60']
    const drawn = await exported({ as: 'picture' }, ...drawing.toReversed())
    expect(drawn).toMatchObject({ sources: { webp: '/u 200w, /t 50w', png: '/l 200w' }, img: { src: '/l' } })
  })

  it('has density descriptors with basePixels', async () => {
    expect(await exported({ as: 'srcset', basePixels: 300 }, '300 jpeg /foo.jpg', '450 jpeg /bar.jpg')).toBe(
      '/foo.jpg 1x, /bar.jpg 1.5x',
    )
  })
})

describe('as=img', () => {
  it('is one image', async () => {
    expect(await exported({ as: 'img' }, '100 webp /foo.webp')).toEqual({ src: '/foo.webp', w: 100, h: 50 })
  })

  it('is the widest of several, with a srcset', async () => {
    const several: Sketch[] = ['50 webp /foo-50.webp', '100 webp /foo-100.webp']
    expect(await exported({ as: 'img' }, ...several)).toEqual({
      srcset: '/foo-50.webp 50w, /foo-100.webp 100w',
      src: '/foo-100.webp',
      w: 100,
      h: 50,
    })
    expect(await exported({ as: 'img', basePixels: 100 }, ...several)).toMatchObject({
      srcset: '/foo-50.webp 0.5x, /foo-100.webp 1x',
    })
  })
})

describe('as=picture', () => {
  it('leaves the only image of the fallback to img', async () => {
    expect(await exported({ as: 'picture' }, '100 avif /foo.avif', '100 webp /foo.webp', '100 jpeg /foo.jpg')).toEqual({
      sources: { avif: '/foo.avif 100w', webp: '/foo.webp 100w' },
      img: { src: '/foo.jpg', w: 100, h: 50 },
    })
    expect(await exported({ as: 'picture' }, '100 png /foo.png')).toEqual({
      sources: {},
      img: { src: '/foo.png', w: 100, h: 50 },
    })
  })

  const sizes: Sketch[] = [
    '100 avif /foo-100.avif',
    '100 webp /foo-100.webp',
    '100 jpeg /foo-100.jpg',
    '50 avif /foo-50.avif',
    '50 webp /foo-50.webp',
    '50 jpeg /foo-50.jpg',
  ]

  it('has a source for each type of several sizes', async () => {
    const picture = await exported({ as: 'picture' }, ...sizes)
    expect(picture).toEqual({
      sources: {
        avif: '/foo-100.avif 100w, /foo-50.avif 50w',
        webp: '/foo-100.webp 100w, /foo-50.webp 50w',
        jpeg: '/foo-100.jpg 100w, /foo-50.jpg 50w',
      },
      img: { src: '/foo-100.jpg', w: 100, h: 50 },
    })
    expect(Object.keys((picture as { sources: object }).sources)).toEqual(['avif', 'webp', 'jpeg'])
  })

  const offered = async (...sketches: Sketch[]): Promise<Record<string, string>> =>
    ((await exported({ as: 'picture' }, ...sketches)) as { sources: Record<string, string> }).sources

  it.each<[string, string[], Sketch[]]>([
    ['than the fallback', ['avif'], ['100 avif /a 70', '100 webp /b 91', '100 jpeg /c 90']],
    ['than the next, of equal bytes', ['webp'], ['100 avif /a 80', '100 webp /b 80', '100 jpeg /c 90']],
    ['than any that follows', [], ['100 avif /a 95', '100 webp /b 99', '100 jpeg /c 90']],
    ['in sum over its widths', ['avif', 'jpeg'], ['9 avif /a 9', '99 avif /b 70', '9 webp /c 9', '99 webp /d 99', '9 jpeg /e 10', '99 jpeg /f 98']],
    ['where one width is larger and the sum is smaller', ['webp', 'jpeg'], ['9 webp /c 12', '99 webp /d 80', '9 jpeg /e 10', '99 jpeg /f 98']],
    ['than one that fewer browsers read', ['webp', 'avif'], ['100 webp /a 80', '100 avif /b 70', '100 jpeg /c 90']],
  ])('offers no source that is no smaller %s', async (_, types, sketches) => {
    expect(Object.keys(await offered(...sketches))).toEqual(types)
  }) // prettier-ignore

  it('still gives what it does not offer to those who ask by name, and types say so', async () => {
    const sources = await offered('100 avif /a 70', '100 webp /b 91', '100 jpeg /c 90')
    expect(sources['webp']).toBe('/b 100w')
    expect({ ...sources }).toEqual({ avif: '/a 100w' })
  })

  it('offers no image that takes as many bytes as a wider one of its type', async () => {
    const drawing: Sketch[] = ['50 png /s 90', '100 png /m 95', '200 png /l 90', '50 webp /t 50', '200 webp /u 60']
    const drawn = await exported({ as: 'picture' }, ...drawing.toReversed())
    expect(drawn).toMatchObject({ sources: { webp: '/u 200w, /t 50w', png: '/l 200w' }, img: { src: '/l' } })
  })

  it('has density descriptors with basePixels', async () => {
    expect(await exported({ as: 'picture', basePixels: 100 }, ...sizes)).toMatchObject({
      sources: { jpeg: '/foo-100.jpg 1x, /foo-50.jpg 0.5x' },
    })
  })
})

describe('as=metadata', () => {
  it('is flat, an array of several', async () => {
    const foo = { format: 'webp', size: 800, width: 100, height: 50, hasAlpha: true, src: '/foo.webp' }
    const bar = { format: 'jpeg', size: 1800, width: 200, height: 100, hasAlpha: false, src: '/bar.jpg' }
    expect(await exported({ as: 'metadata' }, '100 webp /foo.webp')).toEqual(foo)
    expect(await exported({ as: 'metadata' }, '100 webp /foo.webp', '200 jpeg /bar.jpg')).toEqual([foo, bar])
  })

  it('has only the keys picked', async () => {
    const output: Output = { as: 'metadata', keys: ['width', 'src'] }
    expect(await exported(output, '100 webp /foo.webp', '200 webp /bar.webp')).toEqual([
      { width: 100, src: '/foo.webp' },
      { width: 200, src: '/bar.webp' },
    ])
  })
})

describe('named exports', () => {
  it.each([
    [{ as: 'img' }, ['h', 'src', 'srcset', 'w']],
    [{ as: 'picture' }, ['img', 'sources']],
  ] as const)('are the members of %j', async (output, names) => {
    const { default: whole, ...named } = await load(render(output, '100 webp /a.webp', '50 webp /b.webp'))
    expect(Object.keys(named).toSorted()).toEqual(names)
    expect(named).toEqual(whole)
  })

  it('are the keys of the metadata of one image', async () => {
    const { default: whole, ...named } = await load(render({ as: 'metadata' }, '100 webp /a.webp'))
    expect(named).toEqual(whole)
    expect(named).toHaveProperty('height', 50)
  })

  it('are none where the default is no object', async () => {
    const two: Sketch[] = ['100 webp /a.webp', '50 webp /b.webp']
    for (const output of [{ as: 'url' }, { as: 'srcset' }, { as: 'metadata' }] as const) {
      expect(Object.keys(await load(render(output, ...two)))).toEqual(['default'])
    }
  })
})

describe('what imagetools cannot have', () => {
  it('keys sources by what the bytes are, and merges formats that ended as one type', async () => {
    expect(
      await exported(
        { as: 'picture' },
        '100 avif>svg+xml /a.svg',
        '100 webp>svg+xml /a.svg',
        '100 jpeg>svg+xml /a.svg',
      ),
    ).toEqual({ sources: {}, img: { src: '/a.svg', w: 100, h: 50 } })
    expect(
      await exported(
        { as: 'picture' },
        '50 avif>webp /a-50.webp',
        '50 webp /b-50.webp',
        '50 png /c-50.png',
        '100 avif>webp /a-100.webp',
        '100 webp /b-100.webp',
        '100 png /c-100.png',
      ),
    ).toEqual({
      sources: { webp: '/a-50.webp 50w, /a-100.webp 100w', png: '/c-50.png 50w, /c-100.png 100w' },
      img: { src: '/c-100.png', w: 100, h: 50 },
    })
  })

  it('puts the type that every browser takes last', async () => {
    const picture = await exported(
      { as: 'picture' },
      '50 avif>jpeg /a-50.jpg',
      '100 avif>jpeg /a-100.jpg',
      '50 webp /b-50.webp',
      '100 webp /b-100.webp',
      '50 jpeg /c-50.jpg',
      '100 jpeg /c-100.jpg',
    )
    expect(Object.keys((picture as { sources: object }).sources)).toEqual(['webp', 'jpeg'])
  })

  it('drops a type that would hide the larger images', async () => {
    expect(
      await exported({ as: 'picture' }, '50 avif /a.avif', '100 avif>png /b.png', '50 png /c.png', '100 png /d.png'),
    ).toEqual({
      sources: { png: '/b.png 100w, /c.png 50w' },
      img: { src: '/d.png', w: 100, h: 50 },
    })
  })

  it('has no descriptor for an image without a size', async () => {
    expect(await exported({ as: 'srcset' }, '0 svg+xml /a.svg')).toBe('/a.svg')
  })

  it('knows that an image flattened onto a background has no transparency', () => {
    const code = renderModule(
      { output: { as: 'metadata' }, variants: [{ operations: { transform: { background: 'white' } } }] },
      [{ src: '"/a.png"', width: 1, height: 1, type: 'image/png', size: 70 }],
      { hasAlpha: true },
    )
    expect(code).toContain('hasAlpha = false')
  })
})

describe('expressions', () => {
  const variants: Variant[] = [{ operations: {} }, { operations: {} }]
  const two = (as: 'srcset' | 'img' | 'url', ...sources: [string, string]): string =>
    renderModule(
      { output: { as }, variants },
      sources.map((src, index) => ({ src, width: 100 * (index + 1), height: 50, type: 'image/webp' })),
      { hasAlpha: false },
    )

  it('are put together with as few parts as possible', () => {
    expect(two('srcset', '"/a.webp"', '"/b.webp"')).toBe('export default "/a.webp 100w, /b.webp 200w";\n')
    expect(two('srcset', '_0', 'import.meta.ROLLUP_FILE_URL_b')).toBe(
      'export default _0 + " 100w, " + import.meta.ROLLUP_FILE_URL_b + " 200w";\n',
    )
    expect(two('srcset', '"/a.webp"', 'b ? "/c.webp" : "/d.webp"')).toBe(
      'export default "/a.webp 100w, " + (b ? "/c.webp" : "/d.webp") + " 200w";\n',
    )
    expect(two('url', '_0', '"/b.webp"')).toBe('export default [_0, "/b.webp"];\n')
    expect(two('img', '_0', '_1')).toBe(
      'export const src = _1;\nexport const w = 200;\nexport const h = 50;\n' +
        'export const srcset = _0 + " 100w, " + _1 + " 200w";\nexport default { src, w, h, srcset };\n',
    )
  })

  it('are not taken for a literal because they begin and end like one', async () => {
    const code = two('srcset', '"/a" + ".webp"', '"/\\"b\\".webp"')
    expect((await load(code))['default']).toBe('/a.webp 100w, /"b".webp 200w')
  })

  it('keep a URL with white space or commas whole in a srcset', async () => {
    const { default: srcset } = await load(two('srcset', '"/my photo.webp"', '"data:image/webp;base64,AA,"'))
    expect(srcset).toBe('/my%20photo.webp 100w, data:image/webp;base64,AA%2C 200w')
    const { src } = await load(two('img', '"/a.webp"', '"/my photo.webp"'))
    expect(src).toBe('/my photo.webp')
  })
})

describe('refuses', () => {
  const request = { output: { as: 'metadata' }, variants: [{ operations: {} }] } as const
  const result = { src: '"/a.webp"', width: 1, height: 1, type: 'image/webp' } as const

  it('a missing result', () => {
    expect(() => renderModule(request, [], { hasAlpha: false })).toThrow(
      expect.objectContaining({ code: 'INTERNAL', message: '1 images were asked for, but 0 were made.' }),
    )
  })

  it('metadata of an image that has not been made, unless the size is not asked for', () => {
    expect(() => renderModule(request, [result], { hasAlpha: false })).toThrow(
      expect.objectContaining({ code: 'INTERNAL' }),
    )
    const output: Output = { as: 'metadata', keys: ['src'] }
    expect(renderModule({ ...request, output }, [result], { hasAlpha: false })).toBe(
      'export const src = "/a.webp";\nexport default { src };\n',
    )
  })
})
