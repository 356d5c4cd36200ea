/** The kinds of facts that a row of `FACTS` has. */

/** The bytes by which a format is recognised. */
export type ContentFacts =
  /** All of the parts of one of the signatures stand at their places; a part is text or bytes. */
  | { readonly signatures: readonly (readonly (readonly [at: number, part: string | readonly number[]])[])[] }
  /** An ISO base media file (ISO/IEC 14496-12 section 4.3) with one of these brands. */
  | { readonly brands: readonly string[] }
  /** An XML document with this root element. */
  | { readonly rootElement: string }

/** A setting of an encoder: its values, its default, and one line of documentation. */
export type SettingFacts = { readonly doc: string } & (
  | { readonly kind: 'whole'; readonly least: number; readonly most: number; readonly default?: number }
  | { readonly kind: 'share'; readonly default: number }
  | { readonly kind: 'flag'; readonly default: boolean }
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly default: string }
)

/** The facts of one format. */
export interface FormatFacts {
  /** MIME type. */
  readonly type: `image/${string}`
  /** The name that people know it by. */
  readonly label: string
  /** Extensions of its files, without the dot, lower case. The first is what results are called. */
  readonly extensions: readonly [string, ...string[]]
  /** Other spellings of its MIME type that are understood. */
  readonly aliases: readonly string[]
  readonly content: ContentFacts
  /** The format can carry transparency. */
  readonly alpha: boolean
  /** The engine reads and writes the format's animations. */
  readonly animation: boolean
  /** The engine takes the format as an input. */
  readonly readable: boolean
  /**
   * Results can have the format: files of it are optimised in their own format. One without this is only an input of a
   * conversion, and stays as it is where none is asked for.
   */
  readonly compressed: boolean
  /** Other formats can be converted to it. */
  readonly writable: boolean
  /** An input of this format can become another format. */
  readonly convertible: boolean
  /** The wildcard of `convert.type` stands for it, and services of the remote interface work on it. */
  readonly wildcard: boolean
  /** The encoder can lose detail for bytes. */
  readonly lossy: boolean
  /** The browsers that show it. One for all in use can stand in the `<img>` of a `<picture>`; `current` are today's. */
  readonly browsers: 'few' | 'most' | 'current' | 'all'
  /** The metadata that its results can keep. */
  readonly metadata: readonly ('copyright' | 'creation' | 'location')[]
  /**
   * The seconds of the default effort for 17 pictures, and the share of bytes that it saves against `fast`, as
   * `bench/cost.mjs` measured them (docs/effort.md). Absent where they were not measured.
   */
  readonly effort?: { readonly seconds: number; readonly saving: number }
  /**
   * Bytes that one pixel takes beyond a decoded one while its codec encodes or decodes. 0 where that is not worth
   * counting.
   */
  readonly memory: { readonly encode: number; readonly decode: number }
  /** Plain settings of its encoder, in the encoder's own words. */
  readonly settings: Readonly<Record<string, SettingFacts>>
}
