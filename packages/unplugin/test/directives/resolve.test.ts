import { describe, expect, it } from 'vitest'
import type { Operations } from '@pixpress/core'
import { resolveOperations } from '@pixpress/core/internal'
import { resolvePresets } from '../../src/directives/presets.ts'
import type { PresetOrParts } from '../../src/directives/presets.ts'
import { parseQuery } from '../../src/directives/query.ts'
import { resolveDirectives } from '../../src/directives/resolve.ts'
import type { DirectiveRequest } from '../../src/directives/resolve.ts'
import type { DirectiveSource } from '../../src/directives/rows.ts'

interface Setting {
  presets?: Record<string, PresetOrParts>
  defaults?: Operations
  source?: Partial<DirectiveSource>
  compat?: boolean
}

const names = (query: string, setting?: Setting): unknown => resolve(query, setting).notes?.map(([name]) => name)

function resolve(query: string, { presets, defaults, source, compat = false }: Setting = {}): DirectiveRequest {
  return resolveDirectives(parseQuery(query), {
    presets: resolvePresets(presets),
    ...(defaults && { defaults }),
    source: { width: 1000, height: 800, type: 'image/png', hasAlpha: false, ...source },
    compat,
    file: 'src/hero.png',
  })
}

const small = { width: 320, height: 240 }
/** The kernel that sharp takes by default. */
const SHARPS = { kernel: 'lanczos3' } as const

const cover = (width: number, height: number, kernel: object = {}): Operations => ({
  resize: { method: 'cover', width, height, position: [0.5, 0.5], ...kernel },
})

const operationsOf = (query: string, setting?: Setting): readonly Operations[] =>
  resolve(query, setting).variants.map(({ operations }) => operations)

const PRESETS = { hero: { w: [200, 400], format: 'webp', as: 'srcset' } } as const

/** Queries that ask for several images, or hold several values. */
const QUERIES: readonly (readonly [query: string, ...operations: Operations[]])[] = [
  ['?format=avif;auto;original', { convert: { type: 'image/avif' } }, { convert: { type: '*/*' } }, {}],
  ['?quality=balanced;50', { quality: 'balanced' }, { quality: 50 }],
  ['?effort=fast;max', { effort: 'fast' }, { effort: 'max' }],
  ['?rotate=90;180', { adjust: { rotate: 90 } }, { adjust: { rotate: 180 } }],
  [
    '?preset=hero',
    { resize: { method: 'scale', width: 200 }, convert: { type: 'image/webp' } },
    { resize: { method: 'scale', width: 400 }, convert: { type: 'image/webp' } },
  ],
  [
    '?aspect=1:1;2&fit=cover',
    { resize: { method: 'cover', width: 800, height: 800 } },
    { resize: { method: 'cover', width: 1000, height: 500 } },
  ],
  ['?hue=90&saturation=0.5', { adjust: { hue: 90, saturation: 0.5 } }],
  ['?background=ffcc00&format=jpg', { convert: { type: 'image/jpeg' }, transform: { background: '#ffcc00' } }],
  ['?preserve=location,copyright', { preserve: ['copyright', 'location'] }],
  ['?blur', { adjust: { blur: true } }],
]

