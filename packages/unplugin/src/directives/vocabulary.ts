/**
 * The words of a directive query besides the directives themselves: parsing, messages, types and docs share these
 * lists.
 */
import { IMAGE_TYPES } from '@pixpress/core'
import { formatOf } from '@pixpress/core/internal'
import type { WritableName } from '@pixpress/core'

/** Words of a query that take no value: Vite's own four, and `original`, the untouched bytes. */
export const FLAGS = ['raw', 'url', 'inline', 'no-inline', 'original'] as const

/** The value of `w` that stands for widths by bytes. */
export const AUTO_WIDTH = 'auto'

/** Values of `fit`, imagetools' own. */
export const FITS = ['cover', 'contain', 'fill', 'inside', 'outside'] as const

/** Values of `format`. `original` keeps the source's type; `auto` takes the smallest of AVIF, WebP, JPEG and PNG. */
export const FORMATS: readonly Format[] = [...(IMAGE_TYPES.map(formatOf) as WritableName[]), 'original', 'auto']

/** Values of `as`. */
export const OUTPUTS = ['url', 'srcset', 'img', 'picture', 'metadata', 'meta'] as const

/** Holds what `as=metadata` gives, in the order in which it is given. */
export const METADATA_KEYS = [
  'format',
  'size',
  'width',
  'height',
  'space',
  'channels',
  'depth',
  'density',
  'chromaSubsampling',
  'hasProfile',
  'isProgressive',
  'hasAlpha',
  'src',
] as const

/** Those that are known before an image is made. */
export const EARLY_KEYS: readonly MetadataKey[] = ['format', 'width', 'height', 'hasAlpha', 'src']

/** Values of imagetools' `format` that are refused, and why. */
export const REFUSED_FORMATS: Readonly<Record<string, string>> = {
  gif: "GIF holds 256 colours and takes more bytes than any other format: 'webp' holds animations, 'png' few colours.",
  tiff: "Only Safari shows TIFF: 'png' holds the same pixels.",
  tif: "Only Safari shows TIFF: 'png' holds the same pixels.",
  heif: "No browser but Safari shows HEIF: what imagetools writes for it is AVIF in another file, which is 'avif'.",
  heic: "No browser but Safari shows HEIC: 'avif' is the same container with an open codec.",
}

/** Values of `as` that may stand without it, also as the only word of a query. */
export const SHAPE_WORDS = ['srcset', 'picture', 'metadata', 'meta'] as const

/**
 * Directives of imagetools that ask for what is decided for every image: taken, also as `false`, without any effect,
 * which is what `withoutEnlargement` has there too.
 */
export const GIVEN_DIRECTIVES = ['autoOrient', 'progressive', 'withoutEnlargement'] as const

/** Directives of imagetools that are not supported, and what takes their place. */
export const UNSUPPORTED_DIRECTIVES: Readonly<Record<string, string>> = {
  noAutoOrient: 'A photo that its camera stored on its side is always shown upright, as browsers show it.',
}

/** Other words for a directive that can mean nothing else: they are taken. */
export const ALIASES: Readonly<Record<string, string>> = { width: 'w', height: 'h' }

/** Words that people write for a directive, for suggestions only. */
export const MISTAKEN_NAMES: Readonly<Record<string, string>> = {
  ...ALIASES,
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

/** Holds what such parameters begin with when they are made up on the way. */
export const BUNDLER_PREFIXES = ['__', 'commonjs-'] as const

/** Marks of plugins that speak the same directives on their own account; a query with one of them is left to them. */
export const FOREIGN_MARKS = ['enhanced', 'astroContentImageFlag'] as const

/** Directives that are another plugin's mark where they have no value (`?lqip` of vite-plugin-lqip). */
export const FOREIGN_WHERE_BARE = ['lqip'] as const

/** The way in which an image is fitted into a width and a height. */
export type Fit = (typeof FITS)[number]
/** The format of a result: a format by name, the image's own, or those that `auto` offers. */
export type Format = WritableName | 'original' | 'auto'
/** The form of an import, as `as` names it. */
export type OutputName = (typeof OUTPUTS)[number]
/** A member of an import with `as=metadata`. */
export type MetadataKey = (typeof METADATA_KEYS)[number]
