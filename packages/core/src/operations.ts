import { resolveEncoderSettings } from './encoder-settings.ts'
import { invalidOption } from './errors.ts'
import { didYouMean } from './suggest.ts'
import type { Effort, ImageType, Operations, PreserveItem, ResizeOptions, ResolvedOperations } from './types.ts'
import {
  ANY_TYPE,
  EFFORTS,
  IMAGE_TYPES,
  PRESERVE_ITEMS,
  QUALITY_LEVELS,
  RESIZE_METHODS,
  TYPE_ALIASES,
  WILDCARD_TYPES,
} from './values.ts'

const KEYS = [
  'resize',
  'convert',
  'transform',
  'preserve',
  'quality',
  'maxBytes',
  'effort',
  'encoder',
] as const satisfies readonly (keyof Operations)[]

/**
 * Validates operations and brings them into their canonical form.
 * @throws PixpressError `INVALID_OPTION`: names the key, what is allowed, and what came.
 */
export function resolveOperations(operations: Operations = {}): ResolvedOperations {
  const given = plainObject('operations', operations)
  const type = operations.convert?.type
  knownKeys('', given, KEYS)
  return {
    resize: given.resize === undefined ? null : resolveResize(given.resize),
    types: given.convert === undefined ? null : resolveConvert(given.convert),
    orInput: Array.isArray(type) || type === ANY_TYPE,
    background: given.transform === undefined ? null : resolveTransform(given.transform),
    preserve: given.preserve === undefined ? [] : resolvePreserve(given.preserve),
    score: resolveQuality(given.quality ?? 'high'),
    maxBytes: given.maxBytes === undefined ? null : resolveMaxBytes(given.maxBytes),
    effort: resolveEffort(given.effort ?? 'default'),
    encoder: given.encoder === undefined ? null : resolveEncoderSettings(given.encoder),
  }
}

function resolveResize(value: unknown): ResizeOptions {
  const { method, width, height } = plainObject('resize', value)
  knownKeys('resize.', value as object, ['method', 'width', 'height'])
  if (!isOneOf(RESIZE_METHODS, method)) {
    throw invalidOption('resize.method', oneOf(RESIZE_METHODS), method, hint(method, RESIZE_METHODS))
  }
  for (const [name, size] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (size !== undefined && !(Number.isSafeInteger(size) && (size as number) >= 1)) {
      throw invalidOption(`resize.${name}`, 'a whole number of at least 1', size)
    }
  }
  if (method === 'scale') {
    if ((width === undefined) === (height === undefined)) {
      throw invalidOption('resize', "exactly one of 'width' and 'height' with method 'scale'", value)
    }
    return width === undefined ? { method, height: height as number } : { method, width: width as number }
  }
  if (width === undefined || height === undefined) {
    throw invalidOption('resize', `both 'width' and 'height' with method '${method}'`, value)
  }
  return { method, width: width as number, height: height as number }
}

function resolveConvert(value: unknown): readonly ImageType[] {
  const { type } = plainObject('convert', value)
  knownKeys('convert.', value as object, ['type'])
  const listed: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (listed.length === 0) throw invalidOption('convert.type', 'at least one type', type)
  const wanted = new Set<ImageType>()
  for (const one of listed) {
    const known = typeof one === 'string' ? (TYPE_ALIASES[one as keyof typeof TYPE_ALIASES] ?? one) : one
    if (known === ANY_TYPE) for (const each of WILDCARD_TYPES) wanted.add(each)
    else if (isOneOf(IMAGE_TYPES, known)) wanted.add(known)
    else
      throw invalidOption('convert.type', oneOf([...IMAGE_TYPES, ANY_TYPE]), one, hint(one, [...IMAGE_TYPES, ANY_TYPE]))
  }
  return IMAGE_TYPES.filter((each) => wanted.has(each))
}

function resolveTransform(value: unknown): string {
  const { background } = plainObject('transform', value)
  knownKeys('transform.', value as object, ['background'])
  if (background === 'white') return '#ffffff'
  if (background === 'black') return '#000000'
  if (typeof background === 'string' && /^#[\da-f]{6}$/i.test(background)) return background.toLowerCase()
  throw invalidOption('transform.background', "a colour of the form '#rrggbb', 'white' or 'black'", background)
}

function resolvePreserve(value: unknown): readonly PreserveItem[] {
  if (!Array.isArray(value)) throw invalidOption('preserve', `a list of ${oneOf(PRESERVE_ITEMS)}`, value)
  for (const item of value) {
    if (!isOneOf(PRESERVE_ITEMS, item))
      throw invalidOption('preserve', oneOf(PRESERVE_ITEMS), item, hint(item, PRESERVE_ITEMS))
  }
  return PRESERVE_ITEMS.filter((item) => value.includes(item))
}

function resolveQuality(value: unknown): number {
  if (typeof value === 'string' && Object.hasOwn(QUALITY_LEVELS, value)) {
    return QUALITY_LEVELS[value as keyof typeof QUALITY_LEVELS]
  }
  if (typeof value === 'number' && value >= 1 && value <= 100) return value
  const levels = Object.keys(QUALITY_LEVELS)
  throw invalidOption('quality', `${oneOf(levels)}, or a score from 1 to 100`, value, hint(value, levels))
}

function resolveMaxBytes(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number
  throw invalidOption('maxBytes', 'a whole number of at least 1', value)
}

function resolveEffort(value: unknown): Effort {
  if (isOneOf(EFFORTS, value)) return value
  throw invalidOption('effort', oneOf(EFFORTS), value, hint(value, EFFORTS))
}

function plainObject(option: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidOption(option, 'an object', value)
  return value as Record<string, unknown>
}

function knownKeys(prefix: string, value: object, known: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      throw invalidOption(
        prefix + key,
        'no such option',
        (value as Record<string, unknown>)[key],
        didYouMean(key, known),
      )
  }
}

function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return (values as readonly unknown[]).includes(value)
}

const oneOf = (values: readonly string[]): string =>
  values
    .map((value) => `'${value}'`)
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1')

const hint = (value: unknown, known: readonly string[]): string =>
  typeof value === 'string' ? didYouMean(value, known) : ''
