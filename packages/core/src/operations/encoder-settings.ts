import type { Operation } from './row.ts'
import type { Facts, ImageType, WritableName } from '../base/format-names.ts'
import type { SettingFacts } from '../base/format-facts.ts'
import { IMAGE_TYPES, factsOf, formatOf, isImageType, typeOfWord } from '../base/formats.ts'
import { FLAG, SHARE, oneOf, plainObject, record, whole } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import { unknownKey } from '../options/unknown-key.ts'

/** The value of one setting of an encoder. */
type SettingValue<Setting extends SettingFacts> = Setting extends { values: readonly (infer Value)[] }
  ? Value
  : Setting extends { kind: 'flag' }
    ? boolean
    : number

type SettingsOf<Name extends WritableName> = Facts[Name]['settings']

/** The names of an encoder's settings that have a default, or have none. */
type WithDefault<Settings, Has extends boolean> = {
  [Key in keyof Settings]: Settings[Key] extends { default: unknown }
    ? Has extends true
      ? Key
      : never
    : Has extends true
      ? never
      : Key
}[keyof Settings]

type ValuesOf<Settings extends Readonly<Record<string, SettingFacts>>, Keys extends keyof Settings> = {
  [Key in Keys]: SettingValue<Settings[Key]>
}

/**
 * Settings in the encoders' own words, by type or by the format's name: what each may be, and what it is by default, is
 * in docs/options.md. A type with settings is encoded once, with them; the input still stays where that is no larger
 * and no pixel was to be changed.
 */
export type EncoderSettings = {
  [Name in WritableName as Facts[Name]['type'] | Name]?: Partial<ValuesOf<SettingsOf<Name>, keyof SettingsOf<Name>>>
}

/** The settings of one encoder after validation, with every default. */
export type ResolvedSettings<Name extends WritableName> = Readonly<
  ValuesOf<SettingsOf<Name>, WithDefault<SettingsOf<Name>, true>> &
    Partial<ValuesOf<SettingsOf<Name>, WithDefault<SettingsOf<Name>, false>>>
>

/** Encoder settings after validation: with every default, in one order. */
export type ResolvedEncoderSettings = {
  readonly [Name in WritableName as Facts[Name]['type']]?: ResolvedSettings<Name>
}

/** The settings of every type by name, each with its parser, in the order in which cache keys hold them. */
const SETTINGS: ReadonlyMap<ImageType, Readonly<Record<string, Parser<unknown>>>> = new Map(
  IMAGE_TYPES.map((type) => {
    const rows = Object.entries(factsOf(type).settings)
    return [type, Object.fromEntries(rows.map(([name, facts]) => [name, parserOf(facts)]))]
  }),
)

function parserOf(facts: SettingFacts): Parser<unknown> {
  switch (facts.kind) {
    case 'whole':
      return whole(facts.least, facts.most)
    case 'share':
      return SHARE
    case 'flag':
      return FLAG
    case 'choice':
      return oneOf(facts.values)
  }
}

/** Fills in the defaults and puts everything into one order. `null` where no type has settings. */
export const ENCODER: Parser<ResolvedEncoderSettings | null> = {
  schema: {
    type: 'object',
    properties: Object.fromEntries(
      [...SETTINGS].flatMap(([type, settings]) =>
        [type, formatOf(type)].map((word) => [word, record(settings).schema]),
      ),
    ),
    additionalProperties: false,
  },
  parse(value, option) {
    const byType = new Map<string, Record<string, unknown>>()
    for (const [name, settings] of Object.entries(plainObject(option, value))) {
      const type = typeOfWord(name)
      if (type === undefined || !isImageType(type)) throw unknownKey(option, name, IMAGE_TYPES)
      if (settings !== undefined) byType.set(type, resolveSettings(type, settings, `${option}.${type}`))
    }
    if (byType.size === 0) return null
    const ordered = IMAGE_TYPES.filter((type) => byType.has(type)).map((type) => [type, byType.get(type)] as const)
    return Object.fromEntries(ordered) as ResolvedEncoderSettings
  },
}

function resolveSettings(type: ImageType, value: unknown, option: string): Record<string, unknown> {
  const given: Readonly<Record<string, unknown>> = record(SETTINGS.get(type)!).parse(value, option)
  const resolved = Object.entries(factsOf(type).settings).map(([name, facts]) => [name, given[name] ?? facts.default])
  return Object.fromEntries(resolved.filter(([, setting]) => setting !== undefined)) as Record<string, unknown>
}

interface EncoderOperation {
  /** Plain settings for the encoders of some types, in place of a search for the asked quality. */
  encoder?: EncoderSettings
}

interface ResolvedEncoder {
  /** `null` without settings. */
  readonly encoder: ResolvedEncoderSettings | null
}

/** Gives encoders plain settings. */
export const encoder: Operation<EncoderOperation, ResolvedEncoderSettings | null, ResolvedEncoder> = {
  place: 8,
  parser: ENCODER,
  resolved: (settings) => ({ encoder: settings ?? null }),
  shownDefault: 'none',
  doc: '[plain settings](#plain-encoder-settings) for the encoders of some types, in place of the search',
}
