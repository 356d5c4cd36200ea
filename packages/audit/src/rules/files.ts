import { IMAGE_TYPES } from '@pixpress/core'
import type { InputType } from '@pixpress/core'
import { EVERYWHERE_TYPES, reachOf } from '@pixpress/core/internal'
import { formatBytes, isPhotoAsPng } from '@pixpress/core/report'
import type { Sighting } from '../findings/findings.ts'
import { shownUrl } from '../findings/findings.ts'
import type { LoadedImage, Visit } from '../visit/facts.ts'

/** Bytes from which another type saves more than the headers of a request. */
const WORTH_CONVERTING = 8192

/** Characters of a `data:` URL from which it belongs into a file. */
const LARGE_DATA = 4096

/** Bytes of a file from which it is worth being loaded once. */
const WORTH_ONE_URL = 1024

/**
 * Placeholders of template languages in URLs, which a built page has filled in: Handlebars, Go, Liquid, EJS, ERB,
 * JavaScript.
 */
const UNFILLED = /(?:\{|%7B)(?:\{|%7B|%)|(?:<|%3C)%|\$(?:\{|%7B)/i

/** Types that every browser in use reads, in place of which a newer one can be made. */
const OLD: ReadonlySet<InputType> = new Set(IMAGE_TYPES.filter((type) => EVERYWHERE_TYPES.has(type)))

/** Returns `true` for a format that fewer browsers support than AVIF, which is Baseline widely available. */
const isNotEverywhere = (type: InputType): boolean => reachOf(type) < reachOf('image/avif')

/** The type that every browser of today reads, with far fewer bytes than the types before it. */
const WEBP = { format: 'webp' } as const

/** Bytes of pixels within an SVG that are worth a finding: fewer are icons and textures. */
const RASTER_IN_SVG = 8192

/** Finds faults of the files themselves: broken, of a poor type, or loaded twice. */
export function fileFaults(visit: Visit): Sighting[] {
  const { facts, loaded } = visit
  const used = new Set([...facts.images.filter(({ isShown }) => isShown), ...facts.backgrounds].map(({ url }) => url))
  return [
    ...[...loaded.values()].flatMap((image) => [
      ...brokenOrMislabelled(image, visit),
      ...typeFaults(image, used, visit),
      ...rasterFaults(image, visit),
    ]),
    ...dataUrls(visit),
    ...duplicates(visit),
  ]
}

function brokenOrMislabelled({ url, status, mimeType, header }: LoadedImage, { facts }: Visit): Sighting[] {
  const users = facts.images.filter((image) => image.url === url)
  const element = users[0]?.tag ?? facts.backgrounds.find((each) => each.url === url)?.tag
  const base = { subject: url, url, ...(element !== undefined && { element }) }
  const isUnseen = users.some(({ isComplete, naturalWidth }) => isComplete && naturalWidth === 0)
  if (status >= 400 || (isUnseen && header?.type !== 'image/svg+xml')) {
    const message = status >= 400 ? `The server answers ${status}` : 'The browser cannot show it'
    const isTemplate = UNFILLED.test(url)
    const fix = isTemplate ? 'audit the site as it is built, as this page is a template' : 'mend its URL, or the file'
    return [{ kind: 'broken', ...base, message, fix }]
  }
  const said = mimeType === 'image/jpg' ? 'image/jpeg' : mimeType
  if (header === undefined || said === '' || said === header.type || said === 'image/apng') return []
  const message = `It is ${header.type}, and the server says ${mimeType}`
  return [
    {
      kind: 'wrong-content-type',
      ...base,
      message,
      fix: 'give the file the extension of its type, or mend the server',
    },
  ]
}

function typeFaults({ url, header, bytes }: LoadedImage, used: ReadonlySet<string>, { facts }: Visit): Sighting[] {
  if (header === undefined || !used.has(url)) return []
  const image = facts.images.find((each) => each.url === url)
  const element = image?.tag ?? facts.backgrounds.find((each) => each.url === url)?.tag
  const base = { subject: url, url, ...(element !== undefined && { element }) }
  const { type, frames, hasAlpha, width, height } = header
  const hasTypes = image?.types.some((each) => each !== '') === true
  const size = formatBytes(bytes)
  if (type === 'image/gif' && frames > 1) {
    const fix = 'deliver it as WebP, or as a <video>'
    return [{ kind: 'animated-gif', ...base, fix, wish: WEBP, message: `${frames} frames take ${size}` }]
  }
  if (frames === 1 && !hasAlpha && !hasTypes && isPhotoAsPng({ type, width, height, bytes })) {
    const fix = 'deliver it as WebP, AVIF or JPEG'
    return [{ kind: 'photo-as-png', ...base, message: `${width} × ${height} pixels take ${size}`, fix, wish: WEBP }]
  }
  if (OLD.has(type) && frames === 1 && !hasTypes && bytes >= WORTH_CONVERTING) {
    const message = `${size} of ${type}`
    const fix = "deliver it as WebP or AVIF; the option convert: 'auto' does so on the whole site"
    return [{ kind: 'old-format', ...base, message, fix, wish: WEBP }]
  }
  const isAlone = image !== undefined && !image.isTyped && image.types.length === 0
  if (isNotEverywhere(type) && isAlone) {
    const fix = 'deliver it as AVIF or WebP, or add an older format by a <picture>'
    const message = `It is ${type} in an <img> without a <picture>`
    return [{ kind: 'no-fallback-type', ...base, message, fix, wish: WEBP }]
  }
  return []
}

function rasterFaults({ url, bytes, rasters }: LoadedImage, { facts }: Visit): Sighting[] {
  if (rasters === undefined || rasters.bytes < RASTER_IN_SVG) return []
  const element = [...facts.images, ...facts.backgrounds].find((each) => each.url === url)?.tag
  const { count, types } = rasters
  const share = Math.round((rasters.bytes / bytes) * 100)
  const held =
    count === 1 ? `An image of pixels (${types.join(', ')}) is` : `${count} images of pixels (${types.join(', ')}) are`
  const message = `${held} inside of the SVG: ${formatBytes(rasters.bytes)}, ${share} % of it, as text that takes a third more than a file`
  const fix = 'draw it with paths, or use the image of pixels itself as a file'
  return [{ kind: 'raster-in-svg', subject: url, url, ...(element !== undefined && { element }), message, fix }]
}

function dataUrls({ facts }: Visit): Sighting[] {
  return [...facts.images, ...facts.backgrounds]
    .filter(({ url }) => url.startsWith('data:') && url.length > LARGE_DATA)
    .map(({ url, tag }) => ({
      kind: 'large-data-uri',
      subject: tag,
      url,
      element: tag,
      message: `${formatBytes(url.length)} stand in the page or a stylesheet`,
      fix: 'refer to a file, or lower the size up to which the bundler inlines (assetsInlineLimit)',
    }))
}

function duplicates({ loaded }: Visit): Sighting[] {
  const byDigest = new Map<string, LoadedImage[]>()
  for (const image of loaded.values()) {
    if (image.digest !== '' && image.bytes >= WORTH_ONE_URL)
      byDigest.set(image.digest, [...(byDigest.get(image.digest) ?? []), image])
  }
  return [...byDigest.values()].flatMap((images): Sighting[] => {
    const [first, ...others] = images.toSorted((a, b) => (a.url < b.url ? -1 : 1))
    if (first === undefined || others.length === 0) return []
    const names = others.map(({ url }) => shownUrl(url)).join(', ')
    const wasted = first.bytes * others.length
    return [
      {
        kind: 'duplicate-bytes',
        subject: first.digest,
        url: first.url,
        message: `${names} has the same bytes`,
        fix: 'refer to one of them',
        wasted,
      },
    ]
  })
}
