/**
 * The words of a directive query, in one file without imports: parsing, messages, types and docs share these lists. The
 * language is imagetools' (https://github.com/JonasKruckenberg/imagetools/blob/main/docs/directives.md), cut to what
 * compresses, resizes and converts.
 */

/** Directives of which every alternative multiplies the images: `w=200;400&format=avif;webp` asks for four. */
export const PRODUCT_DIRECTIVES = [
  'w',
  'h',
  'fit',
  'method',
  'background',
  'format',
  'quality',
  'maxBytes',
  'effort',
] as const

/** Every directive. Those that are not in `PRODUCT_DIRECTIVES` take one value for the whole import. */
export const DIRECTIVES = [
  'w',
  'h',
  'fit',
  'method',
  'background',
  'format',
  'quality',
  'maxBytes',
  'effort',
  'preserve',
  'preset',
  'as',
  'basePixels',
] as const

/** Words of a query that take no value: Vite's own four, and `original`, the untouched bytes. */
export const FLAGS = ['raw', 'url', 'inline', 'no-inline', 'original'] as const

/** Values of `fit`: the ones of imagetools that keep the picture's proportions and add nothing to it. */
export const FITS = ['cover', 'inside', 'outside'] as const

/** The other values of imagetools' `fit`, and what to write instead. */
export const REFUSED_FITS: Readonly<Record<string, string>> = {
  contain: "'contain' pads the image; 'inside' gives the same size without padding.",
  fill: "'fill' distorts the image; 'cover' gives the same size by cropping.",
}

/** Values of `format`. `original` keeps the source's type; `auto` takes the smallest of AVIF, WebP, JPEG and PNG. */
export const FORMATS = ['avif', 'jxl', 'webp', 'jpeg', 'png', 'original', 'auto'] as const

/** Other spellings of a format. */
export const FORMAT_ALIASES: Readonly<Record<string, Format>> = { jpg: 'jpeg' }

/** Values of `as`. */
export const OUTPUTS = ['url', 'srcset', 'img', 'picture', 'metadata', 'meta'] as const

/** What `as=metadata` gives, in the order in which it is given. */
export const METADATA_KEYS = ['format', 'size', 'width', 'height', 'hasAlpha', 'src'] as const

/** Directives of imagetools that are not supported, and what takes their place, where something does. */
export const UNSUPPORTED_DIRECTIVES: Readonly<Record<string, string>> = {
  allowUpscale: 'Nothing is ever scaled up.',
  aspect: "Give both 'w' and 'h'.",
  autoOrient: 'Images are always turned upright.',
  blur: '',
  brightness: '',
  flatten: "Give a 'background'.",
  flip: '',
  flop: '',
  grayscale: '',
  hue: '',
  invert: '',
  kernel: '',
  lossless: "The encoders' settings follow from 'quality'.",
  median: '',
  normalize: '',
  position: "The most important part is kept; see 'fit=cover' and 'method=thumb'.",
  progressive: "The encoders' settings follow from 'quality'.",
  rotate: '',
  saturation: '',
  tint: '',
  withoutEnlargement: 'Nothing is ever scaled up.',
  withoutReduction: '',
}

/** Words that people write for a directive, for suggestions only. */
export const MISTAKEN_NAMES: Readonly<Record<string, Directive>> = {
  width: 'w',
  height: 'h',
  fmt: 'format',
  type: 'format',
  bg: 'background',
  q: 'quality',
}

/** Parameters that bundlers and dev servers add to a module's id for themselves. */
export const BUNDLER_PARAMETERS = [
  'direct',
  'html-inline-proxy',
  'html-proxy',
  'import',
  'index',
  'inline-css',
  'style-attr',
  't',
  'used',
  'v',
  'vue',
] as const

/** What such parameters begin with when they are made up on the way. */
export const BUNDLER_PREFIXES = ['__', 'commonjs-'] as const

/** Marks of plugins that speak the same directives on their own account; a query with one of them is left to them. */
export const FOREIGN_MARKS = ['enhanced', 'astroContentImageFlag'] as const

export type Directive = (typeof DIRECTIVES)[number]
export type ProductDirective = (typeof PRODUCT_DIRECTIVES)[number]
export type Fit = (typeof FITS)[number]
export type Format = (typeof FORMATS)[number]
export type OutputName = (typeof OUTPUTS)[number]
export type MetadataKey = (typeof METADATA_KEYS)[number]
