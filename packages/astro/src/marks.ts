/**
 * The property that tells apart what other options or another version of the engine make, for Astro keeps images by the
 * properties of their transforms, and names them so.
 */
export const MADE_WITH = 'pixpress'

/**
 * The property of images for which no format was asked, which Astro itself would make in its default one: the types
 * that were compared, or `true`. It is no part of names.
 */
export const UNASKED = 'pixpressUnasked'
