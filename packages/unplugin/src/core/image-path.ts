/** The extensions of the types that the engine reads, without dots. What `include` takes beyond them is never an image. */
export const IMAGE_EXTENSIONS = ['avif', 'gif', 'jfif', 'jpe', 'jpeg', 'jpg', 'jxl', 'png', 'svg', 'webp'] as const

const EXTENSION = String.raw`\.(?:${IMAGE_EXTENSIONS.join('|')})`

/** Takes the path of an image, for bundlers that ask for hooks' filters ahead. */
export const IMAGE_FILE: RegExp = new RegExp(`${EXTENSION}$`, 'i')

/** The same with a query. */
export const IMAGE_ID: RegExp = new RegExp(String.raw`${EXTENSION}(?:\?.*)?$`, 'i')

/** The same with a query and a fragment. */
export const IMAGE_URL: RegExp = new RegExp(String.raw`${EXTENSION}(?:[?#].*)?$`, 'i')
