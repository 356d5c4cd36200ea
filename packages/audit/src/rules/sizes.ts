import type { KnownSource, Sighting } from '../findings/findings.ts'
import { sizesAdvice, widthsText } from './advice.ts'
import type { Visit } from '../visit/facts.ts'
import type { Candidate, ImageFacts } from '../visit/page-facts.ts'
import {
  TOO_WIDE,
  VISIBLE_RATIO,
  backgroundWidth,
  drawnWidth,
  pixels,
  rasterOf,
  sizeText,
  wastedBytes,
} from './need.ts'
import type { Raster } from './need.ts'

/** Share of the drawn width that `sizes` may say at most, and at least: margins and scroll bars make that much. */
const TOO_LARGE = 1.15
const TOO_SMALL = 0.87

/** The same of the nearest candidate of a srcset: most have one for every doubling. */
const GAP = 1.7

/** Times the width of the file that is drawn before it looks blurred. */
const BLURRED = 1.3

/**
 * Finds images with too many or too few pixels, and wrong `sizes`.
 * @param leastWaste bytes from which a waste is a finding
 */
export function sizeFaults(visit: Visit, leastWaste: number): Sighting[] {
  const images = visit.facts.images.flatMap((image) => {
    const raster = image.isShown ? rasterOf(visit, image.url) : undefined
    if (raster === undefined) return []
    const hasWidths = image.candidates.some(({ width }) => width !== undefined)
    const found = hasWidths ? responsive(image, raster, visit, leastWaste) : single(image, raster, visit, leastWaste)
    return found === undefined ? [] : [found]
  })
  return [...images, ...backgrounds(visit, leastWaste)]
}

const about = (image: ImageFacts): Pick<Sighting, 'subject' | 'url' | 'element'> => ({
  subject: image.tag,
  url: image.url,
  element: image.tag,
})

function drawnText({ header }: Raster, image: { width: number; height: number }, { viewport }: Visit): string {
  const density = viewport.ratio === 1 ? '' : ` at ${viewport.ratio} pixels each`
  return `${sizeText(header.width, header.height)} pixels are drawn as ${sizeText(image.width, image.height)}${density}`
}

/** One file for every viewport. */
function single(image: ImageFacts, raster: Raster, visit: Visit, leastWaste: number): Sighting | undefined {
  const { viewport } = visit
  // A file for two pixels each is right for one as well: nobody offers less.
  const needed = drawnWidth(image, raster) * Math.max(VISIBLE_RATIO, viewport.ratio)
  const wasted = wastedBytes(raster.bytes, raster.header.width, needed)
  const message = drawnText(raster, image, visit)
  if (raster.header.width > needed * TOO_WIDE && wasted >= leastWaste) {
    const fix: Sighting['fix'] = (visits) =>
      `deliver it ${widthsText(image.tag, visits, raster.header.width)}, with ${sizesAdvice(image.tag, visits)}`
    return { kind: 'oversize', ...about(image), message, fix, wasted, wish: { isSized: true } }
  }
  return blurred(image, raster, visit, message)
}

function blurred(image: ImageFacts, raster: Raster, { viewport }: Visit, message: string): Sighting | undefined {
  const needed = drawnWidth(image, raster) * Math.min(VISIBLE_RATIO, viewport.ratio)
  if (needed <= raster.header.width * BLURRED) return undefined
  return {
    kind: 'upscaled',
    ...about(image),
    message,
    fix: (_visits, source) => widerText(image, Math.round(needed), source),
    wish: { isSized: true },
  }
}

/** Gives an image its pixels: only a source that is known to be too narrow has to be another one. */
function widerText(
  { candidates }: ImageFacts,
  needed: number,
  { file = '', width }: Partial<KnownSource> = {},
): string {
  if (width !== undefined && width < needed)
    return `give it a source of at least ${needed} pixels across: ${file} has ${width}`
  const isSet = candidates.some((each) => each.width !== undefined)
  const text = isSet ? `add a candidate of ${needed} pixels to its 'srcset'` : `deliver it ${needed} pixels wide`
  return `${text}, ${width === undefined ? 'if its source has as many' : `as its source ${file} has ${width}`}`
}

