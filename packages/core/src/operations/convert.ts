import { invalidOption } from '../base/errors.ts'
import type { ImageType, WritableName } from '../base/facts.ts'
import { IMAGE_TYPES, WILDCARD_TYPES, formatOf, isImageType, typeOfWord } from '../base/formats.ts'
import { isOneOf, listed, plainObject, suggestion } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import { refuseUnknownKeys } from '../options/unknown-key.ts'
import { ANY_TYPE } from '../base/values.ts'

/** A MIME type or the format's name: `webp` is `image/webp`. */
export type ConvertType = ImageType | WritableName | '*/*'

/** The option `convert`. */
export interface ConvertOptions {
  type: ConvertType | readonly ConvertType[]
}

/** Makes the modern types of every image, beside its own type, wherever a page or stylesheet can offer several. */
export const AUTO = 'auto'
/** The word for automatic conversion. */
export type AutoConvert = typeof AUTO

/** The types that are asked for, in the order of `IMAGE_TYPES`, and whether the input may win beside them. */
interface Conversion {
  readonly types: readonly ImageType[]
  readonly orInput: boolean
}

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
export const PROJECT_CONVERT: Parser<Conversion | AutoConvert> = {
  schema: { anyOf: [{ const: AUTO }, CONVERT.schema] },
  parse(value, option) {
    if (value === AUTO) return AUTO
    if (typeof value === 'string')
      throw invalidOption(option, `'${AUTO}' or { type }`, value, suggestion(value, [AUTO]))
    return CONVERT.parse(value, option)
  },
}

function typesOf(value: unknown, option: string): readonly ImageType[] {
  if (value === ANY_TYPE) return WILDCARD_TYPES
  const type = typeof value === 'string' ? typeOfWord(value) : undefined
  if (isOneOf(IMAGE_TYPES, type)) return [type]
  throw invalidOption(option, listed(KNOWN), value, suggestion(value, KNOWN))
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
