/** A candidate of a `srcset`. */
export interface Candidate {
  readonly url: string
  /** Pixels that its `w` says. */
  readonly width?: number
  /** Pixels of the device for one of CSS, which its `x` says. */
  readonly density?: number
}

/** An `<img>` as a page shows it. Lengths are pixels of CSS. */
export interface ImageFacts {
  /** The way to it from the body, as a selector of CSS. */
  readonly path: string
  /** Its opening tag, shortened. */
  readonly tag: string
  /** URL that the browser shows. */
  readonly url: string
  readonly src?: string
  readonly srcset?: string
  readonly hasSource: boolean
  /** The `sizes` of the element that the shown candidate comes from. */
  readonly sizes?: string
  readonly candidates: readonly Candidate[]
  /** The `type` of each `<source>` beside it. */
  readonly types: readonly string[]
  /** True if the shown candidate comes from a `<source type>`. */
  readonly isTyped: boolean
  /** Every URL that it could have shown. */
  readonly others: readonly string[]
  readonly isLazy: boolean
  readonly priority: string
  readonly alt?: string
  /** True if screen readers are told to skip it, or read another name. */
  readonly isDecoration: boolean
  readonly isComplete: boolean
  /** Size as the browser says it: divided by the density of the candidate. */
  readonly naturalWidth: number
  readonly naturalHeight: number
  /** True if it takes part in the layout. */
  readonly hasBox: boolean
  readonly isShown: boolean
  /** Size of its content box, without padding and border. */
  readonly width: number
  readonly height: number
  /** From the top of the page. */
  readonly top: number
  readonly left: number
  readonly fit: string
  readonly hasDimensions: boolean
  readonly isSizedByStyle: boolean
  /** True if neither an attribute nor a style sets its width, or its height. */
  readonly hasAutoWidth: boolean
  readonly hasAutoHeight: boolean
  /** True if a style sets `aspect-ratio`, which holds over the image's own proportions. */
  readonly hasStyleRatio: boolean
  readonly isInFlow: boolean
}

/** An image behind an element. */
export interface BackgroundFacts {
  readonly path: string
  readonly tag: string
  readonly url: string
  /** `background-size`. */
  readonly size: string
  readonly repeat: string
  readonly width: number
  readonly height: number
  readonly top: number
  readonly hasBox: boolean
  readonly isShown: boolean
}

/** A `<link rel="preload">` of an image. */
export interface PreloadFacts {
  readonly tag: string
  readonly url: string
  readonly candidates: readonly Candidate[]
  readonly priority: string
  /** True if its `media` matches. */
  readonly isMeant: boolean
}

/** The images of a page in one viewport. */
export interface PageFacts {
  readonly images: readonly ImageFacts[]
  readonly backgrounds: readonly BackgroundFacts[]
  /** URLs of images that are used otherwise: as poster, mask, icon and so on. */
  readonly besides: readonly string[]
  readonly preloads: readonly PreloadFacts[]
  /** The largest image that was painted before anybody scrolled; absent where that is text, or nothing. */
  readonly paint?: { readonly url: string; readonly path: string; readonly isImage: boolean }
  readonly links: readonly string[]
}

/** The functions that the script of `page/` offers inside of an audited page. */
export interface PageScript {
  /** Waits until the first view is painted. */
  untilPainted(): Promise<void>
  /** Scrolls to the end and back. */
  scrollThrough(): Promise<void>
  /** Describes all images of the page as it is now. */
  facts(): Promise<PageFacts>
}
