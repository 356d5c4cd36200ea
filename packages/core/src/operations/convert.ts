import type { Operation } from './row.ts'
import { invalidOption } from '../base/errors.ts'
import type { ImageType, WritableName } from '../base/format-names.ts'
import { IMAGE_TYPES, WILDCARD_TYPES, formatOf, isImageType, typeOfWord } from '../base/formats.ts'
import { code, isOneOf, listed, plainObject, suggestion } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import { refuseUnknownKeys } from '../options/unknown-key.ts'
import { ANY_TYPE } from '../base/values.ts'

/** A MIME type or the format's name: `webp` is `image/webp`. */
export type ConvertType = ImageType | WritableName | '*/*'

/** The option `convert`. */
export interface ConvertOptions {
  type: ConvertType | readonly ConvertType[]
}

/** Converts every image to the smallest format that the project's browsers support. */
export const AUTO = 'auto'
/** The word for automatic conversion. */
export type AutoConvert = typeof AUTO

/** The types that are asked for, in the order of `IMAGE_TYPES`, and whether the input may win beside them. */
interface Conversion {
  readonly types: readonly ImageType[]
  readonly orInput: boolean
}

/** The names that a message lists. MIME types mean the same. */
const NAMES: readonly string[] = [...IMAGE_TYPES.map(formatOf), ANY_TYPE]
const KNOWN: readonly string[] = [...IMAGE_TYPES, ...IMAGE_TYPES.map(formatOf), ANY_TYPE]

/** Parses `convert`. */
export const CONVERT: Parser<Conversion> = {
  schema: {
    type: 'object',
    properties: { type: { anyOf: [{ enum: KNOWN }, { type: 'array', items: { enum: KNOWN }, minItems: 1 }] } },
    required: ['type'],
    additionalProperties: false,
  },
  parse(value, option) {
    const given = plainObject(option, value)
    refuseUnknownKeys(option, given, ['type'])
    const { type } = given
    const each: readonly unknown[] = Array.isArray(type) ? type : [type]
    if (each.length === 0) throw invalidOption(`${option}.type`, 'at least one type', type)
    const wanted = new Set(each.flatMap((one) => typesOf(one, `${option}.type`)))
    return { types: IMAGE_TYPES.filter((one) => wanted.has(one)), orInput: Array.isArray(type) || type === ANY_TYPE }
  },
}

/** `convert` of a project. */
export const PROJECT_CONVERT: Parser<Conversion | AutoConvert | false> = {
  schema: { anyOf: [{ const: AUTO }, { const: false }, CONVERT.schema] },
  parse(value, option) {
    if (value === AUTO || value === false) return value
    if (typeof value === 'string')
      throw invalidOption(option, `'${AUTO}', { type } or false`, value, suggestion(value, [AUTO]))
    return CONVERT.parse(value, option)
  },
}

function typesOf(value: unknown, option: string): readonly ImageType[] {
  if (value === ANY_TYPE) return WILDCARD_TYPES
  const type = typeof value === 'string' ? typeOfWord(value) : undefined
  if (isOneOf(IMAGE_TYPES, type)) return [type]
  throw invalidOption(option, listed(NAMES), value, suggestion(value, KNOWN))
}

/**
 * Parses `webp`, or `avif,webp`: one type is a demand; of several the smallest wins. Words that mean no type are left
 * for the check.
 */
export function convertFromText(text: string): ConvertOptions {
  const types = text.split(',').map((word): ConvertType => {
    const type = typeOfWord(word.trim())
    return type !== undefined && isImageType(type) ? type : (word as ConvertType)
  })
  return { type: types.length === 1 ? types[0]! : types }
}

interface ConvertOperation {
  /**
   * One type is a demand. From a list, or from the wildcard (AVIF, WebP, JPEG and PNG), the smallest result wins, and
   * an image may stay in its own type. Transparency and animation are kept, unless `transform.background` is given for
   * transparency.
   */
  convert?: ConvertOptions
}

interface ResolvedConvert {
  /** `null` keeps the input's type. In the order of `IMAGE_TYPES`, without repeats. */
  readonly types: readonly ImageType[] | null
  /** The input may win although its type is not among `types`, as with a list or the wildcard. */
  readonly orInput: boolean
}

/** Chooses the types that a result may have. */
export const convert: Operation<ConvertOperation, Conversion, ResolvedConvert> = {
  place: 2,
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
  fromFlags: ({ convert: text }) => (text === undefined ? undefined : convertFromText(text)),
}
