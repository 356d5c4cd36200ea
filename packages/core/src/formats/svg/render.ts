import { withoutIt } from '../../base/faults.ts'
import type { Features } from './features.ts'

/**
 * Pixels of the longer side that a drawing is compared at: twice its own size, as dense screens show it, within these.
 * At 48 pixels, an icon's outline that is off by a fifth of a pixel cannot be told from the rounding of its edges.
 */
const SHORTEST = 256
const LONGEST = 512

/** Bounds beyond which a drawing is not rendered: librsvg cannot be interrupted. */
const MOST_BYTES = 2 * 1024 * 1024
const MOST_DRAWN = 20_000
const MOST_PIXELS_WIDE = 32_767

/** Pixels of CSS per inch in librsvg, for which a density of 72 is the drawing's own size. */
const DENSITY = 72

/** sharp's bounds. */
const LOWEST_DENSITY = 1
const HIGHEST_DENSITY = 100_000

type Size = NonNullable<Features['size']>

/** A rendered picture: four channels per pixel. */
export interface Rendering {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * Returns the document's own size, or `undefined` where rendering it may take unbounded time and memory, by what it
 * holds.
 */
export function renderableSize(text: string, { costly, drawn, size }: Features): Size | undefined {
  if (costly || drawn > MOST_DRAWN || text.length > MOST_BYTES) return undefined
  // A drawing without a size takes the page's size in browsers, and that of its content in librsvg, which warns of huge
  // ones on the terminal.
  const isBounded = size !== undefined && Math.max(size.width, size.height) <= MOST_PIXELS_WIDE
  return isBounded ? size : undefined
}

/**
 * How a document is rendered: at the usual size or twice that, for a closer look, or twice with a page's stroke, as
 * librsvg draws no mitres between points that are too close in pixels.
 */
export type View = 1 | 2 | 'stroked'

/** A page's stroke shows by its mitres where an outline has points that are too close for its filling to show them. */
const STROKED = { stylesheet: 'path{stroke:#000;stroke-width:4%}' }

/**
 * Renders a document with librsvg, which loads nothing that lies outside of it.
 * @param size the source's, so that both sides are rendered alike
 * @returns `undefined` where librsvg cannot
 */
export async function render(text: string, size: Size, view: View = 1): Promise<Rendering | undefined> {
  const { default: sharp } = await import('sharp')
  const times = view === 'stroked' ? 2 : view
  const longer = Math.max(size.width, size.height)
  const scale = longer > 0 ? (times * Math.min(LONGEST, Math.max(SHORTEST, 2 * longer))) / longer : 1
  try {
    const { data, info } = await sharp(Buffer.from(withoutProlog(text)), {
      density: Math.min(HIGHEST_DENSITY, Math.max(LOWEST_DENSITY, DENSITY * scale)),
      limitInputPixels: 4 * (times * LONGEST) ** 2,
      ...(view === 'stroked' && { svg: STROKED }),
    })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { pixels: data, width: info.width, height: info.height }
  } catch (error) {
    return withoutIt(error)
  }
}

/**
 * Levels of 255 by which a pixel of a flat area may differ: a colour, an opacity or a gradient's stop that was rounded.
 */
const FLAT = 2

/**
 * The share of the contrast around it by which a pixel of an edge may differ besides. librsvg takes 15 samples per
 * pixel down an edge, so that an edge that moves by less than a hundredth of a pixel changes it by 17 levels of 255,
 * and two edges in one pixel by 34. Measured over 826 icons: 814 are within this as svgo writes them; in the rest,
 * curves that had been made arcs differ by up to 255, and all are within it with one decimal more and without new arcs.
 */
const EDGE = 36 / 255

/** Tells whether two renderings look the same. */
export function looksSame(one: Rendering, other: Rendering): boolean {
  if (one.width !== other.width || one.height !== other.height) return false
  const [before, after] = [weighted(one), weighted(other)]
  const stride = 4 * one.width
  for (let at = 0; at < before.length; at++) {
    const difference = Math.abs(before[at]! - after[at]!)
    if (difference > FLAT && difference > FLAT + EDGE * contrastAround(before, at, stride)) return false
  }
  return true
}

/** Returns the colours weighted by their opacity: what is transparent has none. */
function weighted({ pixels }: Rendering): Uint8Array {
  const result = Uint8Array.from(pixels)
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]!
    if (alpha === 255) continue
    for (let channel = at; channel < at + 3; channel++) result[channel] = Math.round((pixels[channel]! * alpha) / 255)
  }
  return result
}

/** Returns the contrast between the lightest and the darkest of the pixels beside one, of the same channel. */
function contrastAround(pixels: Uint8Array, at: number, stride: number): number {
  let [lowest, highest] = [255, 0]
  const column = at % stride
  for (let row = at - stride; row <= at + stride; row += stride) {
    for (let step = -4; step <= 4; step += 4) {
      const level = column + step >= 0 && column + step < stride ? pixels[row + step] : undefined
      if (level === undefined) continue
      lowest = Math.min(lowest, level)
      highest = Math.max(highest, level)
    }
  }
  return highest - lowest
}

/** Cuts off everything before the outermost element: librsvg recognises SVG by that name at the beginning. */
export function withoutProlog(text: string): string {
  let rest = text.replace(/^\uFEFF/, '')
  for (;;) {
    rest = rest.trimStart()
    const skipped = /^(?:<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE\s[^[>]*>)/i.exec(rest)
    if (skipped === null) return rest
    rest = rest.slice(skipped[0].length)
  }
}
