import type { Visit } from '../visit/facts.ts'
import { widthsFor } from '../drawn-widths.ts'
import { drawnWidth, pixels, rasterOf } from './need.ts'

/** How wide one element is drawn in one window. Pixels of CSS. */
interface Drawn {
  readonly window: number
  readonly width: number
  /** Pixels of the device. */
  readonly needed: number
}

/** Share of the window from which a width follows the window, rather than being one of its own. */
const FOLLOWS = 0.85

/** The same element in every window that shows it, by its opening tag. */
function drawnOf(tag: string, visits: readonly Visit[]): Drawn[] {
  return visits.flatMap((visit) =>
    visit.facts.images.flatMap((image): Drawn[] => {
      const raster = image.tag === tag && image.isShown ? rasterOf(visit, image.url) : undefined
      if (raster === undefined) return []
      const { width: window, ratio } = visit.viewport
      return [{ window, width: image.width, needed: Math.round(drawnWidth(image, raster) * ratio) }]
    }),
  )
}

/** `w=390;780`: the widths that windows need. @param most pixels that there are */
export const widthsAdvice = (tag: string, visits: readonly Visit[], most?: number): string => {
  const needed = drawnOf(tag, visits).map((each) => each.needed)
  return `w=${widthsFor(needed, most).join(';')}`
}

/** `sizes="(max-width: 768px) 100vw, 600px"`: what is drawn in the windows that were looked through. */
export function sizesAdvice(tag: string, visits: readonly Visit[]): string {
  const widest = new Map<number, number>()
  for (const { window, width } of drawnOf(tag, visits)) widest.set(window, Math.max(width, widest.get(window) ?? 0))
  const steps = [...widest]
    .toSorted(([a], [b]) => a - b)
    .map(([window, width]) => {
      const share = width / window
      return { window, text: share >= FOLLOWS ? `${Math.round(share * 100)}vw` : `${pixels(width)}px` }
    })
  const different = steps.filter(({ text }, at) => text !== steps[at + 1]?.text)
  const last = different.at(-1)?.text ?? '100vw'
  const rules = different.slice(0, -1).map(({ window, text }) => `(max-width: ${window}px) ${text}`)
  return `sizes="${[...rules, last].join(', ')}"`
}
