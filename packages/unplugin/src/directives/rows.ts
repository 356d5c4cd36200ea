import { EFFORTS, KERNELS, PLACEHOLDER_KINDS, RESIZE_METHODS } from '@pixpress/core'
import type { Aspect, Colour, Effort, InputType, Kernel, Operations, Position, ResizeMethod } from '@pixpress/core'
import {
  ADJUSTMENTS,
  ASPECT,
  OPERATION_DIRECTIVES,
  colourFromText,
  formatOf,
  invalidOption,
  isImageType,
  isOneOf,
  listed,
  oneOf,
  positionFromText,
  typeOfWord,
} from '@pixpress/core/internal'
import { parseBasePixels, parsePlaceholder, parseShape } from './output.ts'
import { AUTO_WIDTH, FITS, FORMATS, METADATA_KEYS, OUTPUTS, REFUSED_FORMATS } from './vocabulary.ts'
import type { Fit, Format } from './vocabulary.ts'

/** Pixels as seen, that is after EXIF orientation; 0 where the source has none (an SVG without a size). */
export interface Dimensions {
  readonly width: number
  readonly height: number
}

/** Describes what has to be known of the source to resolve directives; a probe of its header gives it. */
export interface DirectiveSource extends Dimensions {
  readonly type: InputType
  readonly hasAlpha: boolean
  /** Default 1, a still image. */
  readonly frames?: number
  /** The point that matters, in shares of width and height, where a sidecar or the image's XMP names one. */
  readonly focus?: readonly [x: number, y: number]
  /** The middle of the faces, where the image's XMP tells of any. */
  readonly face?: readonly [x: number, y: number]
}

/** The plugin's own directives that ask for images, by their words, with the values of each. */
export interface ImageDirectives {
  /** Width in pixels; `auto` for widths by bytes. */
  w: number | typeof AUTO_WIDTH
  /** Height in pixels. */
  h: number
  fit: Fit
  method: ResizeMethod
  /** Width divided by height, or `16:9`. */
  aspect: Aspect
  position: Position | 'face'
  kernel: Kernel
  allowUpscale: boolean
  withoutReduction: boolean
  flatten: boolean
  /** A colour of CSS. */
  background: Colour
  /** Also imagetools' numbers, `min` among them. */
  effort: Effort | 'min' | number
  /** For `as: 'picture'` the last one is the fallback. */
  format: Format
}

/** Everything that is known of one directive. */
export interface DirectiveRow {
  /** Its values, in Markdown. */
  readonly doc: string
  /** Tells whether each of several values gives an image of its own: `w=200;400&format=avif;webp` asks for four. */
  readonly alternatives: boolean
  /**
   * Checks one written value. Without alternatives the text is all that was written, its parts separated by `;`.
   * @param option its name in messages
   * @throws PixpressError `INVALID_OPTION`
   */
  read(text: string, option: string): unknown
  /**
   * Holds what a value adds to an image's operations. Directives that work together (sizes) or decide more (formats)
   * have none.
   */
  toOperations?(value: unknown, source: DirectiveSource): Operations
}

const SWITCH = { alternatives: true, read: readSwitch } as const

/**
 * The directives that are the plugin's own: they need the source, or say what the import gives. The language is that of
 * imagetools (https://github.com/JonasKruckenberg/imagetools/blob/main/docs/directives.md).
 */
const OWN: Readonly<
  Record<
    Exclude<keyof ImageDirectives, 'background' | 'effort'> | 'preset' | 'as' | 'basePixels' | 'lqip',
    DirectiveRow
  >
