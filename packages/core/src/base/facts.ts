/**
 * Every fact of a format, in one row per format. Lists of types, extensions, filters, globs, directive words, accepted
 * uploads, types and documentation are made from these rows, so this file imports nothing. Code that works on pixels
 * and bytes is in the format's own folder.
 */

/**
 * In the order in which equal sizes are preferred: best compression first. Cache keys hold lists of types in this
 * order, so a new format belongs behind the others that can be written.
 */
export const FACTS = {
  avif: {
    type: 'image/avif',
    label: 'AVIF',
    extensions: ['avif'],
    aliases: [],
    content: { brands: ['avif', 'avis'] },
    alpha: true,
    animation: false,
    readable: true,
    compressed: true,
    writable: true,
    convertible: true,
    wildcard: true,
    lossy: true,
    browsers: 'most',
    metadata: ['copyright', 'creation', 'location'],
    effort: { seconds: 5.42, saving: 0.11 },
    // libaom holds several 10-bit copies of the picture.
    memory: { encode: 68, decode: 0 },
    settings: {
      quality: {
        kind: 'whole',
        least: 1,
        most: 100,
        default: 50,
        doc: "libaom's quality; a higher one takes more bytes.",
      },
      effort: { kind: 'whole', least: 0, most: 9, default: 3, doc: "libaom's effort, from fastest to smallest." },
      chromaSubsampling: {
        kind: 'choice',
        values: ['4:2:0', '4:4:4'],
        default: '4:4:4',
        doc: 'Resolution of the colours: halved in both directions, or full.',
      },
      lossless: {
        kind: 'flag',
        default: false,
        doc: 'Keeps every pixel as it is, with 8 bits per channel instead of 10.',
      },
    },
  },
  jxl: {
    type: 'image/jxl',
    label: 'JPEG XL',
    extensions: ['jxl'],
    aliases: [],
    content: {
      signatures: [[[0, [0xff, 0x0a]]], [[0, [0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a]]]],
    },
    alpha: true,
    animation: false,
    readable: true,
    compressed: true,
    writable: true,
    convertible: true,
    // Few browsers show it, so it has to be named.
    wildcard: false,
    lossy: true,
    browsers: 'few',
    metadata: ['copyright', 'creation', 'location'],
    // Encoder and decoder have a WebAssembly memory each, which they hold until the image is done.
    memory: { encode: 135, decode: 84 },
    settings: {
      quality: {
        kind: 'whole',
        least: 1,
        most: 99,
        default: 80,
        doc: "libjxl's quality; a higher one takes more bytes.",
      },
      effort: { kind: 'whole', least: 1, most: 9, default: 7, doc: "libjxl's effort, from fastest to smallest." },
      lossless: { kind: 'flag', default: false, doc: 'Keeps every pixel as it is.' },
    },
  },
  webp: {
    type: 'image/webp',
    label: 'WebP',
    extensions: ['webp'],
    aliases: [],
    content: {
      signatures: [
        [
          [0, 'RIFF'],
          [8, 'WEBP'],
        ],
      ],
    },
    alpha: true,
    animation: true,
    readable: true,
    compressed: true,
    writable: true,
    convertible: true,
    wildcard: true,
    lossy: true,
    browsers: 'current',
    metadata: ['copyright', 'creation', 'location'],
    effort: { seconds: 2.46, saving: 0.14 },
    memory: { encode: 0, decode: 0 },
    settings: {
      quality: {
        kind: 'whole',
        least: 1,
        most: 100,
        default: 80,
        doc: "libwebp's quality; a higher one takes more bytes.",
      },
      effort: { kind: 'whole', least: 0, most: 6, default: 4, doc: "libwebp's effort, from fastest to smallest." },
      lossless: { kind: 'flag', default: false, doc: 'Keeps every pixel as it is.' },
    },
  },
  jpeg: {
    type: 'image/jpeg',
    label: 'JPEG',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif', 'pjpeg', 'pjp'],
    aliases: ['image/jpg', 'image/pjpeg'],
    content: { signatures: [[[0, [0xff, 0xd8, 0xff]]]] },
    alpha: false,
    animation: false,
    readable: true,
    compressed: true,
    writable: true,
    convertible: true,
    wildcard: true,
    lossy: true,
    browsers: 'all',
    metadata: ['copyright', 'creation', 'location'],
    effort: { seconds: 2.13, saving: 0.07 },
    memory: { encode: 0, decode: 0 },
    settings: {
      quality: {
        kind: 'whole',
        least: 1,
        most: 100,
        default: 80,
        doc: "mozjpeg's quality; a higher one takes more bytes.",
      },
      chromaSubsampling: {
        kind: 'choice',
        values: ['4:2:0', '4:4:4'],
        default: '4:2:0',
        doc: 'Resolution of the colours: halved in both directions, or full.',
      },
      progressive: {
        kind: 'flag',
        default: true,
        doc: 'Stores the picture in several scans, which is smaller and shows early.',
      },
    },
  },
  png: {
    type: 'image/png',
    label: 'PNG',
    extensions: ['png', 'apng'],
    aliases: ['image/apng'],
    content: { signatures: [[[0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]]]] },
    alpha: true,
    animation: true,
    readable: true,
    compressed: true,
    writable: true,
    convertible: true,
    wildcard: true,
    lossy: true,
    browsers: 'all',
    metadata: ['copyright', 'creation'],
    effort: { seconds: 4.68, saving: 0.05 },
    memory: { encode: 0, decode: 0 },
    settings: {
      colours: { kind: 'whole', least: 2, most: 256, doc: 'Colours of the palette; lossless where it is not given.' },
      dither: { kind: 'share', default: 1, doc: 'Share of the error diffusion between the colours of the palette.' },
    },
  },
  gif: {
    type: 'image/gif',
    label: 'GIF',
    extensions: ['gif'],
    aliases: [],
    content: { signatures: [[[0, 'GIF87a']], [[0, 'GIF89a']]] },
    alpha: true,
    animation: true,
    readable: true,
    compressed: true,
    writable: false,
    convertible: true,
    wildcard: false,
    lossy: true,
    browsers: 'all',
    metadata: [],
    memory: { encode: 0, decode: 0 },
    settings: {},
  },
  svg: {
    type: 'image/svg+xml',
    label: 'SVG',
    extensions: ['svg'],
    aliases: [],
    content: { rootElement: 'svg' },
    alpha: true,
    animation: false,
    readable: true,
    compressed: true,
    writable: false,
    // It stays a vector image.
    convertible: false,
    wildcard: false,
    lossy: false,
    browsers: 'all',
    metadata: [],
    memory: { encode: 0, decode: 0 },
    settings: {},
  },
  tiff: {
    type: 'image/tiff',
    label: 'TIFF',
    extensions: ['tif', 'tiff'],
    aliases: ['image/tif', 'image/x-tiff'],
    // The second number is 42 in a TIFF, and 43 in a BigTIFF.
    content: {
      signatures: [
        [[0, [0x49, 0x49, 0x2a, 0]]],
        [[0, [0x4d, 0x4d, 0, 0x2a]]],
        [[0, [0x49, 0x49, 0x2b, 0]]],
        [[0, [0x4d, 0x4d, 0, 0x2b]]],
      ],
    },
    alpha: true,
    animation: false,
    readable: true,
    compressed: false,
    writable: false,
    convertible: true,
    wildcard: false,
    lossy: false,
    // Only Safari shows it.
    browsers: 'few',
    metadata: [],
    memory: { encode: 0, decode: 0 },
    settings: {},
  },
  bmp: {
    type: 'image/bmp',
    label: 'BMP',
    extensions: ['bmp', 'dib'],
    aliases: ['image/x-bmp', 'image/x-ms-bmp'],
    // The length of the second header is a small number of four bytes.
    content: {
      signatures: [
        [
          [0, 'BM'],
          [15, [0, 0, 0]],
        ],
      ],
    },
    alpha: true,
    animation: false,
    readable: true,
    compressed: false,
    writable: false,
    convertible: true,
    wildcard: false,
    lossy: false,
    browsers: 'all',
    // Its decoder gives all pixels with alpha at once.
    metadata: [],
    memory: { encode: 0, decode: 4 },
    settings: {},
  },
} as const

/** The rows of `FACTS`, with their literal values. */
export type Facts = typeof FACTS

/** The short name of a format, and its word in directives. */
export type FormatName = keyof Facts

/** A MIME type that the engine recognises by content. */
export type InputType = Facts[FormatName]['type']

/** A format that the engine can write. */
export type WritableName = {
  [Name in FormatName]: Facts[Name]['writable'] extends true ? Name : never
}[FormatName]

/** A MIME type that the engine can write. */
export type ImageType = Facts[WritableName]['type']
