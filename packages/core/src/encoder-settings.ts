import { invalidOption } from './errors.ts'
import { didYouMean } from './suggest.ts'
import type { EncoderSettings, ImageType, ResolvedEncoderSettings } from './types.ts'
import { CHROMA_SUBSAMPLINGS, IMAGE_TYPES, TYPE_ALIASES } from './values.ts'

/** What one setting may be, and what it is when it is not given. */
interface Setting {
  readonly fallback: unknown
  readonly expected: string
  accepts(value: unknown): boolean
}

const whole = (lowest: number, highest: number, fallback?: number): Setting => ({
  fallback,
  expected: `a whole number from ${lowest} to ${highest}`,
  accepts: (value) => Number.isInteger(value) && (value as number) >= lowest && (value as number) <= highest,
})

const flag = (fallback: boolean): Setting => ({
  fallback,
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
})

const chroma = (fallback: (typeof CHROMA_SUBSAMPLINGS)[number]): Setting => ({
  fallback,
  expected: "'4:2:0' or '4:4:4'",
  accepts: (value) => (CHROMA_SUBSAMPLINGS as readonly unknown[]).includes(value),
})

const share = (fallback: number): Setting => ({
  fallback,
  expected: 'a number from 0 to 1',
  accepts: (value) => typeof value === 'number' && value >= 0 && value <= 1,
})

type SettingsOf<Type extends ImageType> = Record<keyof NonNullable<EncoderSettings[Type]>, Setting>

const SETTINGS: { readonly [Type in ImageType]: SettingsOf<Type> } = {
  'image/avif': {
    quality: whole(1, 100, 50),
    effort: whole(0, 9, 3),
    chromaSubsampling: chroma('4:4:4'),
    lossless: flag(false),
  },
  'image/jxl': { quality: whole(1, 99, 80), effort: whole(1, 9, 7), lossless: flag(false) },
  'image/webp': { quality: whole(1, 100, 80), effort: whole(0, 6, 4), lossless: flag(false) },
  'image/jpeg': { quality: whole(1, 100, 80), chromaSubsampling: chroma('4:2:0'), progressive: flag(true) },
  'image/png': { colours: whole(2, 256), dither: share(1) },
}

/**
 * Validates the settings of the encoders, fills in their defaults and puts them into one order.
 * @returns `null` where no type has settings
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveEncoderSettings(value: unknown): ResolvedEncoderSettings | null {
  const given = object('encoder', value)
  const byType = new Map<string, Record<string, unknown>>()
  for (const [name, settings] of Object.entries(given)) {
    const type = TYPE_ALIASES[name as keyof typeof TYPE_ALIASES] ?? name
    const known = (IMAGE_TYPES as readonly string[]).includes(type)
    if (!known) throw invalidOption(`encoder.${name}`, 'no such type', settings, didYouMean(name, IMAGE_TYPES))
    if (settings !== undefined) byType.set(type, resolveSettings(type as ImageType, settings))
  }
  if (byType.size === 0) return null
  const ordered = IMAGE_TYPES.filter((type) => byType.has(type)).map((type) => [type, byType.get(type)] as const)
  return Object.fromEntries(ordered) as ResolvedEncoderSettings
}

function resolveSettings(type: ImageType, value: unknown): Record<string, unknown> {
  const settings: Readonly<Record<string, Setting>> = SETTINGS[type]
  const given = object(`encoder.${type}`, value)
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(settings, name)) {
      throw invalidOption(
        `encoder.${type}.${name}`,
        'no such setting',
        given[name],
        didYouMean(name, Object.keys(settings)),
      )
    }
  }
  const resolved = Object.entries(settings).map(([name, { fallback, expected, accepts }]) => {
    const chosen = given[name]
    if (chosen === undefined) return [name, fallback]
    if (!accepts(chosen)) throw invalidOption(`encoder.${type}.${name}`, expected, chosen)
    return [name, chosen]
  })
  return Object.fromEntries(resolved.filter(([, chosen]) => chosen !== undefined)) as Record<string, unknown>
}

function object(option: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidOption(option, 'an object', value)
  return value as Record<string, unknown>
}