/** A srcset with widths. */
function responsive(image: ImageFacts, raster: Raster, visit: Visit, leastWaste: number): Sighting | undefined {
  const { viewport } = visit
  const widths = image.candidates.filter((each): each is Candidate & { width: number } => each.width !== undefined)
  const chosen = widths.find(({ url }) => url === image.url)
  if (chosen === undefined) return undefined
  const needed = drawnWidth(image, raster) * viewport.ratio
  const inOrder = widths.toSorted((a, b) => a.width - b.width)
  const right = inOrder.find(({ width }) => width >= needed * 0.97) ?? inOrder.at(-1)!
  // The size in pixels of CSS that the browser gives a candidate is what it took 'sizes' for.
  const said = (image.naturalWidth * chosen.width) / raster.header.width
  const figure = `drawn ${pixels(image.width)} pixels wide in a window of ${viewport.width}`
  const wasted = wastedBytes(raster.bytes, chosen.width, right.width)
  const isChoice = widths.some(({ width }) => width !== chosen.width)
  if (isChoice && image.sizes === undefined && image.width < viewport.width * TOO_SMALL) {
    return {
      kind: 'sizes-missing',
      ...about(image),
      message: `It is ${figure}, and 'sizes' is missing`,
      fix: sizesFix(image),
      wasted,
      wish: { hasSizes: true },
    }
  }
  const isMisled = chosen.width !== right.width
  const sizes = sizesText(image, said)
  if (said > image.width * TOO_LARGE && chosen.width > right.width) {
    const message = `It is ${figure}, and ${sizes}: ${chosen.width} pixels are loaded where ${right.width} would do`
    return { kind: 'sizes-too-large', ...about(image), message, fix: sizesFix(image), wasted, wish: { hasSizes: true } }
  }
  if (said < image.width * TOO_SMALL && isMisled && chosen.width < right.width) {
    const message = `It is ${figure}, and ${sizes}: ${chosen.width} pixels are loaded where ${right.width} are needed`
    // An image may be wider than the window, which is what the browser takes it for without `sizes`.
    const kind = image.sizes === undefined ? 'sizes-missing' : 'sizes-too-small'
    return { kind, ...about(image), message, fix: sizesFix(image), wish: { hasSizes: true } }
  }
  const gap = wastedBytes(raster.bytes, chosen.width, needed)
  // A browser that has a larger candidate already, as it was preloaded, takes that one: no fault of the list.
  if (!isMisled && chosen.width > needed * GAP && gap >= leastWaste) {
    const message = `It is ${figure} and needs ${pixels(needed)} pixels; the nearest candidate has ${chosen.width}`
    return {
      kind: 'srcset-gap',
      ...about(image),
      message,
      fix: (visits) => `deliver it ${widthsText(image.tag, visits)}`,
      wasted: gap,
      wish: { isSized: true },
    }
  }
  return chosen === inOrder.at(-1) ? blurred(image, raster, visit, drawnText(raster, image, visit)) : undefined
}

const hasAuto = ({ sizes = '' }: ImageFacts): boolean => /^\s*auto\s*(?:,|$)/i.test(sizes)

/** The clause of what the browser went by. @param said pixels of CSS that it took the image for */
function sizesText(image: ImageFacts, said: number): string {
  if (image.sizes === undefined) return "'sizes' is missing"
  if (image.sizes.trim() === '') return `'sizes' is empty, which the browser takes for ${pixels(said)}`
  if (!hasAuto(image)) return `'sizes' says ${pixels(said)}`
  return image.isLazy
    ? `sizes="auto" came to ${pixels(said)} when it was loaded`
    : `'sizes' comes to ${pixels(said)}, as auto counts for lazy images alone`
}

const sizesFix =
  (image: ImageFacts): Sighting['fix'] =>
  (visits) =>
    `write ${sizesAdvice(image.tag, visits)}${image.isLazy && !hasAuto(image) ? '; sizes="auto" finds out by itself' : ''}`

function backgrounds(visit: Visit, leastWaste: number): Sighting[] {
  return visit.facts.backgrounds.flatMap((background): Sighting[] => {
    const raster = background.isShown ? rasterOf(visit, background.url) : undefined
    const drawn = raster && backgroundWidth(background, raster)
    if (raster === undefined || drawn === undefined || background.width === 0) return []
    const needed = drawn * Math.max(VISIBLE_RATIO, visit.viewport.ratio)
    const wasted = wastedBytes(raster.bytes, raster.header.width, needed)
    if (raster.header.width <= needed * TOO_WIDE || wasted < leastWaste) return []
    const message = `${sizeText(raster.header.width, raster.header.height)} pixels lie behind ${sizeText(background.width, background.height)}`
    const fix = `give this window a file of ${pixels(needed)} pixels across, and others theirs by @media`
    const { tag, url } = background
    const subject = `${tag}\0${url}`
    return [{ kind: 'background-oversize', subject, url, element: tag, message, fix, wasted, wish: { isSized: true } }]
  })
}
