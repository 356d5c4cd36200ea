import { DIRECTIVE_SAMPLES } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { parseDirectives } from '../../src/directives/parse.ts'
import { parseQuery } from '../../src/directives/query.ts'

/** Forms of values by their directive: queries with what they come to, and with the message that refuses them. */
const TABLE: Record<string, { right: [string, object][]; wrong: [string, string][] }> = {
  w: {
    right: [
      ['w=300', { w: [300] }],
      ['w=300;600', { w: [300, 600] }],
      ['w=300;300', { w: [300] }],
      ['w=auto;1600', { w: ['auto', 1600] }],
    ],
    wrong: [
      ['w=', "Expected a whole number of at least 1, or 'auto', for 'w' but received '' of type string."],
      ['w=0', "Expected a whole number of at least 1, or 'auto', for 'w' but received '0' of type string."],
      ['w=1.5', "Expected a whole number of at least 1, or 'auto', for 'w' but received '1.5' of type string."],
      ['w=-3', "Expected a whole number of at least 1, or 'auto', for 'w' but received '-3' of type string."],
      ['w=300px', "Expected a whole number of at least 1, or 'auto', for 'w' but received '300px' of type string."],
      ['w=300,600', "Several values of 'w' are separated by ';', and here a ',' stands: write 'w=300;600'."],
    ],
  },
  h: {
    right: [['h=100;200', { h: [100, 200] }]],
    wrong: [['h=auto', "Expected a whole number of at least 1 for 'h' but received 'auto' of type string."]],
  },
  fit: {
    right: [['fit=cover;contain;fill;inside;outside', { fit: ['cover', 'contain', 'fill', 'inside', 'outside'] }]],
    wrong: [
      [
        'fit=covr',
        "Expected 'cover', 'contain', 'fill', 'inside' or 'outside' for 'fit' but received 'covr' of type string. Did you mean 'cover'?",
      ],
    ],
  },
  method: {
    right: [['method=scale;fit;cover;thumb', { method: ['scale', 'fit', 'cover', 'thumb'] }]],
    wrong: [
      [
        'method=crop',
        "Expected 'scale', 'fit', 'cover', 'thumb', 'contain' or 'fill' for 'method' but received 'crop' of type string.",
      ],
    ],
  },
  background: {
    right: [
      ['background=white;black', { background: ['#ffffff', '#000000'] }],
      ['background=%23FFcc00', { background: ['#ffcc00'] }],
      ['background=#ffcc00', { background: ['#ffcc00'] }],
      ['background=ffcc00', { background: ['#ffcc00'] }],
    ],
    wrong: [
      [
        'background=rde',
        "Expected a colour of CSS ('#rrggbb', 'rgb(0 0 0)', 'hsl(0 0% 0%)' or a name) for 'background' but received 'rde' of type string. Did you mean 'red'?",
      ],
    ],
  },
  position: {
    right: [['position=top;0.3,0.6;attention', { position: ['top', [0.3, 0.6], 'attention'] }]],
    wrong: [
      [
        'position=tpo',
        "Expected a point '0.3,0.6', a side such as 'top' or 'left bottom', 'entropy' or 'attention' for 'position' but received 'tpo' of type string. Did you mean 'top'?",
      ],
    ],
  },
  aspect: {
    right: [
      ['aspect=16:9', { aspect: ['16:9'] }],
      ['aspect=1.5;2', { aspect: ['1.5', '2'] }],
    ],
    wrong: [
      [
        'aspect=16/9',
        "Expected an aspect ratio such as '16:9' or 1.5 for 'aspect' but received '16/9' of type string.",
      ],
    ],
  },
  kernel: {
    right: [['kernel=nearest', { kernel: ['nearest'] }]],
    wrong: [
      [
        'kernel=neerest',
        "Expected 'nearest', 'linear', 'cubic', 'mitchell', 'lanczos2' or 'lanczos3' for 'kernel' but received 'neerest' of type string. Did you mean 'nearest'?",
      ],
    ],
  },
  ...Object.fromEntries(
    ['allowUpscale', 'withoutReduction', 'flatten'].map((word) => [
      word,
      {
        right: [
          [word, { [word]: [true] }],
          [`${word}=false`, { [word]: [false] }],
        ],
        wrong: [
          [`${word}=yes`, `Expected nothing, 'true' or 'false' for '${word}' but received 'yes' of type string.`],
        ],
      },
    ]),
  ),
  ...Object.fromEntries(
    ['flip', 'flop', 'normalize', 'grayscale', 'invert'].map((word) => [
      word,
      {
        right: [
          [word, { [word]: [true] }],
          [`${word}=true;false`, { [word]: [true, false] }],
        ],
        wrong: [[`${word}=yes`, `Expected true or false for '${word}' but received 'yes' of type string.`]],
      },
    ]),
  ),
  rotate: {
    right: [['rotate=90;-30', { rotate: [90, -30] }]],
    wrong: [['rotate=left', "Expected a number from -3600 to 3600 for 'rotate' but received 'left' of type string."]],
  },
  tint: {
    right: [['tint=ffaa22;teal;rgba(10,33,127)', { tint: ['#ffaa22', '#008080', '#0a217f'] }]],
    wrong: [
      [
        'tint=tael',
        "Expected a colour of CSS ('#rrggbb', 'rgb(0 0 0)', 'hsl(0 0% 0%)' or a name) for 'tint' but received 'tael' of type string. Did you mean 'teal'?",
      ],
    ],
  },
  hue: {
    right: [['hue=90', { hue: [90] }]],
    wrong: [['hue=1.5', "Expected a whole number from -3600 to 3600 for 'hue' but received 1.5 of type number."]],
  },
  saturation: {
    right: [['saturation=0.5', { saturation: [0.5] }]],
    wrong: [['saturation=-1', "Expected a number from 0 to 1000 for 'saturation' but received -1 of type number."]],
  },
  brightness: {
    right: [['brightness=1.2', { brightness: [1.2] }]],
    wrong: [['brightness=', "Expected a number from 0 to 1000 for 'brightness' but received '' of type string."]],
  },
  blur: {
    right: [
      ['blur', { blur: [true] }],
      ['blur=0.75;100', { blur: [0.75, 100] }],
    ],
    wrong: [['blur=0.1', "Expected a number from 0.3 to 1000 for 'blur' but received 0.1 of type number."]],
  },
  median: {
    right: [
      ['median', { median: [true] }],
      ['median=5', { median: [5] }],
    ],
    wrong: [['median=1.5', "Expected a whole number from 1 to 1000 for 'median' but received 1.5 of type number."]],
  },
  format: {
    right: [
      [
        'format=avif;jxl;webp;jpeg;png;original;auto',
        { format: ['avif', 'jxl', 'webp', 'jpeg', 'png', 'original', 'auto'] },
      ],
      ['format=jpg', { format: ['jpeg'] }],
      ['format=jpg;jpeg', { format: ['jpeg'] }],
    ],
    wrong: [
      [
        'format=wepb',
        "Expected 'avif', 'jxl', 'webp', 'jpeg', 'png', 'original' or 'auto' for 'format' but received 'wepb' of type string. Did you mean 'webp'?",
      ],
      [
        'format=tiff',
        "Expected 'avif', 'jxl', 'webp', 'jpeg', 'png', 'original' or 'auto' for 'format' but received 'tiff' of type string. Only Safari shows TIFF: 'png' holds the same pixels.",
      ],
      [
        'format=constructor',
        "Expected 'avif', 'jxl', 'webp', 'jpeg', 'png', 'original' or 'auto' for 'format' but received 'constructor' of type string.",
      ],
    ],
  },
  quality: {
    right: [
      ['quality=high;balanced;small', { quality: ['high', 'balanced', 'small'] }],
      ['quality=1;72.5;100', { quality: [1, 72.5, 100] }],
    ],
    wrong: [
      [
        'quality=0',
        "Expected 'high', 'balanced' or 'small', or a score from 1 to 100 for 'quality' but received '0' of type string.",
      ],
      [
        'quality=101',
        "Expected 'high', 'balanced' or 'small', or a score from 1 to 100 for 'quality' but received '101' of type string.",
      ],
      [
        'quality=hihg',
        "Expected 'high', 'balanced' or 'small', or a score from 1 to 100 for 'quality' but received 'hihg' of type string. Did you mean 'high'?",
      ],
    ],
  },
  maxBytes: {
    right: [
      ['maxBytes=20000', { maxBytes: [20_000] }],
      ['maxBytes=20kB', { maxBytes: [20_000] }],
      ['maxBytes=1.5MiB', { maxBytes: [1_572_864] }],
    ],
    wrong: [
      [
        'maxBytes=20k',
        "Expected a size of at least 1 byte, such as '300kB' or '20MiB' for 'maxBytes' but received '20k' of type string.",
      ],
    ],
  },
  gainmap: {
    right: [
      ['gainmap', { gainmap: [true] }],
      ['gainmap=false', { gainmap: [false] }],
    ],
    wrong: [['gainmap=keep', "Expected true or false for 'gainmap' but received 'keep' of type string."]],
  },
  lossless: {
    right: [
      ['lossless', { lossless: [true] }],
      ['lossless=false', { lossless: [false] }],
    ],
    wrong: [['lossless=yes', "Expected true or false for 'lossless' but received 'yes' of type string."]],
  },
  effort: {
    right: [['effort=max', { effort: ['max'] }]],
    wrong: [
      [
        'effort=fats',
        "Expected 'fast', 'default' or 'max' for 'effort' but received 'fats' of type string. Did you mean 'fast'?",
      ],
    ],
  },
  preserve: {
    right: [
      ['preserve=copyright', { operations: { preserve: ['copyright'] } }],
      ['preserve=location,copyright', { operations: { preserve: ['copyright', 'location'] } }],
      ['preserve=creation, creation', { operations: { preserve: ['creation'] } }],
      ['preserve=none', { operations: { preserve: [] } }],
    ],
    wrong: [
      [
        'preserve=copyright;location',
        "Expected one list separated by commas for 'preserve' but received 'copyright;location' of type string. Write 'preserve=copyright,location'.",
      ],
      [
        'preserve=copyright&preserve=location',
        "Expected one list separated by commas for 'preserve' but received 'copyright;location' of type string. Write 'preserve=copyright,location'.",
      ],
      [
        'preserve=',
        "Expected 'copyright', 'creation', 'location' or 'provenance' for 'preserve' but received '' of type string.",
      ],
      [
        'preserve=copyrigth',
        "Expected 'copyright', 'creation', 'location' or 'provenance' for 'preserve' but received 'copyrigth' of type string. Did you mean 'copyright'?",
      ],
    ],
  },
  as: {
    right: [
      ['as=url', { shape: { as: 'url' } }],
      ['as=srcset', { shape: { as: 'srcset' } }],
      ['as=img', { shape: { as: 'img' } }],
      ['as=picture', { shape: { as: 'picture' } }],
      ['as=metadata', { shape: { as: 'metadata' } }],
      ['as=meta', { shape: { as: 'metadata' } }],
      ['as=meta:src;height', { shape: { as: 'metadata', keys: ['height', 'src'] } }],
      ['as=metadata:size', { shape: { as: 'metadata', keys: ['size'] } }],
    ],
    wrong: [
      [
        'as=picutre',
        "Expected 'url', 'srcset', 'img', 'picture', 'metadata' or 'meta' for 'as' but received 'picutre' of type string. Did you mean 'picture'?",
      ],
      ['as=img;picture', "Expected exactly one value for 'as' but received 'img;picture' of type string."],
      ['as=img&as=picture', "Expected exactly one value for 'as' but received 'img;picture' of type string."],
      ['as=img:src', "Expected 'img' without a list of keys for 'as' but received 'img:src' of type string."],
      [
        'as=meta:',
        "Expected 'format', 'size', 'width', 'height', 'space', 'channels', 'depth', 'density', 'chromaSubsampling', 'hasProfile', 'isProgressive', 'hasAlpha' or 'src' for 'as' but received '' of type string.",
      ],
      [
        'as=meta:widht',
        "Expected 'format', 'size', 'width', 'height', 'space', 'channels', 'depth', 'density', 'chromaSubsampling', 'hasProfile', 'isProgressive', 'hasAlpha' or 'src' for 'as' but received 'widht' of type string. Did you mean 'width'?",
      ],
    ],
  },
  basePixels: {
    right: [
      ['basePixels=200', { basePixels: 200 }],
      ['basePixels=0', { basePixels: 0 }],
    ],
    wrong: [
      ['basePixels=2x', "Expected a whole number of pixels for 'basePixels' but received '2x' of type string."],
      ['basePixels=200;400', "Expected exactly one value for 'basePixels' but received '200;400' of type string."],
    ],
  },
  lqip: {
    right: [
      ['lqip=thumbhash', { lqip: 'thumbhash' }],
      ['lqip=none', { lqip: 'none' }],
      ['lqip=false', { lqip: 'none' }],
    ],
    wrong: [
      [
        'lqip=thumbhsah',
        "Expected 'thumbhash', 'blurhash', 'blur', 'color' or 'none' for 'lqip' but received 'thumbhsah' of type string. Did you mean 'thumbhash'?",
      ],
      ['lqip=blur;color', "Expected exactly one value for 'lqip' but received 'blur;color' of type string."],
    ],
  },
}

