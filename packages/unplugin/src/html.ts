import { loadingOf, pictureParts } from './components/picture-parts.ts'
import type { ImgModule, PictureModule } from './components/picture-parts.ts'

export { loadingOf, pictureParts, watchImage } from './components/picture-parts.ts'
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
  /** The nonce of the page's Content-Security-Policy, for the placeholder. */
  readonly nonce?: string | undefined
  /** Is set on the `<picture>`, if there is one. */
  readonly slot?: string | undefined
  readonly [name: string]: string | number | boolean | null | undefined
}

/**
 * The markup of an import with `as=picture` or `as=img`: its sources, sizes, width and height, and its placeholder as
 * the background of the `<img>`. Everything is escaped. Runs anywhere, needs nothing.
 *
 * The placeholder is a `style` attribute, which a strict Content-Security-Policy blocks. With `nonce` it is a `<style>`
 * element, and images with transparency have none.
 */
export function toHtml(image: ImgModule | PictureModule, attributes: ImageAttributes): string {
  const { sizes, style, nonce, slot, ...rest } = attributes
  const loading = loadingOf(rest.loading, rest.fetchpriority)
  const { sources, img, background, seeThrough } = pictureParts(image, sizes, loading === 'lazy')
  const isAlone = sources.length === 0
  const inline = nonce === undefined && background !== undefined ? `background:${background}` : undefined
  // Attributes that decide how to load stand before those that start it.
  const tag = element('img', {
    loading,
    decoding: 'async',
    ...(inline !== undefined && seeThrough && { onload: "this.style.background=''" }),
    ...(isAlone && { slot }),
    ...(isAlone && img.srcset === undefined ? rest : withoutSources(rest)),
    style: [inline, style].filter(Boolean).join(';') || undefined,
    ...img,
    ...overruled(rest),
  })
  const rule =
    nonce === undefined || background === undefined || seeThrough
      ? ''
      : `${element('style', { nonce })}img[src="${quoted(img.src)}"]{background:${background}}</style>`
  const inside = rule + sources.map((source) => element('source', source)).join('') + tag
  return isAlone ? inside : `${element('picture', { slot })}${inside}</picture>`
}

const DROP_SOURCES =
  "this.removeAttribute('srcset');for(const s of this.parentNode.querySelectorAll(':scope>source'))s.remove();"

/** Has inline handlers that set `src` remove the sources first, which would win over it. */
const withoutSources = (attributes: Omit<ImageAttributes, 'alt'>): Omit<ImageAttributes, 'alt'> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      /^on/i.test(name) && /\bsrc/.test(String(value)) ? DROP_SOURCES + String(value) : value,
    ]),
  )

/** For a string of CSS in a `<style>`. */
const quoted = (text: string): string =>
  text.replaceAll(/["\\<\n]/g, (character) => `\\${character.codePointAt(0)!.toString(16)} `)

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
