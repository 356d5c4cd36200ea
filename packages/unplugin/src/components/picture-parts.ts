/** Describes what the module of an import with `as=img` and `as=picture` has with `lqip`. */
export interface PlaceholderMembers {
  /** A `data:` URL. */
  readonly placeholder?: string
  /** `#rrggbb`; `#rrggbbaa` of an image that is not opaque. */
  readonly color?: string
  readonly hash?: string
  /** Pixels of the image behind `src`. */
  readonly width?: number
  readonly height?: number
}

/** The module of an import with `as=img`. */
export interface ImgModule extends PlaceholderMembers {
  readonly src: string
  /** Pixels; 0 where they are not known. */
  readonly w: number
  readonly h: number
  readonly srcset?: string
}

/** The module of an import with `as=picture`. */
export interface PictureModule extends PlaceholderMembers {
  /** Last part of the MIME type to srcset. */
  readonly sources: Readonly<Record<string, string | undefined>>
  readonly img: { readonly src: string; readonly w: number; readonly h: number }
}

/** Describes what a `<picture>` consists of, with HTML's names of attributes. */
export interface PictureParts {
  /** None for an `<img>` alone. */
  readonly sources: readonly { readonly type: string; readonly srcset: string; readonly sizes?: string }[]
  readonly img: {
    readonly sizes?: string
    readonly srcset?: string
    readonly src: string
    readonly width?: number
    readonly height?: number
  }
  /** CSS's `background` that shows the placeholder; `undefined` where there is none. */
  readonly background: string | undefined
  /** Tells whether the placeholder would shine through once the image is there, and is to be taken away then. */
  readonly seeThrough: boolean
}

/**
 * Gives what the components and `toHtml` load by, where their caller says nothing of it: lazily, unless it is urgent.
 */
export function loadingOf(loading: string | null | undefined, fetchpriority: unknown): string | undefined {
  return loading ?? (fetchpriority === 'high' ? undefined : 'lazy')
}

/** The width of the screen, for browsers that do not know `auto`, and for images that are not loaded lazily. */
const USUAL_SIZES = '100vw'

/**
 * The parts of the image of an import, for a component or a template.
 * @param sizes `auto`: as wide as the image is laid out, for browsers that wait for the layout as they load it lazily;
 *   `100vw` for all others
 * @param isLazy whether the `<img>` has `loading="lazy"`
 */
export function pictureParts(image: ImgModule | PictureModule, sizes?: string, isLazy: boolean = true): PictureParts {
  const isPicture = 'sources' in image
  const { src, w, h } = isPicture ? image.img : image
  const sized = sizesOf(sizes, isLazy)
  const types = isPicture ? Object.entries(image.sources) : []
  const sources = types.flatMap(([name, srcset]) =>
    srcset === undefined ? [] : [{ type: `image/${name}`, srcset, ...sized }],
  )
  const srcset = isPicture ? undefined : image.srcset
  return {
    sources,
    img: {
      // Sources may only have `auto` where the `<img>` has it too (HTML, "allows auto-sizes").
      ...((srcset !== undefined || (sources.length > 0 && isAuto(sized.sizes))) && sized),
      ...(srcset !== undefined && { srcset }),
      src,
      ...(w > 0 && { width: w }),
      ...(h > 0 && { height: h }),
    },
    background: image.placeholder === undefined ? undefined : `url(${image.placeholder}) center/cover no-repeat`,
    seeThrough: image.placeholder !== undefined && image.color?.length === 9,
  }
}

function sizesOf(sizes: string | undefined, isLazy: boolean): { readonly sizes?: string } {
  if (sizes === undefined) return {}
  if (sizes.trim().toLowerCase() !== 'auto') return { sizes }
  return { sizes: isLazy ? `auto, ${USUAL_SIZES}` : USUAL_SIZES }
}

const isAuto = (sizes: string | undefined): boolean => sizes !== undefined && /^\s*auto\s*(?:,|$)/i.test(sizes)

/** An `<img>`, as far as its placeholder goes; the types of a browser are not needed to use this package. */
interface ImageElement {
  readonly complete?: boolean
  readonly style?: { background?: string }
}

/** Takes the placeholder away from behind an image that has arrived. */
export function uncover(element: object): void {
  const { style } = element as ImageElement
  if (style !== undefined) style.background = ''
}

/** The same where it had arrived before anything listened, as in a page that a server rendered. */
export function uncoverIfComplete(element: object | null | undefined): void {
  if (element != null && (element as ImageElement).complete === true) uncover(element)
}
