import { didYouMean, UsageError } from '@pixpress/core/internal'

/** Placeholders that may stand in braces in `--name`, with what they are filled with. */
export const PLACEHOLDERS = {
  name: "the source's name without its extension",
  ext: "the extension of the result's type",
  width: 'the width of the result in pixels',
  height: 'the height of the result in pixels',
  from: "the source's extension",
} as const

/** Name of a placeholder. */
export type Placeholder = keyof typeof PLACEHOLDERS

/** The name of a result below the folder of its source, with forward slashes. */
export type NameTemplate = (values: Readonly<Record<Placeholder, string | number>>) => string

/** The name of one of several widths, where nothing else is asked for. */
export const WIDTHS_NAME = '{name}-{width}.{ext}'

const isPlaceholder = (word: string): word is Placeholder => Object.hasOwn(PLACEHOLDERS, word)

/** @throws UsageError for an unknown placeholder, or a name that would not stay below `--out` */
export function parseNameTemplate(text: string): NameTemplate {
  const refuse = (what: string): UsageError => new UsageError(`Expected ${what} for '--name' but received '${text}'.`)
  const words = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, word = '']) => word)
  const unknown = words.find((word) => !isPlaceholder(word))
  if (unknown !== undefined) {
    throw new UsageError(
      `Unknown placeholder '{${unknown}}' in '--name'. ${didYouMean(unknown, Object.keys(PLACEHOLDERS))}`,
    )
  }
  const fixed = text.replaceAll(/\{[^{}]*\}/g, 'x')
  if (/[{}]/.test(fixed)) throw refuse('pairs of braces')
  if (!words.includes('ext')) throw refuse('a name with {ext}, as the type of a result decides its extension,')
  const isBelow =
    !/[\\:\0]/.test(fixed) && fixed.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isBelow) throw refuse('a name below the folder of --out, with forward slashes,')
  return (values) =>
    text.replaceAll(/\{([^{}]*)\}/g, (_, word: string) => (isPlaceholder(word) ? String(values[word]) : ''))
}
