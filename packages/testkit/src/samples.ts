/**
 * A row for each option of a project and for each directive of an import, which all suites share. A new option or
 * directive does not compile before it has its row here.
 */
import type { Adjustments, Operations, ProjectOptions } from '@pixpress/core'
import type { PROJECT_OPTIONS } from '@pixpress/core/internal'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { Preset } from '../../unplugin/src/directives/presets.ts'
import { detect } from './decode.ts'
import { photo, transparentGraphic } from './images.ts'
import { photoInHdr } from './photo-in-hdr.ts'

const signed = async (): Promise<Buffer> =>
  sharp(await photo(80, 60).png())
    .withExif({ IFD0: { Copyright: 'Ada' } })
    .jpeg({ quality: 97 })
    .toBuffer()

/** The sources of the samples, 80 × 60 pixels or less. */
export const SAMPLE_IMAGES = {
  'photo.png': () => photo(80, 60).png(),
  'cutout.png': () => transparentGraphic(60, 60).png(),
  'signed.jpg': signed,
  'hdr.jpg': () => photoInHdr(80, 60),
  'drawing.svg': async () =>
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><title>drawn</title><rect x="1" width="9.00000" height="9" fill="#000"/><rect x="20" width="9" height="9" fill="#000"/></svg>',
    ),
} as const satisfies Record<string, () => Promise<Buffer>>

type SampleImage = keyof typeof SAMPLE_IMAGES

const rectangles = (svg: Buffer): number => svg.toString().split('<rect').length - 1

/** A source, its result, and its result without the option. */
interface Comparison {
  readonly source: Buffer
  readonly made: Buffer
  readonly without: Buffer
}

/** The change that an operation makes to the result of an image. */
interface OperationEffect {
  readonly of: SampleImage
  /** Operations that both results have. Default: none. */
  readonly beside?: Operations
  shows(results: Comparison): boolean | Promise<boolean>
}

interface OptionSample<Value> {
  /** Two valid values with different meanings. */
  readonly valid: readonly [Value, Value]
  /** The value that the parser makes of the first. Default: the value itself. */
  readonly canonical?: unknown
  /** Refused with the code `INVALID_OPTION`. */
  readonly invalid: unknown
  /** Flags of the command with valid values and, where the flags alone can be wrong, with invalid ones. */
  readonly flags?: { readonly valid: readonly string[]; readonly invalid?: readonly string[] }
}

type OptionName = keyof typeof PROJECT_OPTIONS
type ValueOf<Name> = Name extends keyof ProjectOptions ? NonNullable<ProjectOptions[Name]> : unknown

/** The effect of any option that is no operation is tested in the session of the plugin. */
type OptionSamples = {
  readonly [Name in OptionName]: OptionSample<ValueOf<Name>> &
    (Name extends keyof Operations ? { readonly effect: OperationEffect } : object)
}

const webp = { convert: { type: 'image/webp' } } as const
const widthOf = async (data: Buffer): Promise<number> => (await sharp(data).metadata()).width
const pixelsOf = (data: Buffer): Promise<Buffer> => sharp(data).raw().toBuffer()

