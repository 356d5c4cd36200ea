import type { LoadedImage, Visit } from '../visit/facts.ts'
import type { BackgroundFacts, ImageFacts } from '../visit/page-facts.ts'

/** Bytes grow with about this power of the width, of photographs and drawings taken together. */
const POWER = 1.6

/** Beyond this density nobody sees more pixels. */
export const VISIBLE_RATIO = 2

/** Times the needed width from which the only file is too wide. */
export const TOO_WIDE = 1.5

/** Bytes that a narrower image would not take. @param wide, narrow pixels */
export const wastedBytes = (bytes: number, wide: number, narrow: number): number =>
  narrow >= wide ? 0 : bytes * (1 - (narrow / wide) ** POWER)

/** An image of pixels, whose header was read. */
export type Raster = LoadedImage & { readonly header: NonNullable<LoadedImage['header']> }

/** Returns the image behind a URL if it has pixels and its header was read. */
export function rasterOf({ loaded }: Visit, url: string): Raster | undefined {
  const image = loaded.get(url.replace(/#.*$/, ''))
  if (image?.header === undefined || image.header.type === 'image/svg+xml' || image.header.width === 0) return undefined
  return image as Raster
}

/** Pixels of CSS that the whole width of the image takes, what is cropped away included. */
export function drawnWidth({ width, height, fit }: ImageFacts, { header }: Raster): number {
  const [across, down] = [width / header.width, height / header.height]
  const scale =
    fit === 'contain' || fit === 'scale-down' ? Math.min(across, down) : fit === 'none' ? 1 : Math.max(across, down)
  return header.width * (fit === 'fill' ? across : scale)
}

/** The same of a background; `undefined` where its size says nothing of it. */
export function backgroundWidth({ width, height, size }: BackgroundFacts, { header }: Raster): number | undefined {
  const [across, down] = [width / header.width, height / header.height]
  if (size === 'cover') return header.width * Math.max(across, down)
  if (size === 'contain') return header.width * Math.min(across, down)
  const [first = 'auto', second = 'auto'] = size.split(' ')
  const own = lengthOf(first, width)
  if (own !== undefined) return own
  const other = lengthOf(second, height)
  if (other !== undefined) return (other * header.width) / header.height
  return undefined
}

function lengthOf(text: string, whole: number): number | undefined {
  const [, number, unit] = /^([\d.]+)(px|%)$/.exec(text) ?? []
  if (number === undefined) return undefined
  return unit === '%' ? (Number(number) * whole) / 100 : Number(number)
}

/** `390@2: 716` */
export const pixels = (value: number): string => String(Math.round(value))

/** Returns a size for people: `300 × 200`. */
export const sizeText = (width: number, height: number): string => `${pixels(width)} × ${pixels(height)}`
