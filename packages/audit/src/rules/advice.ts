import type { Visit } from '../visit/facts.ts'
import { widthsFor } from './drawn-widths.ts'
import { backgroundWidth, drawnWidth, pixels, rasterOf } from './need.ts'

/** How wide one element is drawn in one window. Pixels of CSS. */
export interface Drawn {
  readonly window: number
  readonly width: number
  /** Pixels of the device. */
  readonly needed: number
  /** Pixels of the device for one of CSS. */
  readonly ratio: number
}

/** Share of the window from which a width follows the window, rather than being one of its own. */
const FOLLOWS = 0.85

/** The same elements in every window that shows them, by their opening tags. Images and backgrounds. */
export function drawnOf(tags: ReadonlySet<string>, visits: readonly Visit[]): Drawn[] {
  return visits.flatMap((visit) => {
    const { width: window, ratio } = visit.viewport
    const drawn = (width: number, whole: number): Drawn => ({ window, width, ratio, needed: Math.round(whole * ratio) })
    const images = visit.facts.images.flatMap((image): Drawn[] => {
      const raster = tags.has(image.tag) && image.isShown ? rasterOf(visit, image.url) : undefined
      return raster === undefined ? [] : [drawn(image.width, drawnWidth(image, raster))]
    })
    return images
  })
}

/** The same of what is behind elements: those that show this very image. */
export function drawnBehind(tags: ReadonlySet<string>, urls: ReadonlySet<string>, visits: readonly Visit[]): Drawn[] {
  return visits.flatMap((visit) =>
    visit.facts.backgrounds.flatMap((each): Drawn[] => {
      const raster = tags.has(each.tag) && urls.has(each.url) && each.isShown ? rasterOf(visit, each.url) : undefined
      const width = raster && backgroundWidth(each, raster)
      if (width === undefined || width < 1) return []
      const { width: window, ratio } = visit.viewport
      return [{ window, width, ratio, needed: Math.round(width * ratio) }]
    }),
  )
}

/** The widths that windows need. @param most pixels that there are */
export const widthsOf = (drawn: readonly Drawn[], most?: number): number[] =>
  widthsFor(
    drawn.map((each) => each.needed),
    most,
  )

/** `716 and 1134 pixels` */
export function widthsText(tag: string, visits: readonly Visit[], most?: number): string {
  const widths = widthsOf(drawnOf(new Set([tag]), visits), most).map(String)
  const last = widths.pop() ?? ''
  return `${widths.length === 0 ? last : `${widths.join(', ')} and ${last}`} pixels wide`
}

/**
 * `(max-width: 768px) 100vw, 600px`: what is drawn in the windows that were looked through. An image that is wider than
 * its window does not follow it by a share: it has a width of its own, or stands out by the same length everywhere.
 */
export function sizesOf(drawn: readonly Drawn[]): string {
  const widest = new Map<number, number>()
  for (const { window, width } of drawn) widest.set(window, Math.max(width, widest.get(window) ?? 0))
  const over = [...widest].map(([window, width]) => Math.round(width - window)).filter((length) => length > 0)
  const isBleed = over.length > 1 && new Set(over).size === 1
  const steps = [...widest]
    .toSorted(([a], [b]) => a - b)
    .map(([window, width]) => {
      if (isBleed && Math.round(width - window) > 0) return { window, text: `calc(100vw + ${over[0]}px)` }
      const share = width / window
      const isShare = share >= FOLLOWS && Math.round(width - window) <= 0
      return { window, text: isShare ? `${Math.round(share * 100)}vw` : `${pixels(width)}px` }
    })
  const different = steps.filter(({ text }, at) => text !== steps[at + 1]?.text)
  const last = different.at(-1)?.text ?? '100vw'
  const rules = different.slice(0, -1).map(({ window, text }) => `(max-width: ${window}px) ${text}`)
  return [...rules, last].join(', ')
}

/** `sizes="(max-width: 768px) 100vw, 600px"` */
export const sizesAdvice = (tag: string, visits: readonly Visit[]): string =>
  `sizes="${sizesOf(drawnOf(new Set([tag]), visits))}"`