const SINGLE = new Set(['preserve', 'as', 'basePixels', 'lqip'])
const rows = Object.entries(TABLE)

const read = (text: string): unknown => parseDirectives(parseQuery(text).directives)

describe('parseDirectives', () => {
  // A preset is looked up before its directives are read.
  it.each(Object.entries(DIRECTIVE_SAMPLES).filter(([name]) => name !== 'preset'))(
    'reads %s, and refuses a wrong value',
    (_, { query, invalid }) => {
      expect(() => read(query)).not.toThrow()
      expect(() => read(invalid)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    },
  )

  it.each(rows.flatMap(([name, { right }]) => right.map(([query, value]) => [query, name, value] as const)))(
    'reads %s',
    (query, name, value) => {
      const { alternatives, ...single } = parseDirectives(parseQuery(query).directives)
      expect(SINGLE.has(name) ? single : alternatives).toEqual(value)
      expect(SINGLE.has(name) ? alternatives : single).toEqual({})
    },
  )

  it.each(rows.flatMap(([, { wrong }]) => wrong))('refuses %s', (query, message) => {
    const parse = (): unknown => parseDirectives(parseQuery(query).directives)
    expect(parse).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message }))
  })

  it('keeps the order of the product', () => {
    const { alternatives } = parseDirectives(parseQuery('?quality=50&h=1&format=webp&w=2').directives)
    expect(Object.keys(alternatives)).toEqual(['quality', 'h', 'format', 'w'])
  })

  it('names the option that holds the directive', () => {
    const directives = new Map([['w', ['x']]])
    expect(() => parseDirectives(directives, 'presets.hero')).toThrow("for 'presets.hero.w' but received 'x'")
  })

  it('refuses an unknown directive', () => {
    expect(() => parseDirectives(new Map([['fromat', ['webp']]]))).toThrow(
      "Unknown directive 'fromat'. Did you mean 'format'?",
    )
  })

  it.each(['withoutEnlargement', 'autoOrient', 'progressive'])('takes %s, which has no effect', (name) => {
    expect(parseDirectives(parseQuery(`?w=3&${name}`).directives)).toEqual({ alternatives: { w: [3] } })
    expect(parseDirectives(parseQuery(`?${name}=true`).directives)).toEqual({ alternatives: {} })
    expect(() => parseDirectives(parseQuery(`?${name}=5`).directives)).toThrow(
      `Expected nothing, 'true' or 'false' for '${name}' but received '5'`,
    )
  })

  it('takes no for an answer where nothing is lost by it', () => {
    for (const name of ['withoutEnlargement', 'progressive'])
      expect(parseDirectives(parseQuery(`?${name}=false`).directives)).toEqual({ alternatives: {} })
    expect(() => parseDirectives(parseQuery('?autoOrient=false').directives)).toThrow('is always shown upright')
  })

  it('names ; to a comma only where its parts are values', () => {
    expect(() => read('?format=avif,webp&w=3')).toThrow("write 'format=avif;webp'")
    expect(() => read('?w=300,wide')).toThrow("but received '300,wide'")
    expect(() => read('?position=0.2,0.5&w=3&h=3')).not.toThrow()
  })
})
