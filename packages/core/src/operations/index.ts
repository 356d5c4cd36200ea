import { ADJUST, ADJUSTMENTS, ADJUSTMENT_FLAGS, adjustFromFlags } from './adjust.ts'
import type { Adjustments, ResolvedAdjustments } from './adjust.ts'
import type { ImageType } from '../base/facts.ts'
import { IMAGE_TYPES, formatOf } from '../base/formats.ts'
import { TRANSFORM, backgroundFromText } from './background.ts'
import type { Background, TransformOptions } from './background.ts'
import { parseBytes } from '../options/byte-size.ts'
import { AUTO, CONVERT, convertFromText } from './convert.ts'
import type { AutoConvert, ConvertOptions } from './convert.ts'
import { ENCODER } from './encoder-settings.ts'
import type { EncoderSettings, ResolvedEncoderSettings } from './encoder-settings.ts'
import type { Flags } from '../options/flags.ts'
import type { FlagTexts, OperationDirective, OperationRow } from './row.ts'
import { FLAG, code, oneOf, plainObject, whole } from '../options/parsers.ts'
import { PRESERVE, PRESERVE_FLAGS, preserveFromQuery } from './preserve.ts'
import { QUALITY, QUALITY_FLAGS, qualityFromFlag, qualityFromQuery } from './quality.ts'
import { RESIZE, RESIZE_FLAGS, resizeFromFlags } from './resize.ts'
import type { ResizeOptions, ResolvedResize } from './resize.ts'
import { SVGO } from './svgo-config.ts'
import type { ResolvedSvgoConfig, SvgoConfig } from './svgo-config.ts'
import { refuseUnknownKeys } from '../options/unknown-key.ts'
import { ASKED_EFFORTS, EFFORTS, PRESERVE_ITEMS, QUALITY_LEVELS } from '../base/values.ts'
import type { AskedEffort, Effort, PreserveItem, QualityTarget } from '../base/values.ts'

/** The operations on an image, in the vocabulary of the remote interface. Everything is optional: `{}` compresses. */
export interface Operations {
  /** Default: the size stays. Nothing is scaled up without `enlarge`. */
  resize?: ResizeOptions
  /**
   * One type is a demand. From a list, or from the wildcard (AVIF, WebP, JPEG and PNG), the smallest result wins, and
   * an image that is not resized or flattened may stay in its own type. Transparency and animation are kept, unless
   * `transform.background` is given for transparency.
   */
  convert?: ConvertOptions
  /** Flattens transparent pixels onto a background, a colour of CSS. */
  transform?: TransformOptions
  /** Metadata to keep; everything else is dropped. */
  preserve?: readonly PreserveItem[]
  /** `high` (default), `balanced`, `small`, or the SSIMULACRA2 score to aim at, from 1 to 100. */
  quality?: QualityTarget
  /**
   * The most bytes of the result, 1 or more. Where the asked quality takes more, the image gets the best score that
   * fits; where nothing fits, the smallest result and a note. Preserved metadata comes on top.
   */
  maxBytes?: number
  /** `fast`, `default` (default) or `max`; `auto`: `default`, or `fast` where `firstBuild` has no time. */
  effort?: AskedEffort
  /** Keeps every pixel, for textures that hold data. Overrules `quality`, `maxBytes` and `encoder`. Default `false`. */
  lossless?: boolean
  /** Plain settings for the encoders of some types, in place of a search for the asked quality. */
  encoder?: EncoderSettings
  /** svgo's own configuration, for SVG alone: what is given takes the place of what pixpress would choose. */
  svgo?: SvgoConfig
  /** Changes of the picture itself: rotation, mirroring, colours, blur. Not for SVG. */
  adjust?: Adjustments
}

/** Operations after validation: canonical, complete, equal for equal meaning. Their JSON is part of the cache key. */
export interface ResolvedOperations {
  readonly resize: ResolvedResize | null
  /** `null` keeps the input's type. In the order of `IMAGE_TYPES`, without repeats. */
  readonly types: readonly ImageType[] | null
  /** The input may win although its type is not among `types`, as with a list or the wildcard. */
  readonly orInput: boolean
  /** `#rrggbb`, lower case. */
  readonly background: string | null
  /** Sorted, without repeats. */
  readonly preserve: readonly PreserveItem[]
  /** The SSIMULACRA2 score to aim at. */
  readonly score: number
  /** Bytes; `null` without a bound. */
  readonly maxBytes: number | null
  readonly effort: Effort
  /** `null` without settings. */
  readonly encoder: ResolvedEncoderSettings | null
  /** Absent without settings, and in plans for other types than SVG. */
  readonly svgo?: ResolvedSvgoConfig
  /** Absent unless every pixel is to stay as it is. */
  readonly lossless?: true
  /** Absent where the picture is not changed itself. */
  readonly adjust?: ResolvedAdjustments
}

/** The directives of operations by their words, with what a preset may hold for them. */
export interface OperationDirectives {
  /** A colour of CSS. */
  background: Background
  quality: QualityTarget
  /** Bytes. */
  maxBytes: number
  effort: Effort
  lossless: boolean
  /** One list, no alternatives. */
  preserve: readonly PreserveItem[]
}

