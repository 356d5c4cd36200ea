import type { OpeningTag } from './tags.ts'

/**
 * Describes what kind of text refers to an image, which decides what can be written there.
 *
 * - `html`: an attribute of a page, or of a component's template whose URLs are resolved as a page's are; one URL each
 * - `css`: `url()` and `image-set()`; one URL each
 * - `import`: an import of a script or component, which can have any directive
 * - `public`: a file that the build copies as it is, so that no directive is read
 * - `element`: an `<img>` of a component whose image is computed, so that attributes alone can be written
 * - `template`: a text that a server fills in: what is written there is a person's decision
 */
export type TargetKind = 'html' | 'css' | 'import' | 'public' | 'element' | 'template'

/** One URL of an image in a text. Offsets are UTF-16, without quotes. */
export interface TargetUrl {
  readonly url: string
  readonly start: number
  readonly end: number
  /** The attribute that it stands in. */
  readonly attribute?: string
  /** The text that means `url` in this place. */
  encode(url: string): string
}

/** A place of a text that refers to one image, with every URL that belongs together there. */
export interface Target {
  readonly kind: TargetKind
  /** URLs of the image: one, or those of an element's `src` and `srcset`; none where it is computed. */
  readonly urls: readonly TargetUrl[]
  /** The `<img>` that shows it, where that is certain. */
  readonly tag?: OpeningTag
  /** The statement of an import, and the name that it gives the image. */
  readonly statement?: { readonly start: number; readonly end: number; readonly name: string }
}

/** The width that one window needs, in pixels of the device; the window's width is in pixels of CSS. */
export interface WindowWidth {
  readonly window: number
  readonly width: number
}

/** Describes what is to become of an image at a place. Everything is optional; what cannot be had there is left out. */
export interface Wish {
  /** Widths in pixels of the device, the narrowest first. */
  readonly widths?: readonly number[]
  /** Pixels of the source across: one file of this width is no smaller than what stands there. */
  readonly most?: number
  /** For places whose widths depend on the window by media queries. */
  readonly windows?: readonly WindowWidth[]
  /** The value of `sizes`. */
  readonly sizes?: string
  /** The type to deliver. */
  readonly format?: 'webp'
  /** Attributes of the `<img>`; `null` takes one away. */
  readonly attributes?: Readonly<Record<string, string | null>>
}

/** Describes what a wish may be about; `windows` go with `widths`. */
export type WishPart = 'widths' | 'sizes' | 'format' | 'attributes'

/** A stretch of a text that is replaced. Offsets are UTF-16. */
export interface AdviceEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Describes what to write at a place, once the parser of its kind has read it. */
export interface Advice {
  readonly kind: TargetKind
  /** From 1. */
  readonly line: number
  /** Holds what to do, as one clause: "write src=…". */
  readonly text: string
  /** Empty where a person has to do it. */
  readonly edits: readonly AdviceEdit[]
  /** Parts of the wish that the text has something of. */
  readonly done: readonly WishPart[]
  /** Parts that this place cannot have, or not wholly. */
  readonly left: readonly WishPart[]
}
