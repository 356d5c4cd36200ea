/**
 * Ways to show something of a picture before it is there: `thumbhash` and `blurhash` by their hashes of 20 to 36 bytes,
 * `blur` by a few of its own pixels, `color` by one colour.
 */
export const PLACEHOLDER_KINDS = ['thumbhash', 'blurhash', 'blur', 'color'] as const

/** A kind of placeholder. */
export type PlaceholderKind = (typeof PLACEHOLDER_KINDS)[number]

/** A small stand-in that a page shows until the picture is loaded. */
export interface Placeholder {
  readonly kind: PlaceholderKind
  /** A `data:` URL of at most 400 bytes, for `<img src>` or CSS's `url()` without quotes. */
  readonly url: string
  /** The picture's dominant colour, `#rrggbb`; `#rrggbbaa` for a picture that is not opaque, with its mean opacity. */
  readonly color: string
  /** The hash: `thumbhash` in base64, `blurhash` in its base 83. */
  readonly hash?: string
}

/**
 * Raised whenever other bytes are made of the same pixels: a part of the identity under which placeholders are cached.
 */
export const PLACEHOLDER_REVISION = 1

/** Bytes that the `data:` URL of a placeholder may have. */
export const MOST_URL_BYTES = 400
