import { PLACEHOLDER_KINDS, RESIZE_METHODS } from '@pixpress/core'
import type { InputType, Operations, ResizeMethod } from '@pixpress/core'
import {
  OPERATION_DIRECTIVES,
  formatOf,
  invalidOption,
  isImageType,
  isOneOf,
  listed,
  oneOf,
  typeOfWord,
} from '@pixpress/core/internal'
import { parseBasePixels, parsePlaceholder, parseShape } from './output.ts'
import { FITS, FORMATS, METADATA_KEYS, OUTPUTS, REFUSED_FITS } from './vocabulary.ts'
import type { Fit, Format } from './vocabulary.ts'

/** Pixels as seen, that is after EXIF orientation; 0 where the source has none (an SVG without a size). */
export interface Dimensions {
  readonly width: number
  readonly height: number
}

/** What has to be known of the source to resolve directives; a probe of its header gives it. */
export interface DirectiveSource extends Dimensions {
  readonly type: InputType
  readonly hasAlpha: boolean
  /** Default 1, a still image. */
  readonly frames?: number
}

/** The plugin's own directives that ask for images, by their words, with the values of each. */
export interface ImageDirectives {
  /** Width in pixels. */
  w: number
  /** Height in pixels. */
  h: number
  fit: Fit
  method: ResizeMethod
  /** For `as: 'picture'` the last one is the fallback. */
  format: Format
}

/** Everything that is known of one directive. */
export interface DirectiveRow {
  /** Its values, in Markdown. */
  readonly doc: string
  /** Whether each of several values gives an image of its own: `w=200;400&format=avif;webp` asks for four. */
  readonly alternatives: boolean
  /**
   * Checks one written value. Without alternatives the text is all that was written, its parts separated by `;`.
   * @param option its name in messages
   * @throws PixpressError `INVALID_OPTION`
   */
  read(text: string, option: string): unknown
  /** What a value adds to an image's operations. Directives that work together (sizes) or decide more (formats) have none. */
  toOperations?(value: unknown, source: DirectiveSource): Operations
}

const PIXELS = { alternatives: true, read: readWhole } as const

/**
 * The directives that are the plugin's own: they need the source, or say what the import gives. The language is imagetools'
 * (https://github.com/JonasKruckenberg/imagetools/blob/main/docs/directives.md), cut to what compresses, resizes and converts.
 */
const OWN: Readonly<Record<keyof ImageDirectives | 'preset' | 'as' | 'basePixels' | 'lqip', DirectiveRow>> = {
  w: {
    ...PIXELS,
    doc: 'width in pixels. Without `h` the proportions stay; both crop unless `fit` or `method` is given',
  },
  h: { ...PIXELS, doc: 'height in pixels, likewise' },
  fit: { doc: code(FITS), alternatives: true, read: readFit },
  method: {
    doc: code(RESIZE_METHODS),
    alternatives: true,
    read: oneOf(RESIZE_METHODS).parse,
  },
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

/** Every directive by its word. */
export const DIRECTIVES: Readonly<Record<string, DirectiveRow>> = {
  ...OWN,
  ...Object.fromEntries(
    OPERATION_DIRECTIVES.map(({ word, key, ...row }) => [
      word,
      { ...row, toOperations: (value) => ({ [key]: value }) } satisfies DirectiveRow,
    ]),
  ),
}

/** The words of all directives. */
export const DIRECTIVE_NAMES: readonly string[] = Object.keys(DIRECTIVES)

function readWhole(text: string, option: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw invalidOption(option, 'a whole number of at least 1', text)
}

function readFit(text: string, option: string): Fit {
  if (Object.hasOwn(REFUSED_FITS, text)) throw invalidOption(option, listed(FITS), text, REFUSED_FITS[text])
  return oneOf(FITS).parse(text, option)
}

function readFormat(text: string, option: string): Format {
  const type = isOneOf(FORMATS, text) ? undefined : typeOfWord(text)
  return type !== undefined && isImageType(type) ? (formatOf(type) as Format) : oneOf(FORMATS).parse(text, option)
}

/** `` `a`, `b`, `c` `` */
function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}
