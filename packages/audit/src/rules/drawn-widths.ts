import { drawnWidth, backgroundWidth, rasterOf } from './need.ts'
import type { Visit } from '../visit/facts.ts'

/** Share of a width below which the next narrower one is worth a file of its own. */
const STEP = 0.85

/** Pixels of the device that each image is drawn with across, by its URL: every page, element and viewport. */
export function drawnWidths(visits: readonly Visit[]): Map<string, number[]> {
  const all = new Map<string, number[]>()
  for (const visit of visits) {
    const { facts, viewport } = visit
    const add = (url: string, width: number | undefined): void => {
      if (width === undefined || width < 1) return
      all.set(url, [...(all.get(url) ?? []), Math.round(width * viewport.ratio)])
    }
    for (const image of facts.images) {
      const raster = image.isShown ? rasterOf(visit, image.url) : undefined
      if (raster !== undefined) add(image.url, drawnWidth(image, raster))
    }
    for (const background of facts.backgrounds) {
      const raster = background.isShown ? rasterOf(visit, background.url) : undefined
      if (raster !== undefined) add(background.url, backgroundWidth(background, raster))
    }
  }
  return all
}

/**
 * Widths to make of what is drawn, the narrowest first: of two that are nearly alike the wider one.
 * @param most pixels of the source
 */
export function widthsFor(drawn: readonly number[], most: number = Infinity): number[] {
  const kept: number[] = []
  for (const width of [...new Set(drawn.map((each) => Math.min(each, most)))].toSorted((a, b) => b - a)) {
    if (kept.length === 0 || width <= kept[0]! * STEP) kept.unshift(width)
  }
  return kept
}