/** Each option of a project. */
export const OPTION_SAMPLES: OptionSamples = {
  resize: {
    valid: [
      { method: 'scale', width: 20 },
      { method: 'fit', width: 5, height: 5 },
    ],
    invalid: { method: 'fit', width: 5 },
    flags: { valid: ['--resize', 'fit', '--width=5', '--height=5'], invalid: ['--resize=fit', '--width=5'] },
    effect: { of: 'photo.png', shows: async ({ made }) => (await widthOf(made)) === 20 },
  },
  convert: {
    valid: [{ type: 'image/webp' }, 'auto'],
    canonical: { types: ['image/webp'], orInput: false },
    invalid: { type: 'image/wepb' },
    flags: { valid: ['--convert', 'webp'], invalid: ['--convert', 'wepb'] },
    effect: { of: 'photo.png', shows: ({ made }) => detect(made) === 'webp' },
  },
  transform: {
    valid: [{ background: '#ff0000' }, { background: 'white' }],
    canonical: '#ff0000',
    invalid: { background: 'rde' },
    flags: { valid: ['--background', 'white'], invalid: ['--background', 'rde'] },
    effect: {
      of: 'cutout.png',
      async shows({ made }) {
        const corner = await sharp(made)
          .ensureAlpha()
          .extract({ left: 0, top: 0, width: 1, height: 1 })
          .raw()
          .toBuffer()
        return corner.equals(Buffer.of(255, 0, 0, 255))
      },
    },
  },
  preserve: {
    valid: [['copyright'], ['copyright', 'location']],
    invalid: ['copyrigth'],
    flags: { valid: ['--preserve', 'copyright'], invalid: ['--preserve', 'copyrigth'] },
    effect: { of: 'signed.jpg', shows: ({ made, without }) => made.includes('Ada') && !without.includes('Ada') },
  },
  quality: {
    valid: [30, 'small'],
    invalid: 'smal',
    flags: { valid: ['-q', 'small'], invalid: ['-q', 'smal'] },
    effect: { of: 'photo.png', beside: webp, shows: ({ made, without }) => made.length < without.length * 0.8 },
  },
  maxBytes: {
    valid: [300, 5],
    invalid: 0,
    flags: { valid: ['--max-bytes', '5'], invalid: ['--max-bytes', '0'] },
    effect: { of: 'photo.png', beside: webp, shows: ({ made, without }) => made.length <= 300 && without.length > 300 },
  },
  effort: {
    valid: ['fast', 'max'],
    invalid: 'fats',
    flags: { valid: ['--effort', 'fast'], invalid: ['--effort', 'fats'] },
    effect: { of: 'photo.png', beside: webp, shows: ({ made, without }) => made.length > without.length },
  },
  encoder: {
    valid: [{ 'image/webp': { quality: 5 } }, { 'image/webp': { quality: 51 } }],
    canonical: { 'image/webp': { quality: 5, effort: 4, lossless: false } },
    invalid: { 'image/webp': { quality: 0 } },
    effect: { of: 'photo.png', beside: webp, shows: ({ made, without }) => made.length < without.length * 0.6 },
  },
  svgo: {
    valid: [{ plugins: ['removeTitle'], floatPrecision: 2 }, { floatPrecision: 3 }],
    invalid: { plugins: ['removeTitel'] },
    effect: {
      of: 'drawing.svg',
      shows: ({ made, without }) => without.includes('<title>') && !made.includes('<title>'),
    },
  },
  keepElements: {
    valid: [true, false],
    invalid: 'yes',
    effect: {
      of: 'drawing.svg',
      shows: ({ made, without }) => rectangles(made) === 2 && rectangles(without) === 0,
    },
  },
  lossless: {
    valid: [true, false],
    invalid: 'yes',
    flags: { valid: ['--lossless'], invalid: ['--lossless=yes'] },
    effect: {
      of: 'photo.png',
      beside: webp,
      async shows({ source, made, without }) {
        const pixels = await pixelsOf(source)
        return pixels.equals(await pixelsOf(made)) && !pixels.equals(await pixelsOf(without))
      },
    },
  },
  gainMap: {
    valid: [false, true],
    invalid: 'keep',
    flags: { valid: ['--no-gain-map'], invalid: ['--no-gain-map=yes'] },
    effect: {
      of: 'hdr.jpg',
      async shows({ made, without }) {
        const [dropped, kept] = await Promise.all([made, without].map((data) => sharp(data).metadata()))
        return dropped!.gainMap === undefined && kept!.gainMap !== undefined
      },
    },
  },
  maxWidth: {
    valid: [20, 1600],
    invalid: 0,
    flags: { valid: ['--max-width', '1200'], invalid: ['--max-width', 'wide'] },
    effect: { of: 'photo.png', shows: async ({ made }) => (await widthOf(made)) === 20 },
  },
  adjust: {
    valid: [{ grayscale: true }, { rotate: 90, tint: 'teal' }],
    invalid: { rotate: '90' },
    flags: { valid: ['--rotate', '90', '--blur', 'mild'], invalid: ['--rotate', 'left'] },
    effect: {
      of: 'photo.png',
      async shows({ made }) {
        const { dominant, channels } = await sharp(made).toColourspace('srgb').stats()
        const means = channels.slice(0, 3).map(({ mean }) => mean)
        return dominant.r === dominant.g && Math.max(...means) - Math.min(...means) < 1
      },
    },
  },
  root: { valid: ['src', 'site'], invalid: 5 },
  include: { valid: ['**/*.png', '**/*.jpg'], invalid: 5 },
  exclude: { valid: [['**/*.png'], ['**/*.jpg']], invalid: [''] },
  overrides: {
    valid: [[{ include: '**/*.png', lossless: true }], [{ include: '**/*.jpg', lossless: true }]],
    invalid: [{ lossless: true }],
  },
  convertIcons: { valid: [true, false], invalid: 'yes' },
  presets: { valid: [{ hero: { w: 5 } }, { hero: { w: 6 } }], invalid: 'hero' },
  defaultDirectives: { valid: [{ format: 'webp' }, { format: 'avif' }], invalid: 'format=webp' },
  outputs: { valid: [{ one: () => 1 }, { one: () => 2 }], invalid: 'list' },
  namedExports: { valid: [false, true], invalid: 'no' },
  compat: { valid: ['imagetools', false], invalid: 'imagetool' },
  lqip: { valid: ['thumbhash', 'color'], invalid: 'sqip' },
  types: { valid: ['src/pixpress.d.ts', 'pixpress.d.ts'], invalid: '' },
  remoteImages: {
    valid: [['https://images.example.com/photos/**'], ['https://images.example.com/icons/**']],
    invalid: ['images.example.com'],
  },
  publicDir: { valid: [false, true], invalid: 'public' },
  firstBuild: { valid: ['5s', 2000], canonical: 5000, invalid: '5 apples' },
  cache: {
    valid: [{ dir: 'cache', maxSize: 5 }, { dir: 'cache' }],
    invalid: { dir: '' },
    flags: { valid: ['--cache-dir', 'cache'], invalid: ['--cache-dir='] },
  },
  lock: { valid: ['images.lock', 'other.lock'], invalid: '' },
  report: {
    valid: [{ json: 'report.json', html: 'report.html' }, { json: 'other.json' }],
    invalid: 'report.json',
    flags: { valid: ['--html', 'report.html'], invalid: ['--html='] },
  },
  budgets: {
    valid: [[{ include: '**/*.png', image: '200 kB', growth: '5%' }], [{ total: '1 kB' }]],
    invalid: [{ image: '200 apples' }],
  },
  onError: { valid: ['error', 'warn'], invalid: 'fail' },
  concurrency: { valid: [2, 1], invalid: 0, flags: { valid: ['-j', '2'], invalid: ['-j', '0'] } },
  limits: { valid: [{ maxFrames: 5 }, { maxFrames: 6 }], invalid: { maxFrames: 0 } },
  engine: {
    valid: [
      { endpoint: 'https://images.example.com', key: 'k' },
      { endpoint: 'https://images.example.com', key: 'l' },
    ],
    invalid: 'remote',
    flags: {
      valid: ['--engine', 'https://images.example.com', '--key', 'k'],
      invalid: ['--engine', 'http://images.example.com', '--key', 'k'],
    },
  },
  store: {
    valid: [
      { service: 'gcs', gcp_access_token: 'a', path: 'bucket/folder' },
      { service: 'gcs', gcp_access_token: 'b', path: 'bucket/folder' },
    ],
    invalid: 'bucket/folder',
    // The configuration says where.
    flags: { valid: ['--store'] },
  },
  publicPath: { valid: ['/static/', '/'], invalid: 5 },
}