type Row<Value> = OperationRow<Value, ResolvedOperations>

const MAX_BYTES = whole(1)
const EFFORT = oneOf(ASKED_EFFORTS)
const LEVELS = code(Object.keys(QUALITY_LEVELS))

/** The operations in their resolved order, on which cache keys depend. */
export const OPERATIONS: { readonly [Key in keyof Operations]-?: Row<NonNullable<Operations[Key]>> } = {
  resize: row({
    parser: RESIZE,
    resolved: (resize) => ({ resize: resize ?? null }),
    shownDefault: 'the size stays',
    doc: "`{ method: 'scale', width }` or `{ method: 'scale', height }`; `{ method: 'fit' | 'cover' | 'thumb' | 'contain' | 'fill', width, height }`. Nothing is scaled up without `enlarge: true`. [More of its members](cropping.md#where-and-how): `position`, `aspect`, `background`, `kernel`, `reduce`",
    flags: RESIZE_FLAGS,
    fromFlags: resizeFromFlags,
  }),
  convert: row({
    parser: CONVERT,
    resolved: (conversion) => conversion ?? { types: null, orInput: false },
    shownDefault: 'the type stays',
    doc: "`{ type }`: one type, a list, or `'*/*'` (AVIF, WebP, JPEG, PNG; `'image/jxl'` has to be named). The smallest wins, the image itself included",
    flags: {
      convert: {
        value: 'TYPES',
        description: `${code(IMAGE_TYPES.map(formatOf))} or \`*/*\`. One type is a demand; of several, with commas, the smallest wins`,
        choices: IMAGE_TYPES.map(formatOf),
        commas: true,
      },
    },
    fromFlags: ({ convert }) => (convert === undefined ? undefined : convertFromText(convert)),
  }),
  transform: row({
    parser: TRANSFORM,
    resolved: (background) => ({ background: background ?? null }),
    shownDefault: 'none',
    doc: "`{ background }` flattens transparent pixels onto a colour of CSS: `'#rrggbb'`, a name, `rgb()`, `hsl()`",
    flags: {
      background: {
        value: 'COLOUR',
        description: 'flattens transparent pixels onto it, a colour of CSS; with `--rotate` fills the corners',
      },
    },
    // The corners of a rotated picture are filled, and nothing is flattened.
    fromFlags: ({ background, rotate }) =>
      background === undefined || rotate !== undefined ? undefined : backgroundFromText(background, '--background'),
    directive: {
      word: 'background',
      doc: 'a colour of CSS: `rrggbb` (with or without `#`, written `%23`), a name, `rgb()`, `hsl()`. Flattens; beside `fit=contain` and `rotate` it fills what they leave empty',
      alternatives: true,
      read: backgroundFromText,
    },
  }),
  preserve: row({
    parser: PRESERVE,
    resolved: (preserve = []) => ({ preserve }),
    shownDefault: '`[]`',
    doc: "metadata to keep: `'copyright'`, `'creation'`, `'location'`. Everything else is dropped",
    flags: PRESERVE_FLAGS,
    fromFlags: ({ preserve }) => preserve?.split(',') as PreserveItem[] | undefined,
    directive: {
      word: 'preserve',
      doc: `${code(PRESERVE_ITEMS)}, several with \`,\`; \`none\``,
      alternatives: false,
      read: preserveFromQuery,
    },
  }),
  quality: row({
    parser: QUALITY,
    resolved: (score = QUALITY_LEVELS.high) => ({ score }),
    shownDefault: "`'high'`",
    doc: "the look to keep: `'high'` (80), `'balanced'` (70), `'small'` (60), or an [SSIMULACRA2](https://github.com/cloudinary/ssimulacra2) score from 1 to 100. About 90 cannot be told from the original, 50 is medium",
    flags: QUALITY_FLAGS,
    fromFlags: ({ quality }) => (quality === undefined ? undefined : qualityFromFlag(quality)),
    directive: {
      word: 'quality',
      doc: `${LEVELS}, or a score from 1 to 100`,
      alternatives: true,
      read: qualityFromQuery,
    },
  }),
  maxBytes: row({
    parser: MAX_BYTES,
    resolved: (maxBytes) => ({ maxBytes: maxBytes ?? null }),
    shownDefault: 'none',
    doc: 'bytes that an image may have. Where `quality` takes more, it gets the best score that fits; where nothing fits, the smallest result, and the build says so',
    flags: {
      'max-bytes': {
        value: 'SIZE',
        description: 'bytes that an image may have (`300kB`, `1MiB`), at the best score that fits',
      },
    },
    fromFlags: ({ 'max-bytes': size }) => (size === undefined ? undefined : parseBytes('--max-bytes', size)),
    directive: {
      word: 'maxBytes',
      doc: 'bytes that the image may have (`300kB`, `1MiB`); beyond them `quality` gives way',
      alternatives: true,
      read: (text, option) => parseBytes(option, text),
    },
  }),
  effort: row({
    parser: EFFORT,
    resolved: (effort = 'default') => ({ effort: effort === 'auto' ? 'default' : effort }),
    shownDefault: "`'default'`",
    doc: "`'fast'`, `'default'`, `'max'`: [time for bytes](effort.md) at the same quality; `'auto'`: `'default'`, with [drafts](first-build.md) where `firstBuild` has no time",
    flags: {
      effort: {
        value: 'EFFORT',
        description: `[time for bytes](effort.md) at the same quality: ${code(EFFORTS)}`,
        choices: EFFORTS,
      },
    },
    fromFlags: ({ effort }) => effort as AskedEffort | undefined,
    directive: {
      word: 'effort',
      doc: `${code(EFFORTS)}: [time for bytes](effort.md)`,
      alternatives: true,
      read: oneOf(EFFORTS).parse,
    },
  }),
  encoder: row({
    parser: ENCODER,
    resolved: (encoder) => ({ encoder: encoder ?? null }),
    shownDefault: 'none',
    doc: '[plain settings](#plain-encoder-settings) for the encoders of some types, in place of the search',
  }),
  svgo: row({
    parser: SVGO,
    // Absent where it is not given, so that keys without it stay.
    resolved: (svgo) => (svgo === undefined ? {} : { svgo }),
    shownDefault: 'none',
    doc: "svgo's own `plugins`, `multipass`, `floatPrecision` and `js2svg`, as plain data: functions and RegExps are refused. Given `plugins` take the place of [those chosen for each SVG](formats.md#svg)",
  }),
  // The last two are absent where they are not asked for, so that no other key changes.
  lossless: row({
    parser: FLAG,
    resolved: (lossless = false) => (lossless ? { lossless } : {}),
    shownDefault: '`false`',
    doc: 'keeps every pixel as it is, for textures that hold data; overrules `quality`, `maxBytes` and `encoder`',
    flags: { lossless: { description: 'keeps every pixel as it is' } },
    fromFlags: ({ lossless }) => (lossless === undefined ? undefined : true),
    directive: {
      word: 'lossless',
      doc: '`true` (also without a value), `false`: keeps every pixel as it is',
      alternatives: true,
      read: (text, option) =>
        FLAG.parse(text === '' || text === 'true' ? true : text === 'false' ? false : text, option),
    },
  }),
  adjust: row({
    parser: ADJUST,
    resolved: (adjust) => (adjust === undefined ? {} : { adjust }),
    shownDefault: 'none',
    doc: `changes of the picture itself: ${code(Object.keys(ADJUSTMENTS))}, as [directives](directives.md) of the same names say them, and the \`background\` of a rotation's corners`,
    flags: ADJUSTMENT_FLAGS,
    fromFlags: adjustFromFlags,
  }),
}

