/** Pixels of an image. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** One image in one type. */
export interface TypedUrl {
  readonly url: string
  /** MIME type. */
  readonly type: string
}

/** An image of the output that there are other types of. */
export interface UrlAlternatives {
  /** The image as it stands in the output. */
  readonly own: TypedUrl
  /** MIME types of the others, the preferred first, each smaller than what comes after it. Not empty. */
  readonly types: readonly string[]
  /** Tells whether a place of the output has taken one already. */
  readonly isTaken: boolean
  /** Puts the others of these types into the output; in their order. */
  take(types: readonly string[]): Promise<readonly TypedUrl[]>
}

/** Describes what can be offered at the URLs of one file of the output. */
export interface FileAlternatives {
  /** `undefined` where the URL is no image of ours, or there is nothing better than it. */
  find(url: string): Promise<UrlAlternatives | undefined>
  /** Tells whether a URL is an image that there may be an offer for; encodes nothing. */
  has(url: string): Promise<boolean>
  /** Pixels of the image at a URL; `undefined` where it is none of ours, or pages are to say nothing of them. */
  size(url: string): Promise<Size | undefined>
  /** Notes for the report why an image keeps its own type at a place, as a sentence. */
  refuse(url: string, reason: string): Promise<void>
}
