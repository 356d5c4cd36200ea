import type { ShownImage } from './shown-image.ts'

/**
 * The images of all scripts that were loaded, by the URL that their imports have. Scripts note them here, as a URL may
 * come to a component by way of any data.
 */
interface Registry {
  pixpressShown?: ReadonlyMap<unknown, ShownImage>
}

/**
 * Finds what is shown for a URL; the URL alone where it is none of an image of the build.
 * @param isShown whether the place can have a picture
 */
export function find(url: string, isShown: boolean): ShownImage {
  return (isShown ? (globalThis as Registry).pixpressShown?.get(url) : undefined) ?? { src: url }
}
