import { ANY_TYPE, IMAGE_TYPES, resolveOperations, WILDCARD_TYPES } from '@pixpress/core'
import type { ConvertType, ImageType, InputType, Operations } from '@pixpress/core'
import type { Alternatives } from './parse.ts'
import type { DirectiveSource } from './source.ts'
import type { Format } from './vocabulary.ts'

const CONVERT_TYPES = {
  avif: 'image/avif',
  jxl: 'image/jxl',
  webp: 'image/webp',
  jpeg: 'image/jpeg',
  png: 'image/png',
  auto: ANY_TYPE,
} as const satisfies Record<Exclude<Format, 'original'>, ConvertType>

const FORMAT_NAMES = {
  'image/avif': 'avif',
  'image/jxl': 'jxl',
  'image/webp': 'webp',
  'image/jpeg': 'jpeg',
  'image/png': 'png',
} as const satisfies Record<ImageType, Format>

/** Types that every browser shows, so that one of them can stand in the `<img>` of a picture. */
const FALLBACK_TYPES: ReadonlySet<ImageType> = new Set(['image/jpeg', 'image/png'])

/** The type to convert to, or `null` when the format is, or comes to, the source's own. */
export function convertType(format: Format, source: InputType): ConvertType | null {
  const type = format === 'original' ? source : CONVERT_TYPES[format]
  return type === source ? null : (type as ConvertType)
}

/**
 * Spells out the formats of a picture. Each source of a picture names its one type, and the browser chooses among them,
 * so "the smallest of these types or the source's own" (`format=auto`, or a list in the plugin's `convert`) becomes each
 * modern type in turn and, last, one fallback: the source's own type where every browser knows it, else PNG where there is
 * transparency to keep and JPEG where there is none. Vector images and animations are left to the engine, which knows
 * what they can become.
 */
export function withPictureFormats(
  alternatives: Alternatives,
  defaults: Operations,
  source: DirectiveSource,
): Alternatives {
  const { format, background } = alternatives
  if (!isImageType(source.type) || (source.frames ?? 1) > 1) return alternatives
  const opaque = !source.hasAlpha || background !== undefined || defaults.transform !== undefined
  if (format !== undefined) {
    const spelt = format.flatMap((each) => (each === 'auto' ? spellOut(WILDCARD_TYPES, source.type, opaque) : [each]))
    return { ...alternatives, format: [...new Set(spelt)] }
  }
  const { types, orInput } = resolveOperations(defaults)
  return types !== null && orInput ? { ...alternatives, format: spellOut(types, source.type, opaque) } : alternatives
}

function spellOut(types: readonly ImageType[], source: InputType, opaque: boolean): readonly Format[] {
  const possible = IMAGE_TYPES.filter((type) => types.includes(type) || type === source)
  const modern = possible.filter((type) => !FALLBACK_TYPES.has(type))
  const fallbacks = possible.filter((type) => FALLBACK_TYPES.has(type) && (opaque || type !== 'image/jpeg'))
  const fallback = fallbacks.find((type) => type === source) ?? fallbacks[0]
  return [...modern, ...(fallback === undefined ? [] : [fallback])].map((type) => FORMAT_NAMES[type])
}

function isImageType(type: InputType): type is ImageType {
  return (IMAGE_TYPES as readonly InputType[]).includes(type)
}
