import { IMAGE_TYPES, WILDCARD_TYPES } from '@pixpress/core'
import type { Effort, EncoderSettings, ImageType, Operations } from '@pixpress/core'
import { factsOf, isImageType, typeOfWord } from '@pixpress/core/internal'
import type { ImageDirectives } from './rows.ts'
import type { Format } from './vocabulary.ts'

/** imagetools' numbers of `effort` by format: the least, its encoder's own, and the most. */
const EFFORT_RANGES: Readonly<Partial<Record<ImageType, readonly [least: number, usual: number, most: number]>>> = {
  'image/avif': [0, 4, 9],
  'image/jxl': [3, 7, 9],
  'image/webp': [0, 4, 6],
  'image/png': [1, 7, 10],
}

/** The types that a format may come to. */
export function typesOf(format: Format | undefined, source: string): readonly ImageType[] {
  if (format === 'auto') return WILDCARD_TYPES
  const type = format === undefined || format === 'original' ? source : typeOfWord(format)
  return IMAGE_TYPES.filter((each) => each === type && isImageType(each))
}

/** The word for imagetools' number: below its encoder's own is `fast`, the most is `max`. JPEG has no such number. */
export function effortOf(effort: ImageDirectives['effort'], types: readonly ImageType[]): Effort {
  if (typeof effort === 'string') return effort === 'min' ? 'fast' : effort
  const [, usual, most] = (types.length === 1 && EFFORT_RANGES[types[0]!]) || [0, effort, Infinity]
  return effort < usual ? 'fast' : effort >= most ? 'max' : 'default'
}

/**
 * imagetools' `quality`, and what stands beside it, as the settings of encoders: what they mean there. A type whose
 * encoder has no such setting, which is PNG's, keeps the promise.
 */
export function encoderSettings(
  quality: number,
  effort: ImageDirectives['effort'] | undefined,
  types: readonly ImageType[],
): Pick<Operations, 'encoder'> {
  const settings = types.flatMap((type) => {
    const known = factsOf(type).settings
    const bounds = known['quality']
    if (bounds?.kind !== 'whole') return []
    const value = Math.min(bounds.most, Math.max(bounds.least, Math.round(quality)))
    const speed = known['effort']
    const given = effort === undefined ? undefined : numberOf(effort, type)
    const within = speed?.kind === 'whole' && given !== undefined
    return [[type, { quality: value, ...(within && { effort: Math.min(speed.most, Math.max(speed.least, given)) }) }]]
  })
  return settings.length === 0 ? {} : { encoder: Object.fromEntries(settings) as EncoderSettings }
}

function numberOf(effort: ImageDirectives['effort'], type: ImageType): number | undefined {
  const range = EFFORT_RANGES[type]
  if (typeof effort === 'number' || range === undefined) return typeof effort === 'number' ? effort : undefined
  return { min: range[0], fast: range[0], default: range[1], max: range[2] }[effort]
}
