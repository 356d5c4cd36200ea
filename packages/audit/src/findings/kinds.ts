/** Kinds of findings, one row each. Findings of as many bytes are told in this order. */
export const KINDS = {
  broken: 'the image does not load, or is none',
  'wrong-content-type': 'the server says another type than the image has',
  oversize: 'more pixels than are drawn',
  'background-oversize': 'more pixels behind an element than are drawn',
  upscaled: 'fewer pixels than are drawn, so that it looks blurred',
  'sizes-missing': "a srcset without 'sizes', which the browser takes for the width of the window",
  'sizes-too-large': "'sizes' says more than is drawn, so that too large a candidate is loaded",
  'sizes-too-small': "'sizes' says less than is drawn, so that the image looks blurred",
  'srcset-gap': 'the next larger candidate of the srcset is far larger than needed',
  'lcp-lazy': 'the largest image of the first view is loaded lazily',
  'lcp-not-preloaded': 'the browser learns late that it needs the largest image of the first view',
  'lazy-above-fold': 'an image of the first view is loaded lazily',
  'eager-below-fold': 'an image far below the first view is loaded with the page',
  'preload-unused': 'a preloaded image is not shown',
  'preload-mismatch': 'another candidate is preloaded than is shown',
  'priority-contradiction': "'fetchpriority' says something else than the image's place or 'loading'",
  'hidden-loaded': 'an image is loaded that the page does not show',
  'missing-dimensions': 'the page jumps when the image arrives, as its size is not known before',
  distorted: 'the image is drawn in other proportions than its own',
  'missing-alt': "there is no 'alt', not even an empty one",
  'animated-gif': 'an animation as GIF, which takes many times the bytes of WebP or a video',
  'photo-as-png': 'a photograph as PNG, which takes many times the bytes of JPEG, WebP or AVIF',
  'old-format': 'JPEG or PNG, where WebP and AVIF are smaller',
  'no-fallback-type': 'a format such as JPEG XL alone, which some browsers do not support',
  'large-data-uri': 'a large image within the page or a stylesheet, which is loaded again with each of them',
  'raster-in-svg': 'an image of pixels inside of an SVG, as text that takes a third more than a file',
  'duplicate-bytes': 'the same bytes under two URLs, so that they are loaded twice',
} as const

/** Name of a kind of finding. */
export type Kind = keyof typeof KINDS

/** Names of all kinds, in the order of the table. */
export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[]

/** Kinds that cost bytes, of which nobody knows how many before the image is made in another type. */
export const UNMEASURED: ReadonlySet<Kind> = new Set<Kind>(['animated-gif', 'photo-as-png', 'old-format'])