> = {
  w: {
    doc: 'width in pixels. Without `h` the proportions stay; both crop around the centre unless `fit`, `method` or `position` is given. `auto`: [widths by bytes](widths.md), up to that of the source or a number beside it (`auto;1600`)',
    alternatives: true,
    read: (text, option) => (text === AUTO_WIDTH ? text : readWhole(text, option, `, or '${AUTO_WIDTH}',`)),
  },
  h: { doc: 'height in pixels, likewise', alternatives: true, read: (text, option) => readWhole(text, option) },
  fit: {
    doc: `${code(FITS)}: \`cover\` keeps what strikes, \`contain\` pads with \`background\`, \`fill\` stretches. Also bare: \`?w=200&h=100&contain\``,
    alternatives: true,
    read: oneOf(FITS).parse,
  },
  method: {
    doc: code(RESIZE_METHODS),
    alternatives: true,
    read: oneOf(RESIZE_METHODS).parse,
  },
  aspect: {
    doc: '`16:9` or `1.5`: crops, with `w` or `h` or neither',
    alternatives: true,
    read: readAspect,
  },
  position: {
    doc: 'what cropping keeps: a point in shares of width and height (`0.3,0.6`), a side or a corner (`top`, `left bottom`, `northeast`, …; the first two kinds also bare), `entropy`, `attention`, `face` (where its XMP tells of faces). Default: [a focal point](#focal-points) of the image; else the centre, and with `fit=cover` what strikes',
    alternatives: true,
    read: (text, option) => (text === 'face' ? text : positionFromText(text, option)),
  },
  kernel: { doc: `how pixels are resampled: ${code(KERNELS)}`, alternatives: true, read: oneOf(KERNELS).parse },
  allowUpscale: { ...SWITCH, doc: 'lets the image become larger' },
  withoutReduction: { ...SWITCH, doc: 'keeps the size of an image that would become smaller' },
  flatten: { ...SWITCH, doc: 'flattens transparent pixels onto `background`, or black' },
  format: {
    doc: `${code(FORMATS)} (\`auto\`: the smallest, JPEG XL aside). Extensions mean their formats: \`jpg\` is \`jpeg\``,
    alternatives: true,
    read: readFormat,
  },
  preset: { doc: "a name from the plugin's `presets`", alternatives: false, read: (text) => text },
  as: {
    doc: `${code(OUTPUTS)}; of the metadata ${code(METADATA_KEYS)}: \`meta:key;key\``,
    alternatives: false,
    read: parseShape,
  },
  basePixels: {
    doc: 'with `as=srcset`: densities (`1x`, `2x`) instead of widths; this is the width of `1x`',
    alternatives: false,
    read: parseBasePixels,
  },
  lqip: {
    doc: `${code(PLACEHOLDER_KINDS)}, \`none\`: with \`as=img\`, \`as=picture\` or \`as=metadata\`, [what to show until the image is there](placeholders.md)`,
    alternatives: false,
    read: parsePlaceholder,
  },
}

/**
 * Holds what is said of an operation in other words than in core: by colours that let something through, and by
 * imagetools' numbers.
 */
const OTHERWISE: Readonly<Record<string, Partial<DirectiveRow>>> = {
  background: { read: colourFromText },
  effort: {
    doc: `${code(EFFORTS)}: [time for bytes](effort.md); imagetools' numbers and \`min\` mean the nearest of them`,
    read: readEffort,
  },
}

/** Every directive by its word. */
export const DIRECTIVES: Readonly<Record<string, DirectiveRow>> = {
  ...OWN,
  ...Object.fromEntries(
    Object.entries(ADJUSTMENTS).map(([word, { values, does, read }]) => [
      word,
      { doc: `${values}: ${does}`, alternatives: true, read } satisfies DirectiveRow,
    ]),
  ),
  ...Object.fromEntries(
    OPERATION_DIRECTIVES.map(({ word, key, ...row }) => [
      word,
      { ...row, toOperations: (value) => ({ [key]: value }), ...OTHERWISE[word] } satisfies DirectiveRow,
    ]),
  ),
}

/** The words of all directives. */
export const DIRECTIVE_NAMES: readonly string[] = Object.keys(DIRECTIVES)

function readWhole(text: string, option: string, others: string = ''): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw invalidOption(option, `a whole number of at least 1${others}`, text)
}

function readSwitch(text: string, option: string): boolean {
  if (text === '' || text === 'true') return true
  if (text === 'false') return false
  throw invalidOption(option, "nothing, 'true' or 'false'", text)
}

function readAspect(text: string, option: string): Aspect {
  ASPECT.parse(text, option)
  return text as Aspect
}

function readEffort(text: string, option: string): ImageDirectives['effort'] {
  if (text === 'min') return text
  return /^\d{1,2}$/.test(text) ? Number(text) : oneOf(EFFORTS).parse(text, option)
}

function readFormat(text: string, option: string): Format {
  if (Object.hasOwn(REFUSED_FORMATS, text)) throw invalidOption(option, listed(FORMATS), text, REFUSED_FORMATS[text])
  const type = isOneOf(FORMATS, text) ? undefined : typeOfWord(text)
  return type !== undefined && isImageType(type) ? (formatOf(type) as Format) : oneOf(FORMATS).parse(text, option)
}

/** `` `a`, `b`, `c` `` */
function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}
