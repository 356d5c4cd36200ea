import type { Sighting } from '../findings/findings.ts'
import type { Visit } from '../visit/facts.ts'
import type { ImageFacts } from '../visit/page-facts.ts'
import { rasterOf, sizeText } from './need.ts'

/** Share by which proportions may differ, as sizes are rounded. */
const TOLERANCE = 0.03

/** Pixels below which a difference is not seen. */
const VISIBLE = 3

/** How images stand in the page, and what readers of screens are told of them. */
export function layoutFaults(visit: Visit): Sighting[] {
  return visit.facts.images.flatMap((image) => {
    const about = { subject: image.tag, url: image.url, element: image.tag }
    const found: Sighting[] = []
    if (!image.hasSource) return found
    if (image.alt === undefined && !image.isDecoration) {
      const fix = 'write alt="" where it is decoration, else what it shows'
      found.push({ kind: 'missing-alt', ...about, message: "It has no 'alt'", fix })
    }
    const raster = rasterOf(visit, image.url)
    const { hasBox, isInFlow, hasDimensions, isSizedByStyle, naturalWidth, naturalHeight } = image
    const isLate = !image.url.startsWith('data:')
    if (hasBox && isInFlow && isLate && !hasDimensions && !isSizedByStyle && naturalWidth > 0) {
      // A srcset changes the size that the browser gives a file. Without one, that size may come from EXIF.
      const natural = { width: naturalWidth, height: naturalHeight }
      const { width, height } = image.candidates.length > 0 ? (raster?.header ?? natural) : natural
      const attributes = sizeAttributes(image, width, height)
      const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
      found.push({
        kind: 'missing-dimensions',
        ...about,
        message: "Neither 'width' and 'height' nor styles say how high it will be",
        fix: `write ${written.join(' ')}`,
        wish: { attributes },
      })
    }
    if (raster !== undefined && isDistorted(image, raster.header)) {
      const { width, height } = raster.header
      const message = `${sizeText(width, height)} pixels are drawn as ${sizeText(image.width, image.height)}`
      found.push({ kind: 'distorted', ...about, message, fix: undistorted(image, raster.header) })
    }
    return found
  })
}

/**
 * Returns attributes that reserve the room of an image and move nothing: its proportions where styles set one of its
 * lengths, else its own size with a height that follows a maximum of its width.
 */
function sizeAttributes(
  { hasAutoWidth, hasAutoHeight }: ImageFacts,
  width: number,
  height: number,
): Record<string, string> {
  if (hasAutoWidth && hasAutoHeight) return { width: String(width), height: String(height), style: 'height: auto' }
  return { style: `aspect-ratio: ${width} / ${height}` }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Returns what mends other proportions: of what sets them, if a style of the image itself does. */
function undistorted({ hasAutoWidth, hasAutoHeight, hasStyleRatio }: ImageFacts, { width, height }: Size): string {
  const cropped = 'write object-fit: cover'
  if (hasStyleRatio && (hasAutoWidth || hasAutoHeight)) return `${cropped}, or aspect-ratio: ${width} / ${height}`
  return hasAutoHeight ? cropped : `${cropped}, or height: auto`
}

function isDistorted(image: ImageFacts, { width, height }: Size): boolean {
  if (!image.isShown || image.fit !== 'fill') return false
  const right = (image.width * height) / width
  return Math.abs(image.height - right) > Math.max(VISIBLE, right * TOLERANCE)
}