describe('resolveDirectives', () => {
  it('fills with the background what is left empty, and flattens where that is asked for or nothing can be clear', () => {
    const contain = { method: 'contain', width: 300, height: 300, background: '#ff0000aa' }
    const adjust = { rotate: 45, background: '#ff0000aa' }
    const transform = { background: '#ff0000' }
    expect(operationsOf('?w=300&h=300&fit=contain&background=ff0000aa')).toEqual([{ resize: contain }])
    expect(operationsOf('?w=300&h=300&fit=contain&background=ff0000aa&flatten')).toEqual([
      { resize: contain, transform },
    ])
    expect(operationsOf('?rotate=45&background=ff0000aa')).toEqual([{ adjust }])
    expect(operationsOf('?rotate=45&background=ff0000aa&format=jpg')).toEqual([
      { adjust, transform, convert: { type: 'image/jpeg' } },
    ])
    expect(operationsOf('?rotate=90&background=red')).toEqual([{ adjust: { rotate: 90 }, transform }])
    expect(operationsOf('?flatten=false&background=red')).toEqual([{}])
  })

  it("adds to the plugin's adjustments", () => {
    const defaults: Operations = { adjust: { flip: true, blur: 3 } }
    expect(operationsOf('?flop&blur=false', { defaults })).toEqual([
      { adjust: { flip: true, flop: true, blur: false } },
    ])
  })

  it.each([
    ['?format=webp&effort=2', 'fast'],
    ['?format=webp&effort=4', 'default'],
    ['?format=webp&effort=6', 'max'],
    ['?format=avif&effort=6', 'default'],
    ['?format=avif&effort=min', 'fast'],
    ['?format=jpg&effort=9', 'default'],
  ])("takes imagetools' number in %s for %s", (query, effort) => {
    expect(operationsOf(query)[0]).toMatchObject({ effort })
  })

  it("takes a number as quality for the score, and with compat for the encoder's setting", () => {
    const query = '?format=webp;png&quality=75&effort=5&progressive'
    const [webp, png] = operationsOf(query)
    expect([webp, png]).toMatchObject([
      { quality: 75, effort: 'default' },
      { quality: 75, effort: 'fast' },
    ])
    const [same, other] = operationsOf(query, { compat: true })
    expect(same).toEqual({
      convert: { type: 'image/webp' },
      effort: 'default',
      encoder: { 'image/webp': { quality: 75, effort: 5 } },
    })
    expect(other).toEqual({ effort: 'fast' })
    expect(operationsOf('?format=webp&quality=75&lossless', { compat: true })[0]).toMatchObject({
      quality: 75,
      lossless: true,
    })
  })

  it('asks for the images of every part of a preset', () => {
    const presets = { hero: [{ media: '(max-width: 600px)', aspect: '1:1', w: 480 }, { w: [480, 800] }] } as const
    const { variants, output } = resolve('?preset=hero&format=webp', { presets })
    expect(output).toEqual({ as: 'picture' })
    const square = { method: 'cover', width: 480, height: 480, position: [0.5, 0.5] }
    expect(variants.map(({ media, operations }) => [media, operations.resize])).toEqual([
      ['(max-width: 600px)', square],
      [undefined, { method: 'scale', width: 480 }],
      [undefined, { method: 'scale', width: 800 }],
    ])
    expect(() => resolve('?preset=hero&as=url', { presets })).toThrow(
      'A preset with a part for each medium gives a picture',
    )
  })

  // These are the results of vite-imagetools 12 for a picture of 320 × 240.
  it.each<[query: string, ...operations: Operations[]]>([
    ['?w=300&h=400', cover(300, 240, SHARPS)],
    ['?w=4000;300;900', {}, { resize: { method: 'scale', width: 300, ...SHARPS } }],
    ['?aspect=16:9&h=200;400;700', {}, {}],
    ['?aspect=1:2&w=200', {}],
    ['?aspect=16:9&h=90', cover(160, 90, SHARPS)],
    ['?fit=cover', {}],
    ['?fit=cover&grayscale', { adjust: { grayscale: true } }],
    ['?height=300;600;900&withoutReduction', {}, {}, {}],
    ['?w=100&progressive=false', { resize: { method: 'scale', width: 100, ...SHARPS } }],
    ['?w=900&withoutEnlargement=false', {}],
    ['?w=100;200;', ...[100, 200].map((width) => ({ resize: { method: 'scale', width, ...SHARPS } as const })), {}],
    ['?w=0;200&as=srcset&metadata=keep', {}, { resize: { method: 'scale', width: 200, ...SHARPS } }],
    ['?h=', {}],
    ['?w=640&allowUpscale', { resize: { method: 'scale', width: 640, ...SHARPS, enlarge: true } }],
  ])('sizes as imagetools with compat: %s', (query, ...expected) => {
    expect(operationsOf(query, { compat: true, source: small })).toEqual(expected)
  })

  it('loses transparency with compat where the format has none, as imagetools', () => {
    const clear = { hasAlpha: true }
    const black = { transform: { background: '#000000' } }
    expect(operationsOf('?format=jpg;webp', { compat: true, source: clear })).toEqual([
      { convert: { type: 'image/jpeg' }, ...black },
      { convert: { type: 'image/webp' } },
    ])
    expect(operationsOf('?format=jpg&flatten=false', { compat: true, source: clear })[0]).not.toHaveProperty(
      'transform',
    )
    expect(operationsOf('?format=jpg', { source: clear })[0]).not.toHaveProperty('transform')
    expect(operationsOf('?format=jpg', { compat: true })[0]).not.toHaveProperty('transform')
  })

  it('takes as for the shape with compat, whatever stands beside it', () => {
    for (const query of ['?w=100&as=srcset&metadata', '?w=100&metadata=width&as=srcset', '?meta&w=100&as=srcset'])
      expect(resolve(query, { compat: true }).output).toEqual({ as: 'srcset' })
    expect(() => resolve('?w=100&as=srcset&metadata')).toThrow("for 'as'")
    expect(() => resolve('?w=0')).toThrow("for 'w' but received '0'")
  })

  it('makes one of sizes that come to the same, unless imagetools is followed', () => {
    expect(operationsOf('?aspect=16:9&h=200;400;700', { source: small })).toHaveLength(1)
    expect(operationsOf('?w=300&h=400', { source: small })).toEqual([cover(180, 240)])
    expect(() => operationsOf('?fit=cover', { source: small })).toThrow("'fit=cover' needs a size")
  })

  it('notes what may be meant otherwise', () => {
    expect(names('?w=300&h=300')).toEqual(['centre'])
    expect(names('?w=300&h=300&fit=cover')).toBeUndefined()
    expect(names('?quality=80&effort=4')).toEqual(['score'])
    expect(names('?w=300&h=300&quality=80&effort=4', { compat: true })).toBeUndefined()
    expect(names('?w=300&h=300', { source: { focus: [0, 0] } })).toBeUndefined()
  })

  it.each(QUERIES.map(([query, ...expected]) => [query, expected] as const))(
    'turns %s into operations',
    (query, expected) => {
      const operations = operationsOf(query, { presets: PRESETS })
      expect(operations).toEqual(expected)
      for (const each of operations) expect(() => resolveOperations(each)).not.toThrow()
    },
  )

  it("multiplies in imagetools' order", () => {
    const { variants } = resolve('?w=200;400&format=avif;webp')
    expect(variants).toEqual([
      {
        width: 200,
        format: 'avif',
        operations: { resize: { method: 'scale', width: 200 }, convert: { type: 'image/avif' } },
      },
      {
        width: 200,
        format: 'webp',
        operations: { resize: { method: 'scale', width: 200 }, convert: { type: 'image/webp' } },
      },
      {
        width: 400,
        format: 'avif',
        operations: { resize: { method: 'scale', width: 400 }, convert: { type: 'image/avif' } },
      },
      {
        width: 400,
        format: 'webp',
        operations: { resize: { method: 'scale', width: 400 }, convert: { type: 'image/webp' } },
      },
    ])
    expect(resolve('?format=avif;webp&w=200;400').variants.map(({ width, format }) => `${width} ${format}`)).toEqual([
      '200 avif',
      '400 avif',
      '200 webp',
      '400 webp',
    ])
  })

  it("collapses sizes above the source's and merges what is then the same", () => {
    expect(resolve('?w=400;2000;3000').variants).toEqual([
      { width: 400, operations: { resize: { method: 'scale', width: 400 } } },
      { width: 1000, height: 800, operations: {} },
    ])
    expect(operationsOf('?w=1000;1200&format=png;original')).toEqual([{}])
    expect(operationsOf('?format=jpg;jpeg')).toHaveLength(1)
    expect(operationsOf('?w=2000;4000&h=1000;2000&fit=cover')).toEqual([
      { resize: { method: 'cover', width: 1000, height: 500 } },
      { resize: { method: 'cover', width: 800, height: 800 } },
      { resize: { method: 'cover', width: 1000, height: 250 } },
    ])
  })

  it("starts from the plugin's operations and overrules them one by one", () => {
    const defaults: Operations = {
      resize: { method: 'fit', width: 900, height: 900 },
      convert: { type: ['image/avif', 'image/webp'] },
      transform: { background: 'white' },
      preserve: ['copyright'],
      quality: 'small',
    }
    expect(operationsOf('?quality=high', { defaults })).toEqual([{ ...defaults, quality: 'high' }])
    expect(operationsOf('?w=300', { defaults })).toEqual([{ ...defaults, resize: { method: 'scale', width: 300 } }])
    expect(operationsOf('?background=black', { defaults })).toEqual([
      { ...defaults, transform: { background: '#000000' } },
    ])
    expect(operationsOf('?preserve=none', { defaults })).toEqual([{ ...defaults, preserve: [] }])
    expect(operationsOf('?format=jpg', { defaults })).toEqual([{ ...defaults, convert: { type: 'image/jpeg' } }])
    const { convert: _convert, ...withoutConvert } = defaults
    expect(operationsOf('?format=original', { defaults })).toEqual([withoutConvert])
    const { resize: _resize, ...withoutResize } = defaults
    expect(operationsOf('?w=5000', { defaults })).toEqual([withoutResize])
    expect(defaults.resize).toEqual({ method: 'fit', width: 900, height: 900 })
  })

  it('lets the query beat the preset, which keeps its place in the product', () => {
    const presets = { hero: { w: [200, 400], h: 100, fit: 'cover', format: ['avif', 'webp'], as: 'picture' } } as const
    const { variants, output } = resolve('?w=300&preset=hero&quality=50;60', { presets })
    expect(output).toEqual({ as: 'picture' })
    expect(variants.map(({ width, format, operations }) => [width, format, operations.quality])).toEqual([
      [300, 'avif', 50],
      [300, 'avif', 60],
      [300, 'webp', 50],
      [300, 'webp', 60],
    ])
    expect(operationsOf('?preset=hero&method=thumb&format=png&w=300', { presets })).toEqual([
      { resize: { method: 'thumb', width: 300, height: 100 } },
    ])
  })

  it('spells out the types of a picture, and only of a picture', () => {
    const defaults: Operations = { convert: { type: ['image/avif', 'image/webp'] } }
    const source = { type: 'image/jpeg' } as const
    expect(
      resolve('?w=200;400&as=picture', { defaults, source }).variants.map(({ width, format }) => [width, format]),
    ).toEqual([
      [200, 'avif'],
      [200, 'webp'],
      [200, 'jpeg'],
      [400, 'avif'],
      [400, 'webp'],
      [400, 'jpeg'],
    ])
    expect(operationsOf('?as=img', { defaults, source })).toEqual([defaults])
  })

  it('takes a source without a size', () => {
    const source = { type: 'image/svg+xml', width: 0, height: 0 } as const
    expect(resolve('?w=300', { source }).variants).toEqual([
      { width: 300, operations: { resize: { method: 'scale', width: 300 } } },
    ])
  })

  it.each([
    ['?widht=3', "Unknown directive 'widht'. Did you mean 'w'?"],
    ['?w=3&fromat=webp', "Unknown directive 'fromat'. Did you mean 'format'?"],
    ['?w=3&noAutoOrient', "Directive 'noAutoOrient' is not supported."],
    ['?fit=cover', "'fit=cover' needs a size. Add 'w', 'h' or 'aspect'."],
    ['?w=3&h=3&fit=cover&method=cover', "'fit=cover' and 'method=cover' each say how the image is cut."],
    ['?w=3&h=3&method=scale', "'method=scale' keeps the proportions, so 'w' and 'h' cannot both hold."],
    [
      '?w=3&original',
      "'?original' hands the file over as it is, so 'w' beside it can do nothing. Leave out 'original', or all else.",
    ],
    [
      '?w=3&h=4&raw',
      "'?raw' hands the file over as it is, so 'w', 'h' beside it can do nothing. Leave out 'raw', or all else.",
    ],
    [
      '?preset=hreo',
      "Expected the name of one of the plugin's presets for 'preset' but received 'hreo' of type string. Did you mean 'hero'?",
    ],
    ['?preset=hero;card', "Expected exactly one value for 'preset' but received 'hero;card' of type string."],
  ])('refuses %s and names the file', (query, message) => {
    expect(() => resolve(query, { presets: PRESETS })).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        file: 'src/hero.png',
        message: expect.stringContaining(message),
      }),
    )
  })

  it('says so when there are no presets', () => {
    expect(() => resolve('?preset=hero')).toThrow('The plugin has none.')
  })
})