interface DirectiveSample {
  /** The source of the import. Default `photo.png`. */
  readonly of?: SampleImage
  /** A query with the directive and with what it needs. */
  readonly query: string
  /** The same without the directive, which gives something else. */
  readonly without: string
  /** The operations of each image that the query asks for. */
  readonly operations: readonly Operations[]
  /** A query whose directive is refused with the code `INVALID_OPTION`. */
  readonly invalid: string
}

type AdjustmentWord = Exclude<keyof Adjustments, 'background'>
/** Makes the pixels of an adjustment with sharp alone. */
type BySharp = { bySharp(image: Sharp): Sharp }

type DirectiveSamples = {
  readonly [Word in keyof Preset | 'preset']-?: DirectiveSample & (Word extends AdjustmentWord ? BySharp : object)
}

const scaled = { resize: { method: 'scale', width: 30 } } as const
const asWebp = { convert: { type: 'image/webp' } } as const
const cropped = { method: 'cover', width: 30, height: 30, position: [0.5, 0.5] } as const

/** The presets that the samples of directives are read with. */
export const SAMPLE_PRESETS = { tiny: { w: 20, format: 'webp' } } as const

/** Each directive of an import. */
export const DIRECTIVE_SAMPLES: DirectiveSamples = {
  w: { query: 'w=30', without: '', operations: [scaled], invalid: 'w=0' },
  h: { query: 'h=20', without: '', operations: [{ resize: { method: 'scale', height: 20 } }], invalid: 'h=auto' },
  fit: {
    query: 'w=30&h=30&fit=inside',
    without: 'w=30&h=30',
    operations: [{ resize: { method: 'fit', width: 30, height: 30 } }],
    invalid: 'fit=covr',
  },
  method: {
    query: 'w=30&h=30&method=thumb',
    without: 'w=30&h=30',
    operations: [{ resize: { method: 'thumb', width: 30, height: 30 } }],
    invalid: 'method=crop',
  },
  aspect: { query: 'w=30&aspect=1:1', without: 'w=30', operations: [{ resize: cropped }], invalid: 'aspect=16/9' },
  position: {
    query: 'w=30&h=30&position=left',
    without: 'w=30&h=30',
    operations: [{ resize: { ...cropped, position: 'left' } }],
    invalid: 'position=tpo',
  },
  kernel: {
    query: 'w=30&kernel=nearest',
    without: 'w=30',
    operations: [{ resize: { ...scaled.resize, kernel: 'nearest' } }],
    invalid: 'kernel=neerest',
  },
  allowUpscale: {
    query: 'w=160&allowUpscale',
    without: 'w=160',
    operations: [{ resize: { method: 'scale', width: 160, enlarge: true } }],
    invalid: 'allowUpscale=yes',
  },
  withoutReduction: {
    query: 'w=30&withoutReduction',
    without: 'w=30',
    operations: [{}],
    invalid: 'withoutReduction=yes',
  },
  flatten: {
    of: 'cutout.png',
    query: 'flatten',
    without: '',
    operations: [{ transform: { background: '#000000' } }],
    invalid: 'flatten=yes',
  },
  background: {
    of: 'cutout.png',
    query: 'background=f00',
    without: '',
    operations: [{ transform: { background: '#ff0000' } }],
    invalid: 'background=rde',
  },
  format: { query: 'format=webp', without: '', operations: [asWebp], invalid: 'format=wepb' },
  preset: {
    query: 'preset=tiny',
    without: '',
    operations: [{ resize: { method: 'scale', width: 20 }, ...asWebp }],
    invalid: 'preset=tyni',
  },
  as: { query: 'w=30&as=meta', without: 'w=30', operations: [scaled], invalid: 'as=picutre' },
  basePixels: {
    query: 'w=30&as=srcset&basePixels=30',
    without: 'w=30&as=srcset',
    operations: [scaled],
    invalid: 'basePixels=2x',
  },
  lqip: { query: 'w=30&as=img&lqip=color', without: 'w=30&as=img', operations: [scaled], invalid: 'lqip=thumbhsah' },
  rotate: {
    query: 'rotate=90',
    without: '',
    operations: [{ adjust: { rotate: 90 } }],
    invalid: 'rotate=left',
    bySharp: (image) => image.rotate(90),
  },
  flip: {
    query: 'flip',
    without: '',
    operations: [{ adjust: { flip: true } }],
    invalid: 'flip=yes',
    bySharp: (image) => image.flip(),
  },
  flop: {
    query: 'flop=true',
    without: '',
    operations: [{ adjust: { flop: true } }],
    invalid: 'flop=yes',
    bySharp: (image) => image.flop(),
  },
  tint: {
    query: 'tint=ffaa22',
    without: '',
    operations: [{ adjust: { tint: '#ffaa22' } }],
    invalid: 'tint=tael',
    bySharp: (image) => image.tint('#ffaa22'),
  },
  hue: {
    query: 'hue=90',
    without: '',
    operations: [{ adjust: { hue: 90 } }],
    invalid: 'hue=1.5',
    bySharp: (image) => image.modulate({ hue: 90 }),
  },
  saturation: {
    query: 'saturation=0.3',
    without: '',
    operations: [{ adjust: { saturation: 0.3 } }],
    invalid: 'saturation=-1',
    bySharp: (image) => image.modulate({ saturation: 0.3 }),
  },
  brightness: {
    query: 'brightness=1.4',
    without: '',
    operations: [{ adjust: { brightness: 1.4 } }],
    invalid: 'brightness=',
    bySharp: (image) => image.modulate({ brightness: 1.4 }),
  },
  blur: {
    query: 'blur=2',
    without: '',
    operations: [{ adjust: { blur: 2 } }],
    invalid: 'blur=0.1',
    bySharp: (image) => image.blur(2),
  },
  median: {
    query: 'median=3',
    without: '',
    operations: [{ adjust: { median: 3 } }],
    invalid: 'median=1.5',
    bySharp: (image) => image.median(3),
  },
  normalize: {
    query: 'normalize',
    without: '',
    operations: [{ adjust: { normalize: true } }],
    invalid: 'normalize=yes',
    bySharp: (image) => image.normalize(),
  },
  grayscale: {
    query: 'grayscale',
    without: '',
    operations: [{ adjust: { grayscale: true } }],
    invalid: 'grayscale=yes',
    bySharp: (image) => image.grayscale(),
  },
  invert: {
    query: 'invert',
    without: '',
    operations: [{ adjust: { invert: true } }],
    invalid: 'invert=yes',
    bySharp: (image) => image.negate(),
  },
  preserve: {
    of: 'signed.jpg',
    query: 'preserve=copyright',
    without: '',
    operations: [{ preserve: ['copyright'] }],
    invalid: 'preserve=copyrigth',
  },
  gainmap: {
    of: 'hdr.jpg',
    query: 'gainmap=false',
    without: '',
    operations: [{ gainMap: false }],
    invalid: 'gainmap=keep',
  },
  quality: {
    query: 'format=webp&quality=30',
    without: 'format=webp',
    operations: [{ ...asWebp, quality: 30 }],
    invalid: 'quality=smal',
  },
  maxBytes: {
    query: 'format=webp&maxBytes=300',
    without: 'format=webp',
    operations: [{ ...asWebp, maxBytes: 300 }],
    invalid: 'maxBytes=0',
  },
  effort: {
    query: 'format=webp&effort=fast',
    without: 'format=webp',
    operations: [{ ...asWebp, effort: 'fast' }],
    invalid: 'effort=fats',
  },
  lossless: {
    query: 'format=webp&lossless',
    without: 'format=webp',
    operations: [{ ...asWebp, lossless: true }],
    invalid: 'lossless=yes',
  },
}
