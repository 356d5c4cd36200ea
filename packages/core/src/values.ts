/** The allowed values of every option, in one import-free file: types, validation, `--help` and docs share these lists. */

/** Types the engine can write, best compression first (the order in which equal sizes are preferred). */
export const IMAGE_TYPES = ['image/avif', 'image/jxl', 'image/webp', 'image/jpeg', 'image/png'] as const

/** The types that the wildcard of `convert.type` stands for. JPEG XL, which few browsers show, has to be named. */
export const WILDCARD_TYPES = ['image/avif', 'image/webp', 'image/jpeg', 'image/png'] as const

/** Types that are optimised in their own format but never converted to. */
export const SAME_TYPE_ONLY = ['image/gif', 'image/svg+xml'] as const

/** Every type that is recognised by content. */
export const INPUT_TYPES = [
  'image/avif',
  'image/webp',
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/svg+xml',
  'image/jxl',
] as const

/** The wildcard of `convert.type`: every type of `WILDCARD_TYPES`. */
export const ANY_TYPE = '*/*'

export const RESIZE_METHODS = ['scale', 'fit', 'cover', 'thumb'] as const

export const PRESERVE_ITEMS = ['copyright', 'creation', 'location'] as const

/** Named quality levels and the SSIMULACRA2 score each one aims at. */
export const QUALITY_LEVELS = { high: 80, balanced: 70, small: 60 } as const

/** How much time may be spent on making an image smaller at the same quality. */
export const EFFORTS = ['fast', 'default', 'max'] as const

/** Resolution of the colours: at half of the brightness's in both directions, or in full. */
export const CHROMA_SUBSAMPLINGS = ['4:2:0', '4:4:4'] as const

/** The file name extension of each type, without the dot. */
export const EXTENSIONS = {
  'image/avif': 'avif',
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'image/jxl': 'jxl',
} as const

/** Other spellings that mean one of the types above. */
export const TYPE_ALIASES = { 'image/jpg': 'image/jpeg' } as const

/** Types that can carry transparency. */
export const ALPHA_TYPES: ReadonlySet<string> = new Set([
  'image/avif',
  'image/webp',
  'image/png',
  'image/gif',
  'image/svg+xml',
  'image/jxl',
])

/** Types whose animation the engine can read and write. */
export const ANIMATED_TYPES: ReadonlySet<string> = new Set(['image/webp', 'image/png', 'image/gif'])
