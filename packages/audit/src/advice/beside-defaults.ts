import type { Place } from './places.ts'
import type { Wish } from './plugin.ts'

/** The wish without what a query would say, for places whose queries are not to be touched. */
export function withoutQuery({ sizes, attributes }: Wish): Wish {
  return { ...(sizes !== undefined && { sizes }), ...(attributes !== undefined && { attributes }) }
}

/**
 * Gives the clause of what an image needs where `defaultDirectives` may give it its shape and widths. A query replaces
 * the defaults of the same name, and begins to have the others in places that had none of them; a function may decide
 * by anything. An edit could therefore break the build, and a person has to make it.
 * @returns `undefined` where no query would be written without the defaults either
 */
export function textBesideDefaults({ target }: Place, { widths = [], format }: Wish): string | undefined {
  const wanted = [
    ...(widths.length === 0 ? [] : [`the width${widths.length === 1 ? '' : 's'} ${listed(widths)}`]),
    ...(format === undefined ? [] : [`the type ${format}`]),
  ]
  if (target.urls.length === 0 || target.kind === 'public' || wanted.length === 0) return undefined
  return `ask for ${wanted.join(' and ')}, and keep what 'defaultDirectives' give this image`
}

const listed = (numbers: readonly number[]): string =>
  numbers.length === 1 ? String(numbers[0]) : `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
