import type { ProbeResult } from '@pixpress/core'
import type { Viewport } from '../viewports.ts'

/** A candidate of a `srcset`. */
export interface Candidate {
  readonly url: string
  /** Pixels that its `w` says. */
  readonly width?: number
  /** What its `x` says. */
  readonly density?: number
}

/** An `<img>` as a page shows it. Lengths are pixels of CSS. */
export interface ImageFacts {
  /** The way to it from the body, as a selector of CSS. */
  readonly path: string
  /** Its opening tag, shortened. */
  readonly tag: string
  /** What the browser shows. */
  readonly url: string
  readonly src?: string
  readonly srcset?: string
  readonly hasSource: boolean
  /** Of the element that the shown candidate comes from. */
  readonly sizes?: string
  readonly candidates: readonly Candidate[]
  /** The `type` of each `<source>` beside it. */
  readonly types: readonly string[]
  /** Whether what is shown comes from a `<source type>`. */
  readonly isTyped: boolean
  /** Every URL that it could have shown. */
  readonly others: readonly string[]
  readonly isLazy: boolean
  readonly priority: string
  readonly alt?: string
  /** Whether readers of screens are told to skip it, or are told otherwise what it is. */
  readonly isDecoration: boolean
  readonly isComplete: boolean
  /** As the browser has it: divided by the density of the candidate. */
  readonly naturalWidth: number
  readonly naturalHeight: number
  /** Whether it is laid out at all. */
  readonly hasBox: boolean
  readonly isShown: boolean
  /** Of its content, without padding and border. */
  readonly width: number
  readonly height: number
  /** From the top of the page. */
  readonly top: number
  readonly left: number
  readonly fit: string
  readonly hasDimensions: boolean
  readonly isSizedByStyle: boolean
  /** Whether neither an attribute nor a style sets its width, or its height. */
  readonly hasAutoWidth: boolean
  readonly hasAutoHeight: boolean
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

export interface PreloadFacts {
  readonly tag: string
  readonly url: string
  readonly candidates: readonly Candidate[]
  readonly priority: string
  /** Whether its `media` matches. */
  readonly isMeant: boolean
}

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

/** A file that came over the network. */
export interface LoadedImage {
  readonly url: string
  readonly status: number
  /** What the server says it is, without parameters. */
  readonly mimeType: string
  /** Of the body. */
  readonly bytes: number
  /** SHA-256 of the body. */
  readonly digest: string
  /** `undefined`: it is no image, or a broken one. */
  readonly header: ProbeResult | undefined
  /** Of an SVG: the images of pixels inside of it, with their bytes as they stand there. Absent where there are none. */
  readonly rasters?: SvgRasters
}

/** Images of pixels that an SVG holds as `data:` URLs. */
export interface SvgRasters {
  readonly count: number
  readonly bytes: number
  /** Names of their types, in order. */
  readonly types: readonly string[]
}

/** One page in one viewport. */
export interface Visit {
  /** As a person would call it: the path of the page. */
  readonly page: string
  readonly viewport: Viewport
  readonly facts: PageFacts
  /** By URL. */
  readonly loaded: ReadonlyMap<string, LoadedImage>
  /** URLs that were asked for before anybody scrolled. */
  readonly early: ReadonlySet<string>
  /** The page as it came, before any script. */
  readonly html: string
  /** URLs of other machines, which were not loaded. */
  readonly refused: readonly string[]
}
