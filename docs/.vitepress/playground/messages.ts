/** A question of the page to its worker: one picture, as the visitor gave it. */
export interface Asked {
  /** Answers name it, so that those of an earlier picture can be told apart. */
  readonly id: number
  readonly file: Blob
}

/** A result that keeps the promise. */
export interface Kept {
  readonly type: string
  /** Who made it: `this browser`, `pixpress in WebAssembly`, `libjxl in WebAssembly`. */
  readonly by: string
  /** The setting in words: `quality 71`, `64 colours`. */
  readonly setting: string
  readonly file: Blob
  /** The part that an `<img>` can show: the file, or its pixels as PNG where the browser does not read the type. */
  readonly shown: Blob
  /** SSIMULACRA2 against the picture. */
  readonly score: number
}

/** The worker's answers, in this order: one `read`, then for each type tries and an end, then `done`. */
export type Answer = { readonly id: number } & (
  | { readonly kind: 'read'; readonly width: number; readonly height: number }
  | { readonly kind: 'trying'; readonly type: string; readonly tries: number }
  | { readonly kind: 'kept'; readonly result: Kept }
  | { readonly kind: 'left'; readonly type: string; readonly why: string }
  | { readonly kind: 'done'; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly sentence: string }
)
