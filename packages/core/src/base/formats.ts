/** Lists and maps that the rest of the project reads, made from the formats' rows. The module loads nothing else. */
import { FACTS } from './facts.ts'
import type { Facts, FormatName, ImageType, InputType } from './format-names.ts'
import type { FormatFacts } from './format-facts.ts'

/** The format of a MIME type. */
export type NameOfType<Type extends InputType> = {
  [Name in FormatName]: Facts[Name]['type'] extends Type ? Name : never
}[FormatName]

/** A row that lacks a fact does not compile here. */
const CHECKED: Readonly<Record<FormatName, FormatFacts & { readonly type: InputType }>> = FACTS

const ROWS = Object.entries(CHECKED) as [FormatName, FormatFacts & { readonly type: InputType }][]

const typesWhere = <Type extends InputType = InputType>(test: (row: FormatFacts) => boolean): readonly Type[] =>
  ROWS.filter(([, row]) => test(row)).map(([, row]) => row.type as Type)

/** Every format, in the order of preference. */
export const FORMAT_NAMES: readonly FormatName[] = ROWS.map(([name]) => name)

/** Types the engine can write, best compression first (the order in which equal sizes are preferred). */
export const IMAGE_TYPES: readonly ImageType[] = typesWhere<ImageType>(({ writable }) => writable)

/** Every type that is recognised by content. */
export const INPUT_TYPES: readonly InputType[] = typesWhere(({ readable }) => readable)

/** The types that the wildcard of `convert.type` stands for. */
export const WILDCARD_TYPES: readonly ImageType[] = typesWhere<ImageType>(({ wildcard }) => wildcard)

/** Types that are optimised in their own format but never converted to. */
export const SAME_TYPE_ONLY: readonly InputType[] = typesWhere(({ compressed, writable }) => compressed && !writable)

/** Types that are optimised in their own format. */
export const COMPRESSED_TYPES: readonly InputType[] = typesWhere(({ compressed }) => compressed)

/** Types that are only inputs of a conversion: no result has one of them. */
export const INPUT_ONLY: ReadonlySet<string> = new Set(typesWhere(({ compressed }) => !compressed))

/** Other spellings of a MIME type, each with the type it means. */
export const TYPE_ALIASES: Readonly<Record<string, InputType>> = Object.fromEntries(
  ROWS.flatMap(([, { type, aliases }]) => aliases.map((alias) => [alias, type])),
)

/** Types that can carry transparency. */
export const ALPHA_TYPES: ReadonlySet<string> = new Set(typesWhere(({ alpha }) => alpha))

/** Types whose animation the engine can read and write. */
export const ANIMATED_TYPES: ReadonlySet<string> = new Set(typesWhere(({ animation }) => animation))

/** Types whose images can become images of another type. */
export const CONVERTIBLE_TYPES: ReadonlySet<string> = new Set(typesWhere(({ convertible }) => convertible))

/** Types that every browser shows. */
export const EVERYWHERE_TYPES: ReadonlySet<string> = new Set(typesWhere(({ browsers }) => browsers === 'all'))

/** The extension that results of each type get, without the dot. */
export const EXTENSIONS: Readonly<Record<InputType, string>> = Object.fromEntries(
  ROWS.map(([, { type, extensions }]) => [type, extensions[0]]),
) as Record<InputType, string>

/** Every extension of every type, without dots, in lower case. */
export const IMAGE_EXTENSIONS: readonly string[] = ROWS.flatMap(([, { extensions }]) => extensions)

/** Returns the row of a type. */
export function factsOf(type: InputType): FormatFacts {
  return CHECKED[formatOf(type)]
}

const REACH = ['few', 'most', 'current', 'all'] as const

/** Returns how many browsers show a type, as a rank: 0 for few, 3 for all. */
export function reachOf(type: InputType): number {
  return REACH.indexOf(factsOf(type).browsers)
}

/** Returns the short name of a type. */
export function formatOf<Type extends InputType>(type: Type): NameOfType<Type> {
  return ROWS.find(([, row]) => row.type === type)![0] as NameOfType<Type>
}

/** Tells whether a type can be written. */
export function isImageType(type: string): type is ImageType {
  return (IMAGE_TYPES as readonly string[]).includes(type)
}

/** Returns the type of a file extension (without its dot, in any case); `undefined` if no image type uses it. */
export function typeOfExtension(extension: string): InputType | undefined {
  const wanted = extension.toLowerCase()
  return ROWS.find(([, { extensions }]) => extensions.includes(wanted))?.[1].type
}

/**
 * Returns the extension for bytes of a type: the file's own (`jpeg`, `jfif`, …) where it is one of the type's, else the
 * usual one.
 */
export function extensionFor(type: InputType, own: string = ''): string {
  const { extensions } = factsOf(type)
  return extensions.includes(own.toLowerCase()) ? own.toLowerCase() : extensions[0]
}

/**
 * Returns the type that a person means by a word: a MIME type, another spelling of it, a format's name or one of its
 * extensions. `undefined` for a word that means none.
 */
export function typeOfWord(word: string): InputType | undefined {
  const wanted = word.toLowerCase()
  for (const [name, { type, aliases }] of ROWS) {
    if (wanted === name || wanted === type || aliases.includes(wanted)) return type
  }
  return typeOfExtension(wanted)
}

/** A regular expression source that matches any image extension with its dot: `\.(?:avif|…)`. */
export const EXTENSION_PATTERN: string = String.raw`\.(?:${IMAGE_EXTENSIONS.join('|')})`

/** A glob of the names of images: `*.{avif,…}`. */
export const IMAGE_GLOB: string = `*.{${IMAGE_EXTENSIONS.join(',')}}`
