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
  /** Sources for some media only, which come before the others. */
  readonly media?: readonly {
    readonly media: string
    readonly type: string
    readonly srcset: string
    readonly w: number
    readonly h: number
  }[]
  readonly img: { readonly src: string; readonly w: number; readonly h: number }
}

/** Describes what a `<picture>` consists of, with HTML's names of attributes. */
export interface PictureParts {
  /** None for an `<img>` alone. */
  readonly sources: readonly {
    readonly media?: string
    readonly type: string
    readonly srcset: string
    readonly sizes?: string
    readonly width?: number
    readonly height?: number
  }[]
  readonly img: {
    readonly sizes?: string
    readonly srcset?: string
    readonly src: string
    readonly width?: number
    readonly height?: number
  }
  /** The CSS `background` that shows the placeholder; `undefined` without a placeholder. */
  readonly background: string | undefined
  /** Tells whether the placeholder would show through the loaded image, and has to be removed then. */
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
  const media = (isPicture && image.media) || []
  const types = isPicture ? Object.entries(image.sources) : []
  const sources = [
    ...media.map(({ w: width, h: height, ...source }) => ({ ...source, ...sized, width, height })),
    ...types.flatMap(([name, srcset]) => (srcset === undefined ? [] : [{ type: `image/${name}`, srcset, ...sized }])),
  ]
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
    background: backgroundOf(image),
    seeThrough: image.placeholder !== undefined && image.color?.length === 9,
  }
}

function sizesOf(sizes: string | undefined, isLazy: boolean): { readonly sizes?: string } {
  if (sizes === undefined) return {}
  if (sizes.trim().toLowerCase() !== 'auto') return { sizes }
  return { sizes: isLazy ? `auto, ${USUAL_SIZES}` : USUAL_SIZES }
}

const isAuto = (sizes: string | undefined): boolean => sizes !== undefined && /^\s*auto\s*(?:,|$)/i.test(sizes)

const srcOf = (image: ImgModule | PictureModule): string => ('sources' in image ? image.img : image).src

const backgroundOf = ({ placeholder }: PlaceholderMembers): string | undefined =>
  placeholder === undefined ? undefined : `url(${placeholder}) center/cover no-repeat`

interface Attributes {
  getAttribute(name: string): string | null
  removeAttribute(name: string): void
}

/** The members of an `HTMLImageElement` in use: this package does not need the types of a browser. */
interface ImageElement extends Attributes {
  readonly complete: boolean
  readonly naturalWidth: number
  readonly currentSrc: string
  readonly src: string
  readonly style: { background: string }
  readonly parentElement: { querySelectorAll(selectors: string): Iterable<Attributes> } | null
  addEventListener(type: string, listener: () => void, useCapture?: boolean): void
}

declare const MutationObserver: new (callback: () => void) => {
  observe(target: object, options: { readonly attributeFilter: readonly string[] }): void
}

const watched = new WeakMap<object, ImgModule | PictureModule>()

/**
 * Shows the placeholder of an `<img>` until the image has loaded, and keeps its `src` in force: if a file fails to
 * load, or a script sets another `src`, the sources no longer win over `src`. Call it in the browser when the element
 * is mounted and when its import changes.
 */
export function watchImage(element: object | null | undefined, image: ImgModule | PictureModule): void {
  if (element == null) return
  const img = element as ImageElement
  const before = watched.get(img)
  watched.set(img, image)
  if (before === undefined) {
    const fallBack = (): void => {
      if (img.currentSrc !== img.src) preferSrc(img)
    }
    // Capturing, so that it runs before a handler that sets `src`.
    img.addEventListener('error', fallBack, true)
    img.addEventListener('load', () => uncover(img, watched.get(img)!))
    new MutationObserver(() => {
      if (img.getAttribute('src') !== srcOf(watched.get(img)!)) preferSrc(img)
    }).observe(img, { attributeFilter: ['src'] })
    // In a page that a server rendered, both events may be over.
    if (img.complete) {
      if (img.naturalWidth === 0) fallBack()
      return uncover(img, image)
    }
  } else {
    if (srcOf(before) === srcOf(image)) return
    uncover(img, before)
  }
  const background = backgroundOf(image)
  if (background !== undefined && img.style.background === '') img.style.background = background
}

function uncover({ style }: ImageElement, { placeholder }: PlaceholderMembers): void {
  if (placeholder !== undefined && style.background.includes(placeholder)) style.background = ''
}

/** Drops each `srcset` rather than the `<source>`, which the framework still expects in the page. */
function preferSrc(img: ImageElement): void {
  img.removeAttribute('srcset')
  for (const source of img.parentElement?.querySelectorAll(':scope > source') ?? []) source.removeAttribute('srcset')
}