const ROWS = Object.entries(OPERATIONS) as [keyof Operations, Row<unknown>][]

/** Ties what a row's parser gives to what its `resolved` takes. */
function row<Value, Canonical>(given: OperationRow<Value, ResolvedOperations, Canonical>): Row<Value> {
  return given
}

/**
 * Validates operations and brings them into their canonical form.
 * @throws PixpressError `INVALID_OPTION`: names the key, what is allowed, and what came.
 */
export function resolveOperations(operations: Operations = {}): ResolvedOperations {
  const given = plainObject('operations', operations)
  refuseUnknownKeys('', given, Object.keys(OPERATIONS))
  const parts = ROWS.map(([key, { parser, resolved }]) =>
    resolved(given[key] === undefined ? undefined : parser.parse(given[key], key)),
  )
  return Object.assign({}, ...parts) as ResolvedOperations
}

/** The operations of a project: `convert` may be a word there that one image alone has no meaning for. */
export type ProjectOperations = Omit<Operations, 'convert'> & { convert?: ConvertOptions | AutoConvert }

/**
 * Returns the operations among options. `convert: 'auto'` is none: only a page or stylesheet can offer several types.
 */
export function operationsOf(options: ProjectOperations): Operations {
  const given = ROWS.flatMap(([key]) =>
    options[key] === undefined || (key === 'convert' && options[key] === AUTO) ? [] : [[key, options[key]] as const],
  )
  return Object.fromEntries(given)
}

/** The flags of operations, in the order of the help. */
export const OPERATION_FLAGS: Flags = Object.assign({}, ...ROWS.map(([, { flags }]) => flags)) as Flags

/** Returns the operations that flags ask for, not checked as a whole: `resolveOperations` says what is wrong. */
export function operationsFromFlags(texts: FlagTexts): Operations {
  return operationsOf(Object.fromEntries(ROWS.map(([key, { fromFlags }]) => [key, fromFlags?.(texts)])))
}

/** The directives that mean an operation, each with the operation's key. */
export const OPERATION_DIRECTIVES: readonly (OperationDirective<unknown> & { readonly key: keyof Operations })[] =
  ROWS.flatMap(([key, { directive }]) => (directive === undefined ? [] : [{ ...directive, key }]))
