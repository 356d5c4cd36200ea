import { loadingOf, pictureParts } from './components/picture-parts.ts'
import type { ImgModule, PictureModule } from './components/picture-parts.ts'

export { loadingOf, pictureParts, uncover, uncoverIfComplete } from './components/picture-parts.ts'
export type { ImgModule, PictureModule, PictureParts, PlaceholderMembers } from './components/picture-parts.ts'

/**
 * Attributes of the `<img>`, by HTML's names. `true` writes the name alone; `false`, `null` and `undefined` write
 * nothing.
 */
export interface ImageAttributes {
  /** Holds what it shows, in words; empty for decoration. */
  readonly alt: string
  /**
   * How wide it is laid out, where there are several sizes: `(max-width: 600px) 100vw, 600px`. `auto`: the browser
   * looks, where it can and the image is loaded lazily; the width of the screen elsewhere.
   */
  readonly sizes?: string | undefined
  /** Default: `lazy`, but for `fetchpriority: 'high'`. */
  readonly loading?: 'lazy' | 'eager' | undefined
  /** Default: `async`. */
  readonly decoding?: 'async' | 'sync' | 'auto' | undefined
  readonly fetchpriority?: 'high' | 'low' | 'auto' | undefined
  /** Stands behind the placeholder's, and so can overrule it. */
  readonly style?: string | undefined
  readonly [name: string]: string | number | boolean | null | undefined
}

/**
 * The markup of an import with `as=picture` or `as=img`: its sources, sizes, width and height, and its placeholder as
 * the background of the `<img>`. Everything is escaped. Runs anywhere, needs nothing.
 *
 * The placeholder of an image that is not opaque is taken away by an `onload` attribute, which a
 * Content-Security-Policy without `unsafe-inline` keeps from running: there, leave the placeholder out (`?lqip=none`)
 * or use a component.
 */
export function toHtml(image: ImgModule | PictureModule, attributes: ImageAttributes): string {
  const { sizes, style, ...rest } = attributes
  const loading = loadingOf(rest.loading, rest.fetchpriority)
  const { sources, img, background, seeThrough } = pictureParts(image, sizes, loading === 'lazy')
  const styles = [background === undefined ? '' : `background:${background}`, style ?? ''].filter((each) => each !== '')
  // Attributes that decide how to load stand before those that start it.
  const tag = element('img', {
    loading,
    decoding: 'async',
    ...(seeThrough && { onload: "this.style.background=''" }),
    ...rest,
    style: styles.length === 0 ? undefined : styles.join(';'),
    ...img,
    ...overruled(rest),
  })
  if (sources.length === 0) return tag
  return `<picture>${sources.map((source) => element('source', source)).join('')}${tag}</picture>`
}

/** A width or height of the caller's own beats that of the image. */
function overruled({ width, height }: Omit<ImageAttributes, 'alt'>): Pick<ImageAttributes, string> {
  return { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
}

function element(name: string, attributes: Readonly<Record<string, unknown>>): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined || value === null || value === false) return []
    if (!/^[^\s"'<>/=]+$/.test(key)) throw new TypeError(`'${key}' cannot be the name of an attribute.`)
    return value === true ? [` ${key}`] : [` ${key}="${escaped(String(value))}"`]
  })
  return `<${name}${written.join('')}>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
