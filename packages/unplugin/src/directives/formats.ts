import { ALPHA_TYPES, ANY_TYPE, IMAGE_TYPES, WILDCARD_TYPES } from '@pixpress/core'
import {
  EVERYWHERE_TYPES,
  INPUT_ONLY,
  formatOf,
  isImageType,
  resolveOperations,
  typeOfWord,
} from '@pixpress/core/internal'
import type { ConvertType, ImageType, InputType, Operations, WritableName } from '@pixpress/core'
import type { Alternatives } from './combination.ts'
import type { DirectiveSource } from './rows.ts'
import type { Format } from './vocabulary.ts'

/** The type to convert to, or `null` when the format is, or comes to, the source's own. */
export function convertType(format: Format, source: InputType): ConvertType | null {
  if (format === 'auto') return ANY_TYPE
  const type = format === 'original' ? source : typeOfWord(format)
  return type === source ? null : (type as ImageType)
}

/**
 * Spells out the formats of a picture. Each source of a picture names its one type, and the browser chooses among them,
 * so "the smallest of these types or the source's own" (`format=auto`, or a list in the plugin's `convert`) becomes
 * each modern type in turn and, last, one fallback: the source's own type where every browser knows it, else PNG where
 * there is transparency to keep and JPEG where there is none. A source whose type is only read gets one of these in any
 * case. Vector images and animations are left to the engine,
 * which knows what they can become.
 */
export function withPictureFormats(
  alternatives: Alternatives,
  defaults: Operations,
  source: DirectiveSource,
): Alternatives {
  const { format, background } = alternatives
  const isLeft = !isImageType(source.type) && !INPUT_ONLY.has(source.type)
  if (isLeft || (source.frames ?? 1) > 1) return alternatives
  const opaque = !source.hasAlpha || background !== undefined || defaults.transform !== undefined
  if (format !== undefined) {
    const spelt = format.flatMap((each) => (each === 'auto' ? spellOut(WILDCARD_TYPES, source.type, opaque) : [each]))
    return { ...alternatives, format: [...new Set(spelt)] }
  }
  const { types, orInput } = resolveOperations(defaults)
  return types !== null && orInput ? { ...alternatives, format: spellOut(types, source.type, opaque) } : alternatives
}

function spellOut(types: readonly ImageType[], source: InputType, opaque: boolean): readonly Format[] {
  const isOnlyRead = INPUT_ONLY.has(source)
  const possible = IMAGE_TYPES.filter(
    (type) => types.includes(type) || type === source || (isOnlyRead && EVERYWHERE_TYPES.has(type)),
  )
  const modern = possible.filter((type) => !EVERYWHERE_TYPES.has(type))
  const fallbacks = possible.filter((type) => EVERYWHERE_TYPES.has(type) && (opaque || ALPHA_TYPES.has(type)))
  const fallback = fallbacks.find((type) => type === source) ?? fallbacks[0]
  return [...modern, ...(fallback === undefined ? [] : [fallback])].map((type) => formatOf(type) as WritableName)
}
