import type { InputType } from '@pixpress/core'
import { formatBytes, isPhotoAsPng } from '@pixpress/core/report'
import type { Sighting } from '../findings.ts'
import { shownUrl } from '../findings.ts'
import type { LoadedImage, Visit } from '../visit/facts.ts'

/** Bytes from which another type saves more than the headers of a request. */
const WORTH_CONVERTING = 8192

/** Characters of a `data:` URL from which it belongs into a file. */
const LARGE_DATA = 4096

/** Bytes of a file from which it is worth being loaded once. */
const WORTH_ONE_URL = 1024

/** What template languages write where a built page has a value, as URLs have it: Handlebars, Go, Liquid, EJS, ERB, JavaScript. */
const UNFILLED = /(?:\{|%7B)(?:\{|%7B|%)|(?:<|%3C)%|\$(?:\{|%7B)/i

const OLD: ReadonlySet<InputType> = new Set<InputType>(['image/jpeg', 'image/png'])

const NOT_EVERYWHERE: ReadonlySet<InputType> = new Set<InputType>(['image/avif', 'image/jxl'])

/** What is loaded, whoever shows it. */
export function fileFaults(visit: Visit): Sighting[] {
  const { facts, loaded } = visit
  const used = new Set([...facts.images.filter(({ isShown }) => isShown), ...facts.backgrounds].map(({ url }) => url))
  return [
    ...[...loaded.values()].flatMap((image) => [
      ...brokenOrMislabelled(image, visit),
      ...typeFaults(image, used, visit),
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
  const file = shownUrl(url).split('/').at(-1)
  const size = formatBytes(bytes)
  if (type === 'image/gif' && frames > 1) {
    const fix = `write ${file}?format=webp, or a <video>`
    return [{ kind: 'animated-gif', ...base, message: `${frames} frames take ${size}`, fix }]
  }
  if (frames === 1 && !hasAlpha && !hasTypes && isPhotoAsPng({ type, width, height, bytes })) {
    const fix = `write ${file}?format=avif;webp;jpg&as=picture`
    return [{ kind: 'photo-as-png', ...base, message: `${width} × ${height} pixels take ${size}`, fix }]
  }
  if (OLD.has(type) && frames === 1 && !hasTypes && bytes >= WORTH_CONVERTING) {
    const message = `${size} of ${type}, and no other type is offered`
    const fix = `write ${file}?format=avif;webp;${type === 'image/png' ? 'png' : 'jpg'}&as=picture, or convert: 'auto' for the whole site`
    return [{ kind: 'old-format', ...base, message, fix }]
  }
  const isAlone = image !== undefined && !image.isTyped && image.types.length === 0
  if (NOT_EVERYWHERE.has(type) && isAlone) {
    const fix = `write ${file}?format=avif;webp;jpg&as=picture`
    return [{ kind: 'no-fallback-type', ...base, message: `It is ${type} in an <img> without a <picture>`, fix }]
  }
  return []
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
